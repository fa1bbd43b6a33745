"""Storage as the SDKs for the web, iOS and Android use it, header by header."""

import base64
import hashlib
import http.client
import json
import re
import urllib.parse
import uuid

import pytest
from storage import OWNER, Answer, Bucket, Upload

MD5 = "XUFAKrxLKna5cZ2REBfFkg=="
CRC32C = "mnG7TA=="


@pytest.fixture
def bucket(server):
    bucket = Bucket(server)
    yield bucket
    bucket.connection.close()


def test_emulator(bucket):
    assert bucket("GET", "/v0/").json == {"emulator": "storage"}


def test_multipart(bucket):
    answer = bucket.put("a/b.txt", contentType="text/plain", metadata={"k": "v"})
    assert answer.status == 200, answer.body
    json = answer.json
    expected = {
        "name": "a/b.txt", "bucket": bucket.name, "size": "5", "contentType": "text/plain", "md5Hash": MD5,
        "crc32c": CRC32C, "metageneration": "1", "storageClass": "STANDARD", "contentEncoding": "identity",
        "contentDisposition": "inline", "metadata": {"k": "v"},
    }
    assert expected.items() <= json.items()
    assert uuid.UUID(json["downloadTokens"]).version == 4
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", json["timeCreated"])
    assert bucket.metadata("a/b.txt").json == json
    assert bucket.get("a/b.txt").body == b"hello"
    etag = base64.b64decode(json["etag"])
    assert etag[0] == 8 and etag[-2:] == b"\x10\x01"


