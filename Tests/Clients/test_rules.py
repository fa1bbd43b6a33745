"""Security rules as test suites use them: literal HTTP, tokens without signature, files that change; and who listens."""

import base64
import http.client
import json
import os
import subprocess
import time

import grpc
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcTransport
from google.cloud.firestore_v1.types import ListenRequest

OWN = """rules_version = '2';
service cloud.firestore { match /databases/{database}/documents {
  match /users/{uid} { allow read, write: if request.auth.uid == uid; }
  match /posts/{id} {
    allow read: if resource.data.public == true;
    allow write: if request.auth != null;
  }
} }
"""


def token(**claims):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    return part({"alg": "none", "type": "JWT"}) + "." + part(claims) + "."


def ask(server, method, path, body=None, who=None):
    """`body` is sent as text without a content type if it is one, as the unit-testing package does."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=20)
    headers = {"Authorization": f"Bearer {who}"} if who else {}
    if body is not None and not isinstance(body, str):
        body, headers["Content-Type"] = json.dumps(body), "application/json"
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, text.decode()


def set_rules(server, project, content):
    return ask(
        server, "PUT", f"/emulator/v1/projects/{project}:securityRules",
        json.dumps({"rules": {"files": [{"content": content}]}}))


def path(project, document, database="(default)"):
    return f"/v1/projects/{project}/databases/{database}/documents/{document}"


def test_unit_testing_package(server, project):
    """Loads rules, works as several users, clears, loads other rules."""
    assert set_rules(server, project, OWN)[0] == 200
    alice, bob = token(sub="alice"), token(sub="bob")
    body = {"fields": {"n": {"integerValue": "1"}}}
    assert ask(server, "PATCH", path(project, "users/alice"), body, alice)[0] == 200
    status, text = ask(server, "PATCH", path(project, "users/alice"), body, bob)
    assert status == 403 and json.loads(text)["error"]["status"] == "PERMISSION_DENIED"
    assert "false for 'create' @ L3, false for 'update' @ L3" in json.loads(text)["error"]["message"]
    assert ask(server, "GET", path(project, "users/alice"))[0] == 403
    assert ask(server, "GET", path(project, "users/alice"), who="owner")[0] == 200
    assert ask(server, "DELETE", f"/emulator/v1/projects/{project}/databases/(default)/documents")[0] == 200
    assert ask(server, "GET", path(project, "users/alice"), who=alice)[0] == 404
    status, text = set_rules(server, project, "service cloud.firestore {")
    assert status == 400 and text.count("L1:26 ")
    assert ask(server, "GET", path(project, "users/alice"), who=bob)[0] == 403, "the old rules stay"
    assert set_rules(server, project, OWN.replace("request.auth.uid == uid", "true"))[0] == 200
    assert ask(server, "GET", path(project, "users/alice"), who=bob)[0] == 404


def test_databases_have_rules_of_their_own(server, project):
    assert set_rules(server, project, OWN)[0] == 200
    rules = {"rules": {"files": [{"name": "open", "content": OWN.replace("request.auth.uid == uid", "true")}]}}
    assert ask(server, "PUT", f"/emulator/v1/projects/{project}/databases/other:securityRules", rules)[0] == 200
    assert ask(server, "GET", path(project, "users/a"))[0] == 403
    assert ask(server, "GET", path(project, "users/a", "third"))[0] == 403
    assert ask(server, "GET", path(project, "users/a", "other"))[0] == 404


def test_coverage(server, project):
    assert set_rules(server, project, OWN)[0] == 200
    ask(server, "GET", path(project, "users/alice"), who=token(sub="alice"))
    status, text = ask(server, "GET", f"/emulator/v1/projects/{project}:ruleCoverage")
    report = json.loads(text)["report"]
    assert status == 200 and report[0]["values"] == [{"value": {"boolValue": True}, "count": 1}]
    status, text = ask(server, "GET", f"/emulator/v1/projects/{project}:ruleCoverage.html")
    assert status == 200 and 'class="evaluated"' in text


def test_listening(server, project):
    """A query that the rules do not prove is refused with the target, not with the stream."""
    assert set_rules(server, project, OWN)[0] == 200
    transport = FirestoreGrpcTransport(channel=grpc.insecure_channel(server.address))
    client = FirestoreClient(transport=transport)
    database = f"projects/{project}/databases/(default)"

    def first_answer(field):
        query = {"from": [{"collectionId": "posts"}]}
        if field:
            query["where"] = {"fieldFilter": {
                "field": {"fieldPath": field}, "op": "EQUAL", "value": {"booleanValue": True}}}
        target = {"database": database, "addTarget": {
            "targetId": 1, "query": {"parent": f"{database}/documents", "structuredQuery": query}}}
        stream = client.listen(
            iter([ListenRequest.from_json(json.dumps(target))]),
            metadata=[("authorization", f"Bearer {token(sub='a')}"), ("google-cloud-resource-prefix", database)])
        changes = []
        for answer in stream:
            changes.append(answer.target_change)
            if answer.target_change.cause.code or answer.target_change.target_change_type == 3:
                break
        stream.cancel()
        return changes[-1]

    assert first_answer("public").cause.code == 0
    refused = first_answer(None)
    assert refused.cause.code == 7 and "Property public is undefined" in refused.cause.message


def test_file(own_server, tmp_path):
    """Rules of a file are in force from the start, and anew when it changes; errors leave the old ones."""
    rules = tmp_path / "my.rules"
    rules.write_text(OWN)
    check = subprocess.run([os.environ["HIBACHI_BINARY"], "rules", "check", rules], capture_output=True, text=True)
    assert check.returncode == 0 and check.stdout == ""
    server = own_server
    server.process.terminate()
    server.process.wait()
    server.start("--ephemeral", "--rules", str(rules))
    assert ask(server, "GET", path("p", "users/a"))[0] == 403
    rules.write_text("service")
    check = subprocess.run([os.environ["HIBACHI_BINARY"], "rules", "check", rules], capture_output=True, text=True)
    assert check.returncode == 1 and f"{rules}:1:8: error: " in check.stdout
    time.sleep(1.5)
    assert ask(server, "GET", path("p", "users/a"))[0] == 403
    rules.write_text(OWN.replace("request.auth.uid == uid", "true"))
    deadline = time.monotonic() + 10
    while ask(server, "GET", path("p", "users/a"))[0] == 403:
        assert time.monotonic() < deadline, "the file is not read again"
        time.sleep(0.1)


def test_python_sdk(server, project, client):
    """Administrators, which server SDKs are, pass."""
    assert set_rules(server, project, OWN)[0] == 200
    document = client.document("users/alice")
    document.set({"n": 1})
    assert document.get().to_dict() == {"n": 1}
