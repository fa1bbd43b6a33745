"""What the package `@firebase/rules-unit-testing` sends, call by call, for Firestore and for Cloud Storage."""

import http.client
import json
import os
import subprocess
import time

import pytest
from storage import Answer, Bucket
from test_rules import ask, path, token

FIRESTORE = """rules_version = '2';
service cloud.firestore { match /databases/{database}/documents {
  match /users/{uid} { allow read, write: if request.auth.uid == uid; }
} }
"""

STORAGE = """rules_version = '2';
service firebase.storage { match /b/{bucket}/o {
  match /users/{uid}/{file=**} {
    allow read: if request.auth.uid == uid;
    allow create: if request.auth.uid == uid && request.resource.size < 10
      && firestore.exists(/databases/(default)/documents/users/$(uid));
    allow delete: if request.auth.token.admin == true;
  }
  match /public/{file} { allow read; }
} }
"""


class Environment:
    """What `initializeTestEnvironment` gives: the bucket is called like the project."""

    def __init__(self, server, project):
        self.server, self.project = server, project
        self.bucket = Bucket(server)
        self.bucket.name = project

    def load_firestore_rules(self, rules):
        body = json.dumps({"rules": {"files": [{"content": rules}]}})
        return ask(self.server, "PUT", f"/emulator/v1/projects/{self.project}:securityRules", body)

    def load_storage_rules(self, rules):
        body = json.dumps({"rules": {"files": [{"name": "storage.rules", "content": rules}]}})
        connection = http.client.HTTPConnection(self.server.host, self.server.storage_port, timeout=20)
        connection.request("PUT", "/internal/setRules", body, {"Content-Type": "application/json"})
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def clear_firestore(self):
        return ask(self.server, "DELETE", f"/emulator/v1/projects/{self.project}/databases/(default)/documents")

    def clear_storage(self):
        """Lists all objects and deletes each, with the rules disabled."""
        page = None
        while True:
            query = {"prefix": "", "maxResults": "1000"} | ({"pageToken": page} if page else {})
            listing = self.storage(None)("GET", self.bucket.url(**query)).json
            for item in listing["items"]:
                assert self.storage(None)("DELETE", self.bucket.url(item["name"])).status == 204
            if not (page := listing.get("nextPageToken")):
                return

    def claims(self, uid, **options):
        """The claims that `createMockUserToken` writes."""
        return {
            "iss": f"https://securetoken.google.com/{self.project}", "aud": self.project, "iat": 0, "exp": 3600,
            "auth_time": 0, "sub": uid, "user_id": uid,
            "firebase": {"sign_in_provider": "custom", "identities": {}},
        } | options

    def storage(self, authorization):
        """A context for Cloud Storage; without an authorization the rules are disabled."""
        fields = {"Authorization": authorization or "Firebase owner"}
        return lambda method, url, body=None, more={}: self.bucket(method, url, body, fields | more, owner=False)

    def user(self, uid, **options):
        return self.storage(f"Firebase {token(**self.claims(uid, **options))}")

    def nobody(self):
        return lambda method, url, body=None, more={}: self.bucket(method, url, body, more, owner=False)


@pytest.fixture
def environment(own_server, project):
    environment = Environment(own_server, project)
    assert environment.load_firestore_rules(FIRESTORE)[0] == 200
    assert environment.load_storage_rules(STORAGE).json == {"message": "Rules updated successfully"}
    return environment


def test_firestore(environment):
    alice = token(**environment.claims("alice"))
    document = path(environment.project, "users/alice")
    body = {"fields": {"n": {"integerValue": "1"}}}
    assert ask(environment.server, "PATCH", document, body, alice)[0] == 200
    assert ask(environment.server, "GET", document, who=token(**environment.claims("bob")))[0] == 403
    assert ask(environment.server, "GET", document)[0] == 403
    assert ask(environment.server, "GET", document, who="owner")[0] == 200
    assert environment.clear_firestore()[0] == 200
    assert ask(environment.server, "GET", document, who=alice)[0] == 404


def test_storage(environment):
    bucket, alice = environment.bucket, environment.user("alice")
    url = bucket.url(name="users/alice/a")
    assert alice("POST", url, b"hello").status == 403, "there is no document yet"
    assert ask(environment.server, "PATCH", path(environment.project, "users/alice"), {"fields": {}}, "owner")[0] == 200
    created = alice("POST", url, b"hello")
    assert created.status == 200, created.body
    assert alice("POST", url, b"hello world").status == 403, "it is too large"
    assert environment.nobody()("POST", url, b"hello").status == 403
    refused = environment.user("bob")("GET", bucket.url("users/alice/a"))
    assert refused.json == {"error": {"code": 403, "message": "Permission denied. No READ permission."}}
    metadata = alice("GET", bucket.url("users/alice/a"))
    assert metadata.status == 200 and metadata.json["size"] == "5"
    download = bucket.url("users/alice/a", alt="media", token=metadata.json["downloadTokens"])
    assert environment.nobody()("GET", download).body == b"hello"
    assert environment.nobody()("GET", bucket.url("users/alice/a", alt="media")).status == 403
    assert alice("GET", bucket.url(prefix="users/alice/", delimiter="/")).status == 200
    assert alice("GET", bucket.url(prefix="users/", delimiter="/")).status == 403
    assert alice("DELETE", bucket.url("users/alice/a")).status == 403
    assert environment.user("carol", admin=True)("DELETE", bucket.url("users/alice/a")).status == 204
    assert environment.nobody()("GET", bucket.url("public/none")).status == 404
    assert environment.nobody()("GET", bucket.url("private/none")).status == 403