@pytest.mark.parametrize("type", ['boundary="a=b"', "boundary='a=b'", "boundary=a=b; x=y"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("last", ["", "\r\n", "\n epilogue"])
def test_multipart_forms(bucket, type, end, last):
    content = b"x\r\n--a=bc\n-- \r\r\n\n"
    head = f"preamble{end}--a=b{end}content-type: application/json{end}x: y{end}{end}{{}}{end}--a=b{end}Content-Type: a/b{end}{end}"
    body = head.encode() + content + f"{end}--a=b--{last}".encode()
    fields = {"X-Goog-Upload-Protocol": "multipart", "Content-Type": f"multipart/related; {type}"}
    answer = bucket("POST", bucket.url() + "?name=m", body, fields)
    assert answer.status == 200, answer.body
    assert answer.json["contentType"] == "a/b"
    assert bucket.get("m").body == content


@pytest.mark.parametrize(
    "type, body, message",
    [
        ("text/plain", "x", "Bad content type. text/plain"),
        ("multipart/related", "x", "Bad content type. multipart/related"),
        ("multipart/related; boundary=b", "--b\r\nContent-Type: a/b\r\n\r\n{}\r\n--b--", "Unexpected number of parts"),
        ("multipart/related; boundary=b", "x", "Unexpected number of parts"),
        ("multipart/related; boundary=b", "--b\r\nContent-Type: a/b\r\n\r\n{}\r\n--b\r\nContent-Type: a/b\r\n\r\nx", "Unexpected"),
        ("multipart/related; boundary=b", "--b\r\nX: a\r\n\r\n{}\r\n--b\r\nX: b\r\n\r\nx\r\n--b--", "Missing content type."),
        ("multipart/related; boundary=b", "--b\r\nContent-Type: a/b\r\n\r\n{x\r\n--b\r\nContent-Type: b\r\n\r\nx\r\n--b--", "JSON"),
    ],
)
def test_bad_multipart(bucket, type, body, message):
    fields = {"X-Goog-Upload-Protocol": "multipart", "Content-Type": type}
    answer = bucket("POST", bucket.url() + "?name=m", body, fields)
    assert answer.status == 400 and message in answer.json["error"]["message"]
    assert bucket.get("m").status == 404


def test_media(bucket):
    answer = bucket("POST", bucket.url() + "?name=raw", b"abcd", {"Content-Type": "image/png"})
    assert answer.status == 200 and answer.json["contentType"] == "image/png" and answer.json["size"] == "4"
    assert bucket("POST", bucket.url(), b"abcd").status == 400
    broken = b"{" * 1_000_000
    assert bucket("POST", bucket.url() + "?name=j.json", broken, {"Content-Type": "application/json"}).status == 200
    assert bucket.get("j.json").body == broken
    empty = bucket.put("empty", b"").json
    assert (empty["size"], empty["md5Hash"], empty["crc32c"]) == ("0", "1B2M2Y8AsgTpgAmY7PhCfg==", "AAAAAA==")
    assert bucket.get("empty").body == b""


def test_checksums(bucket):
    other = base64.b64encode(hashlib.md5(b"other").digest()).decode()
    assert bucket.put("x", md5Hash=other).status == 400
    assert bucket.get("x").status == 404
    assert bucket.put("x", md5Hash=MD5, crc32c=CRC32C).status == 200
    wrong = {"x-goog-hash": f"crc32c=AAAAAA==,md5={MD5}"}
    assert bucket("POST", bucket.url() + "?name=x", b"hello", wrong).status == 400
    assert bucket.get("x").body == b"hello"


NAMES = [" sp ace", "a+b", "a%2Bb", "日本", "a/../b", "../../etc/passwd", "q?#&", "x'()*!~", "a//b", "nul\0name", "x" * 1024,
         "café", "cafe\u0301", "a%", "%2F", "a/compose"]


def test_names(bucket):
    for name in NAMES:
        assert bucket.put(name, name.encode()).status == 200, name
    for name in NAMES:
        assert bucket.get(name).body == name.encode()
        assert bucket.metadata(name).json["name"] == name
    items = [item["name"] for item in bucket("GET", bucket.url()).json["items"]]
    assert items == sorted((n for n in NAMES if "//" not in n), key=lambda n: n.encode())
    for name in NAMES:
        assert bucket("DELETE", bucket.url(name)).status == 204
        assert bucket.get(name).status == 404
    for name in [".", "..", "a\nb", "a\rb", "x" * 1025, ".well-known/acme-challenge/x"]:
        assert bucket("POST", bucket.url() + "?name=" + urllib.parse.quote(name, safe=""), b"x").status == 400, name


def test_download(bucket):
    json = bucket.put("a/é.txt", contentType="text/plain").json
    answer = bucket.get("a/é.txt")
    fields = answer.fields
    assert (answer.status, answer.body, fields["Content-Length"]) == (200, b"hello", "5")
    assert fields["Content-Type"] == "text/plain" and fields["Accept-Ranges"] == "bytes"
    assert fields["X-Goog-Hash"] == f"crc32c={CRC32C},md5={MD5}"
    assert fields["X-Goog-Generation"] == json["generation"] and fields["X-Goog-Metageneration"] == "1"
    assert fields["Content-Disposition"] == "inline; filename*=utf-8''%C3%A9.txt"
    assert {"ETag", "Last-Modified"} <= answer.names
    head = bucket("HEAD", bucket.url("a/é.txt", alt="media"))
    assert (head.status, head.body, head.fields["Content-Length"]) == (200, b"", "5")
    assert bucket.get("missing").json == {"error": {"code": 404, "message": "Not Found."}}


@pytest.mark.parametrize(
    "range, status, body, content_range",
    [
        ("bytes=1-3", 206, b"ell", "bytes 1-3/5"), ("bytes=3-", 206, b"lo", "bytes 3-4/5"),
        ("bytes=-2", 206, b"lo", "bytes 3-4/5"), ("bytes=0-999", 206, b"hello", "bytes 0-4/5"),
        ("bytes=-999", 206, b"hello", "bytes 0-4/5"), ("bytes=5-", 416, b"", "bytes */5"),
        ("bytes=3-1", 200, b"hello", None), ("bytes=x", 200, b"hello", None), ("bytes=0-1,3-4", 200, b"hello", None),
        ("bytes=99999999999999999999-", 416, b"", "bytes */5"), ("bytes=-", 200, b"hello", None),
    ],
)
def test_ranges(bucket, range, status, body, content_range):
    bucket.put("a")
    answer = bucket.get("a", {"Range": range})
    assert (answer.status, answer.body, answer.fields["Content-Range"]) == (status, body, content_range)


def test_conditions(bucket):
    bucket.put("a")
    fields = bucket.get("a").fields
    etag, date = fields["ETag"], fields["Last-Modified"]
    assert bucket.get("a", {"If-None-Match": etag}).status == 304
    assert bucket.get("a", {"If-None-Match": '"other"'}).status == 200
    assert bucket.get("a", {"If-Modified-Since": date}).status == 304
    assert bucket.get("a", {"If-Match": '"other"'}).status == 412
    assert bucket.get("a", {"If-Match": etag}).status == 200
    assert bucket.get("a", {"If-Range": '"other"', "Range": "bytes=1-"}).status == 200
    assert bucket.get("a", {"If-Range": etag, "Range": "bytes=1-"}).body == b"ello"


def test_tokens(bucket):
    token = bucket.put("a").json["downloadTokens"]
    answer = bucket("GET", bucket.url("a", alt="media", token=token), owner=False)
    assert answer.body == b"hello"
    two = bucket("POST", bucket.url("a", create_token="true")).json["downloadTokens"].split(",")
    assert len(two) == 2 and two[0] == token
    assert bucket("POST", bucket.url("a", create_token="1")).status == 400
    refused = bucket("POST", bucket.url("a", create_token="true"), owner=False)
    assert refused.status == 403 and refused.json["error"]["message"] == "Missing admin credentials."
    assert bucket("POST", bucket.url("a", delete_token=token)).json["downloadTokens"] == two[1]
    assert bucket("POST", bucket.url("a", delete_token="none")).json["downloadTokens"] == two[1]
    last = bucket("POST", bucket.url("a", delete_token=two[1])).json["downloadTokens"]
    assert last not in two and "," not in last
    assert bucket("POST", bucket.url("b", create_token="true")).status == 404
    given = bucket.put("c", metadata={"firebaseStorageDownloadTokens": "t1,t2", "k": "v"}).json
    assert given["downloadTokens"] == "t1,t2" and given["metadata"] == {"k": "v"}


def test_patch(bucket):
    before = bucket.put("a", metadata={"k": "v"}).json

    def patch(json, method="PATCH", **fields):
        return bucket(method, bucket.url("a"), __import__("json").dumps(json), fields)

    after = patch({"cacheControl": "no-store", "metadata": {"a": "1"}})
    assert after.fields["Cache-Control"] == "no-store"
    after = after.json
    assert after["metageneration"] == "2" and after["generation"] == before["generation"]
    assert after["etag"] != before["etag"] and after["metadata"] == {"a": "1", "k": "v"}
    after = patch({"cacheControl": None, "metadata": {"a": None, "b": 2, "c": True}}).json
    assert "cacheControl" not in after and after["metadata"] == {"k": "v", "b": "2", "c": "true"}
    readonly = {"kind": None, "etag": None, "crc32c": None, "downloadTokens": None, "storageClass": None, "size": "9"}
    assert patch(readonly).json["downloadTokens"] == before["downloadTokens"]
    assert patch(readonly).json["size"] == "5"
    after = patch({"metadata": None, "contentType": None}, "PUT", **{"X-HTTP-Method-Override": "PATCH"}).json
    assert "metadata" not in after and after["downloadTokens"] == before["downloadTokens"]
    assert after["contentType"] == "application/octet-stream"
    assert patch([]).status == 400
    assert bucket("PATCH", bucket.url("none"), "{}").status == 404
    evil = patch({"contentDisposition": "x\r\nSet-Cookie: a", "contentLanguage": "é"})
    assert "Set-Cookie" not in evil.names and bucket.get("a").fields["Content-Language"] == "%C3%A9"


def test_delete(bucket):
    bucket.put("a")
    answer = bucket("DELETE", bucket.url("a"))
    assert answer.status == 204 and answer.body == b""
    assert bucket("DELETE", bucket.url("a")).status == 404


def test_list(bucket):
    assert bucket("GET", bucket.url()).json == {"prefixes": [], "items": []}
    for name in ["d/1", "d/2", "d/s/x", "e/", "top", "listAll//foo", "listAll/bar//", "listAll/baz//qux"]:
        bucket.put(name)

    def names(**query):
        json = bucket("GET", bucket.url(**query)).json
        assert all(item["bucket"] == bucket.name for item in json["items"])
        return json["prefixes"], [item["name"] for item in json["items"]], json.get("nextPageToken")

    assert names(delimiter="/") == (["d/", "e/", "listAll/"], ["top"], None)
    assert names(prefix="d/", delimiter="/") == (["d/s/"], ["d/1", "d/2"], None)
    assert names(prefix="e/", delimiter="/") == ([], [], None)
    assert names(prefix="listAll/", delimiter="/") == (["listAll/bar/", "listAll/baz/"], [], None)
    assert names(prefix="") == ([], ["d/1", "d/2", "d/s/x", "top"], None)
    error = bucket("GET", bucket.url(prefix="d"))
    assert error.status == 400
    assert error.json["error"]["message"] == (
        "The prefix parameter is required to be empty or ends with a single / character.")
    assert bucket("GET", bucket.url(pageToken="!")).status == 400
    found, token, pages = [], None, 0
    while True:
        page = names(prefix="d/", delimiter="/", maxResults=1, **({"pageToken": token} if token else {}))
        found += page[0] + page[1]
        token, pages = page[2], pages + 1
        if token is None:
            break
    assert found == ["d/1", "d/2", "d/s/"] and pages == 3


@pytest.mark.parametrize("sdk", ["web", "ios", "android"])
def test_resumable(bucket, sdk):
    content = bytes(range(256)) * 1025
    body = {"web": '{"name":"r","contentType":"text/plain"}', "ios": '{"bucket":"","metadata":null}', "android": None}[sdk]
    upload = Upload(bucket, "r", sdk, len(content), body)
    assert upload.url.startswith(
        f"http://127.0.0.1:{bucket.connection.port}/v0/b/{bucket.name}/o?name=r&upload_id=")
    first = upload("upload", content[:262144], 0)
    assert (first.status, first.upload_status, first.received) == (200, "active", "262144")
    query = upload("query")
    assert (query.status, query.upload_status, query.received) == (200, "active", "262144")
    again = upload("upload", content[:262144], 0)
    assert (again.status, again.received) == (200, "262144")
    gap = upload("upload", b"x", 999999)
    assert (gap.status, gap.upload_status, gap.received) == (400, "active", "262144")
    last = upload("upload, finalize", content[262144 - 10:], 262144 - 10)
    assert (last.status, last.upload_status) == (200, "final"), last.body
    assert last.json["md5Hash"] == base64.b64encode(hashlib.md5(content).digest()).decode()
    repeated = upload("upload, finalize", content[262144:], 262144)
    assert (repeated.status, repeated.upload_status, repeated.json) == (200, "final", last.json)
    done = upload("query")
    assert (done.status, done.upload_status, done.received) == (200, "final", str(len(content)))
    assert upload("upload", b"x").status == 400 and upload("cancel").status == 400
    assert bucket.get("r").body == content
    assert bucket.metadata("r").json["generation"] == last.json["generation"]


def test_resumable_end(bucket):
    upload = Upload(bucket, "r", "web", 0)
    assert upload("upload", b"abc", 0).status == 200
    assert upload("cancel").upload_status == "cancelled" and upload("cancel").status == 200
    assert upload("upload", b"abc").status == 400 and upload("query").upload_status == "cancelled"
    empty = Upload(bucket, "e", "ios", 0)
    assert empty("finalize").json["size"] == "0"
    wrong = Upload(bucket, "w", "web", 100)
    refused = wrong("upload, finalize", b"abc", 0)
    assert (refused.status, refused.upload_status) == (400, "final")
    assert wrong("finalize").status == 400 and bucket.get("w").status == 404
    bad = Upload(bucket, "h", "web", 5, json.dumps({"md5Hash": "AAAA"}))
    assert bad("upload,finalize", b"hello", 0).status == 400
    path = bucket.url() + "?name=r"
    command = {"X-Goog-Upload-Command": "upload"}
    assert bucket("POST", path + "&upload_id=" + "0" * 32, b"", command).status == 404
    assert bucket("POST", path, b"", command).status == 400


def test_upload_url_follows_the_client(bucket):
    fields = {"X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start", "Host": "10.0.2.2:9199"}
    answer = bucket("POST", bucket.url() + "?name=a%2Fb", None, fields)
    assert answer.fields["X-Goog-Upload-URL"].startswith("http://10.0.2.2:9199/v0/b/")


def test_broken_upload_is_kept_so_far(bucket, server):
    upload = Upload(bucket, "r", "android", 0)
    other = http.client.HTTPConnection(server.host, server.storage_port, timeout=20)
    other.putrequest("POST", "/" + upload.url.split("/", 3)[3])
    other.putheader("X-Goog-Upload-Command", "upload, finalize")
    other.putheader("X-Goog-Upload-Offset", "0")
    other.putheader("Content-Length", "3000000")
    other.endheaders()
    content = bytes(3_000_000)
    other.send(content[:2_000_000])
    other.close()
    received = int(upload("query").received)
    last = upload("upload, finalize", content[received:], received)
    assert last.status == 200 and last.json["size"] == "3000000", last.body
    assert last.json["md5Hash"] == base64.b64encode(hashlib.md5(content).digest()).decode()


def test_cross_origin(bucket):
    origin = {"Origin": "https://app.example"}
    asked = origin | {"Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "x",
                      "Access-Control-Request-Private-Network": "true"}
    answer = bucket("OPTIONS", bucket.url("a"), None, asked)
    assert answer.status in (200, 204) and answer.fields["Access-Control-Allow-Origin"] == "https://app.example"
    assert answer.fields["Access-Control-Allow-Headers"] == "x"
    assert {"PUT", "PATCH"} <= set(re.split(", *", answer.fields["Access-Control-Allow-Methods"]))
    assert answer.fields["Access-Control-Allow-Private-Network"] == "true"
    missing = bucket("GET", bucket.url("a"), None, origin)
    assert missing.status == 404 and missing.fields["Access-Control-Allow-Origin"] == "https://app.example"
    exposed = set(re.split(", *", missing.fields["Access-Control-Expose-Headers"]))
    assert {"X-Goog-Upload-Status", "X-Goog-Upload-URL", "X-Goog-Upload-Size-Received"} <= exposed


@pytest.mark.parametrize("authorization", [None, "Firebase owner", "Firebase a.b.", "Bearer garbage", "x"])
def test_everybody_is_admitted(bucket, authorization):
    fields = {"Authorization": authorization} if authorization else {}
    path = bucket.url() + "?name=a"
    assert bucket("POST", path, b"hello", fields, owner=False).status == 200
    assert bucket("GET", bucket.url("a", alt="media"), None, fields, owner=False).body == b"hello"


def test_readers_finish(bucket, server):
    content = bytes(range(256)) * 80_000
    bucket.put("big", content)
    other = http.client.HTTPConnection(server.host, server.storage_port, timeout=20)
    other.request("GET", bucket.url("big", alt="media"))
    response = other.getresponse()
    start = response.read(1000)
    bucket.put("big", b"new")
    assert start + response.read() == content
    other.close()
    assert bucket.get("big").body == b"new"
    bucket("DELETE", bucket.url("big"))


def test_big_upload(bucket, server):
    if server.process is None:
        pytest.skip("another's process")

    def resident():
        with open(f"/proc/{server.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

    before = resident()
    piece = bytes(1 << 20)
    path = bucket.url() + "?name=big"
    pieces = 200

    def body():
        for _ in range(pieces):
            yield piece

    bucket.connection.request("POST", path, body(), OWNER | {"Content-Length": str(pieces << 20)})
    answer = Answer(bucket.connection.getresponse())
    assert answer.status == 200 and answer.json["size"] == str(pieces << 20)
    bucket.connection.request("GET", bucket.url("big", alt="media"))
    response = bucket.connection.getresponse()
    count = 0
    while piece := response.read(1 << 20):
        count += len(piece)
    assert count == pieces << 20
    assert resident() - before < 32 << 10
    bucket("DELETE", bucket.url("big"))