def test_clear_storage(environment):
    for name in ["users/a/1", "users/b/2", "public/3"]:
        assert environment.storage(None)("POST", environment.bucket.url(name=name), b"x").status == 200
    environment.clear_storage()
    assert environment.storage(None)("GET", environment.bucket.url(prefix="")).json == {"prefixes": [], "items": []}


def test_resumable(environment):
    """The web SDK's `uploadBytesResumable`; its chunks carry the authorization, those of iOS do not."""
    assert ask(environment.server, "PATCH", path(environment.project, "users/alice"), {"fields": {}}, "owner")[0] == 200
    start = {
        "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start",
        "X-Goog-Upload-Header-Content-Length": "5", "X-Goog-Upload-Header-Content-Type": "text/plain",
        "Content-Type": "application/json; charset=utf-8",
    }
    url = environment.bucket.url(name="users/alice/r")
    for uid, status in [("alice", 200), ("bob", 403)]:
        answer = environment.user(uid)("POST", url, b'{"name":"users/alice/r"}', start)
        assert answer.status == 200 and answer.upload_status == "active"
        target = "/" + answer.fields["X-Goog-Upload-URL"].split("/", 3)[3]
        finish = {"X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "0"}
        answer = environment.nobody()("POST", target, b"hello", finish)
        assert (answer.status, answer.upload_status) == (status, "final")


def test_broken_rules(environment):
    answer = environment.load_storage_rules("service firebase.storage {")
    assert answer.status == 400
    assert answer.json["message"] == "There was an error updating rules, see logs for more details"
    assert answer.json["issues"][0]["sourcePosition"]["line"] == 1
    assert environment.nobody()("GET", environment.bucket.url("public/none")).status == 404, "the old rules stay"


def test_storage_coverage(environment):
    """What was evaluated of the rules of Cloud Storage, as of those of Firestore."""
    assert environment.load_storage_rules(STORAGE).status == 200
    assert environment.nobody()("GET", environment.bucket.url("public/none")).status == 404
    assert environment.nobody()("GET", environment.bucket.url("users/alice/none")).status == 403

    def get(path):
        connection = http.client.HTTPConnection(environment.server.host, environment.server.storage_port, timeout=20)
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.getheader("Content-Type"), text

    status, _, text = get("/internal/ruleCoverage")
    coverage = json.loads(text)
    assert status == 200 and coverage["rules"]["files"][0]["content"] == STORAGE
    assert coverage["report"][0]["values"][0]["value"]["undefined"]["causeMessage"] == "Null value error."
    status, kind, page = get("/internal/ruleCoverage.html?bucket=any")
    assert status == 200 and kind.startswith("text/html") and "class=\"failed\"" in page


def test_storage_files(own_server, tmp_path):
    """Rules of Cloud Storage by flag, and by firebase.json for single buckets; both are read again when they change."""
    (tmp_path / "app").mkdir()
    rules = tmp_path / "app" / "storage.rules"
    rules.write_text(STORAGE)
    (tmp_path / "app" / "firebase.json").write_text(json.dumps({"storage": [
        {"target": "main", "rules": "storage.rules"}]}))
    (tmp_path / "app" / ".firebaserc").write_text(json.dumps({
        "projects": {"default": "demo-p"}, "targets": {"demo-p": {"storage": {"main": ["first"]}}}}))
    server = own_server
    server.process.terminate()
    server.process.wait()
    ports = ["--port", str(server.port), "--storage-port", str(server.storage_port)]

    def status(bucket, name):
        connection = http.client.HTTPConnection(server.host, server.storage_port, timeout=20)
        connection.request("GET", f"/v0/b/{bucket}/o/{name}")
        answer = connection.getresponse().status
        connection.close()
        return answer

    def started(*flags):
        server.process = subprocess.Popen(
            [os.environ["HIBACHI_BINARY"], "start", *ports, "--ephemeral", *flags], cwd=tmp_path / "app")
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                return status("first", "public%2Fnone")
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server does not take connections")

    assert started() == 404
    assert status("first", "private%2Fnone") == 403
    assert status("second", "public%2Fnone") == 403, "it has no rules"
    server.process.terminate()
    server.process.wait()
    assert started("--storage-rules", str(rules)) == 404
    assert status("second", "public%2Fnone") == 404
    rules.write_text("service")
    time.sleep(1.5)
    assert status("second", "public%2Fnone") == 404, "the old rules stay"
    rules.write_text(STORAGE.replace("/public/", "/open/"))
    deadline = time.monotonic() + 10
    while status("second", "public%2Fnone") == 404:
        assert time.monotonic() < deadline, "the file is not read again"
        time.sleep(0.1)
    assert status("second", "open%2Fnone") == 404
