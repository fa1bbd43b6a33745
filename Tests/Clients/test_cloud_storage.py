"""Cloud Storage through the unchanged client of google-cloud-storage, told where the server is the way its users tell it."""

import concurrent.futures
import gzip
import io
import json
import urllib.request
import uuid

import pytest
import requests
from google.api_core import exceptions
from google.auth import credentials
from google.cloud import storage

CONTENT = bytes(range(256)) * 5000


@pytest.fixture
def client(server, monkeypatch):
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", f"http://{server.host}:{server.storage_port}")
    return storage.Client(project="demo-storage", credentials=credentials.AnonymousCredentials())


@pytest.fixture
def bucket(client):
    return client.create_bucket(f"bkt-{uuid.uuid4().hex[:12]}")


@pytest.fixture
def base(server):
    return f"http://{server.host}:{server.storage_port}"


def test_buckets(client, base):
    name = f"bkt-{uuid.uuid4().hex[:12]}"
    bucket = client.create_bucket(name, location="eu")
    assert (bucket.location, bucket.location_type, bucket.storage_class) == ("EU", "multi-region", "STANDARD")
    with pytest.raises(exceptions.Conflict):
        client.create_bucket(name)
    bucket.labels = {"a": "1", "b": "2"}
    bucket.versioning_enabled = False
    bucket.add_lifecycle_delete_rule(age=2)
    bucket.cors = [{"origin": ["*"], "method": ["GET"]}]
    bucket.patch()
    again = client.get_bucket(name)
    assert again.labels == {"a": "1", "b": "2"} and again.metageneration == 2
    assert list(again.lifecycle_rules)[0]["condition"] == {"age": 2}
    assert again.cors == [{"origin": ["*"], "method": ["GET"]}]
    labels = again.labels
    del labels["a"]
    again.labels = labels
    again.patch()
    assert client.get_bucket(name).labels == {"b": "2"}
    again.update()
    with pytest.raises(exceptions.PreconditionFailed):
        bucket.patch(if_metageneration_match=99)
    assert name in [each.name for each in client.list_buckets(prefix=name[:8])]
    assert client.lookup_bucket("no-such-bucket") is None
    bucket.blob("x").upload_from_string("x")
    with pytest.raises(exceptions.Conflict):
        bucket.delete()
    bucket.delete(force=True)
    assert not bucket.exists()
    for bad in ("ab", "UPPER", "goog-x", "1.2.3.4", "-abc", "a" * 64, "a..b"):
        assert requests.post(f"{base}/storage/v1/b?project=p", json={"name": bad}).status_code == 400, bad


def test_pages_of_buckets(client, base):
    prefix = f"page-{uuid.uuid4().hex[:8]}"
    names = [f"{prefix}-{n}" for n in range(5)]
    for name in names:
        client.create_bucket(name)
    assert [bucket.name for bucket in client.list_buckets(prefix=prefix, page_size=2)] == names
    page = requests.get(f"{base}/b?prefix={prefix}&maxResults=2").json()
    assert len(page["items"]) == 2 and page["nextPageToken"]
    assert requests.get(f"{base}/storage/v1/b?prefix=none-such").json() == {"kind": "storage#buckets"}


@pytest.mark.parametrize("base_path", ["/storage/v1", ""])
def test_paths(bucket, base, base_path):
    upload = f"{base}/upload{base_path}/b/{bucket.name}/o?uploadType=media&name=a%2Fb"
    answer = requests.post(upload, data=b"hello", headers={"Content-Type": "text/plain"})
    item = answer.json()
    assert item["kind"] == "storage#object" and item["id"] == f"{bucket.name}/a/b/{item['generation']}"
    assert item["mediaLink"] == f"{base}/download/storage/v1/b/{bucket.name}/o/a%2Fb?generation={item['generation']}&alt=media"
    assert requests.get(item["mediaLink"]).text == "hello"
    assert requests.get(item["selfLink"]).json() == item
    assert requests.get(f"{base}{base_path}/b/{bucket.name}/o/a%2Fb?alt=media").text == "hello"
    assert requests.get(f"{base}{base_path}/b/{bucket.name}/o/a/b").json() == item
    assert requests.get(f"{base}/download{base_path}/b/{bucket.name}/o/a%2Fb").text == "hello"
    missing = requests.get(f"{base}{base_path}/b/{bucket.name}/o/none").json()["error"]
    assert missing["code"] == 404 and missing["errors"][0]["reason"] == "notFound"
    assert missing["message"] == f"No such object: {bucket.name}/none"
    missing = requests.get(f"{base}{base_path}/b/none-such")
    assert missing.status_code == 404 and missing.json()["error"]["errors"][0]["reason"] == "notFound"


def test_objects(bucket):
    blob = bucket.blob("dir/é ü+?#.txt")
    blob.metadata = {"color": "red"}
    blob.cache_control = "no-store"
    blob.upload_from_string("hello", content_type="text/plain", checksum="crc32c")
    assert (blob.size, blob.md5_hash, blob.crc32c) == (5, "XUFAKrxLKna5cZ2REBfFkg==", "mnG7TA==")
    again = bucket.get_blob(blob.name)
    assert (again.metadata, again.cache_control, again.content_type) == ({"color": "red"}, "no-store", "text/plain")
    assert again.download_as_bytes() == b"hello" and again.download_as_bytes(start=1, end=3) == b"ell"
    again.metadata = {"color": None, "size": "L"}
    again.content_disposition = "inline"
    again.patch()
    assert bucket.get_blob(blob.name).metadata == {"size": "L"}
    assert again.metageneration == 2 and again.generation == blob.generation
    again.update()
    blob.delete()
    assert not blob.exists() and bucket.get_blob(blob.name) is None
    with pytest.raises(exceptions.NotFound):
        blob.delete()
    bucket.blob("empty").upload_from_string("")
    assert bucket.blob("empty").download_as_bytes() == b""


@pytest.mark.parametrize("size", [0, 1, 262144, 262145, 1_000_000])
@pytest.mark.parametrize("known", [True, False])
def test_resumable(bucket, size, known):
    content = (CONTENT * 2)[:size]
    blob = bucket.blob("big", chunk_size=262144)
    stream = io.BytesIO(content)
    if known:
        session = blob.create_resumable_upload_session(size=size, content_type="a/b")
        assert "upload_id=" in session
        blob.upload_from_file(stream, size=size, content_type="a/b")
    else:
        with blob.open("wb", ignore_flush=True) as file:
            file.write(content)
    assert bucket.get_blob("big").size == size
    assert bucket.blob("big").download_as_bytes(checksum="md5") == content


def put(session, content, range, **fields):
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    if range:
        fields["Content-Range"] = range
    return requests.put(session, data=content, headers=fields, allow_redirects=False)


def test_ranges_of_uploads(bucket, base):
    def start(name="r", **headers):
        path = f"{base}/upload/storage/v1/b/{bucket.name}/o?uploadType=resumable&name={name}"
        answer = requests.post(path, data="{}", headers={name.replace("_", "-"): value for name, value in headers.items()})
        assert answer.status_code == 200 and answer.content == b"", answer.text
        assert answer.headers["Location"].startswith(f"{base}/upload/storage/v1/b/{bucket.name}/o?")
        return answer.headers["Location"]

    session = start()
    query = put(session, b"", "bytes */*")
    assert query.status_code == 308 and "Range" not in query.headers
    part = put(session, CONTENT[:262144], "bytes 0-262143/*")
    assert (part.status_code, part.headers["Range"]) == (308, "bytes=0-262143") and "Location" not in part.headers
    quiet = put(session, b"", "bytes */*", X_GUploader_No_308="yes")
    assert (quiet.status_code, quiet.headers["X-HTTP-Status-Code-Override"]) == (200, "308")
    assert put(session, b"xyz", "bytes 300000-300002/300003").headers["Range"] == "bytes=0-262143"
    assert put(session, b"xyz", "bytes 300000-*/*").status_code == 308
    assert put(session, b"", "bytes */262145").status_code == 308
    assert put(session, b"x", "bytes */*").status_code == 400
    for bad in ("bytes 5-4/10", "bytes 0-9/5", "bytes x/*", "0-1/2", "bytes -1-2/*", "bytes 0-1"):
        assert put(session, b"", bad).status_code == 400, bad
    last = put(session, CONTENT[262140:262147], "bytes 262140-262146/262147")
    assert last.status_code == 200 and last.json()["size"] == "262147"
    assert put(session, b"", "bytes */262147").json() == last.json()
    assert put(session, b"", "bytes */*").json() == last.json()
    assert put(start(), CONTENT, "bytes 0-*/*").json()["size"] == str(len(CONTENT))
    assert put(start(), CONTENT, f"bytes 0-*/{len(CONTENT)}").json()["size"] == str(len(CONTENT))
    assert put(start(), CONTENT, None).json()["size"] == str(len(CONTENT))
    assert put(start(), b"", "bytes */0").json()["size"] == "0"
    session = start()
    assert requests.delete(session).status_code == 499
    assert put(session, b"x", "bytes 0-0/1").status_code == 499
    assert requests.delete(session).status_code == 404
    assert put(session.replace("upload_id=", "upload_id=0"), b"x", None).status_code == 404
    wrong = put(start(), b"hello", "bytes 0-4/5", X_Goog_Hash="crc32c=AAAAAA==")
    assert wrong.status_code == 400 and wrong.json()["error"]["errors"][0]["reason"] == "invalid"
    typed = put(start(X_Upload_Content_Type="image/png"), b"x", None).json()
    assert typed["contentType"] == "image/png"


def test_uploads_that_are_refused(bucket, base):
    path = f"{base}/upload/storage/v1/b/{bucket.name}/o"
    assert requests.post(f"{path}?uploadType=media", data=b"x").status_code == 400
    assert requests.post(f"{path}?uploadType=what&name=a", data=b"x").status_code == 400
    answer = requests.post(f"{path}?uploadType=media&name=a", data=b"x", headers={"X-Goog-Hash": "md5=AAAA"})
    assert answer.status_code == 400 and answer.json()["error"]["errors"][0]["reason"] == "invalid"
    assert bucket.get_blob("a") is None
    parts = '--==0==\nContent-Type: application/json\n\n{"name":"m","md5Hash":"%s"}\n--==0==\nContent-Type: a/b\n\nhello\n--==0==--'
    type = {"Content-Type": 'multipart/related; boundary="==0=="'}
    good = requests.post(f"{path}?uploadType=multipart", data=parts % "XUFAKrxLKna5cZ2REBfFkg==", headers=type)
    assert good.status_code == 200 and good.json()["contentType"] == "a/b", good.text
    assert requests.post(f"{path}?uploadType=multipart", data=parts % "AAAA", headers=type).status_code == 400
    assert requests.post(f"{path}?uploadType=multipart&name=n", data=parts % "AAAA", headers=type).status_code == 400


def test_conditions(bucket, base):
    blob = bucket.blob("c")
    blob.upload_from_string("1", if_generation_match=0)
    with pytest.raises(exceptions.PreconditionFailed):
        blob.upload_from_string("2", if_generation_match=0)
    with pytest.raises(exceptions.PreconditionFailed):
        bucket.blob("none").upload_from_string("2", if_generation_match=5)
    blob.upload_from_string("2", if_generation_match=blob.generation)
    with pytest.raises(exceptions.PreconditionFailed):
        blob.reload(if_generation_match=1)
    with pytest.raises(exceptions.PreconditionFailed):
        blob.patch(if_metageneration_match=99)
    with pytest.raises(exceptions.PreconditionFailed):
        blob.delete(if_generation_match=1)
    url = f"{base}/storage/v1/b/{bucket.name}/o/c"
    failed = requests.patch(f"{url}?ifMetagenerationMatch=9", json={}).json()["error"]
    assert failed["code"] == 412 and failed["errors"][0]["reason"] == "conditionNotMet"
    for parameter in (f"ifGenerationNotMatch={blob.generation}", "ifMetagenerationNotMatch=1"):
        assert requests.get(f"{url}?{parameter}").status_code == 304
        assert requests.get(f"{url}?{parameter}&alt=media").status_code == 304
    assert requests.get(f"{url}?generation=1").status_code == 404
    assert requests.get(f"{url}?generation=1&alt=media").status_code == 404
    assert requests.get(f"{url}?generation=0").status_code == 200
    assert requests.get(f"{url}?ifGenerationMatch=x").status_code == 400
    assert requests.delete(f"{url}?generation=1").status_code == 404
    etag = requests.get(url).json()["etag"]
    assert requests.get(url, headers={"If-None-Match": etag}).status_code == 304

    def create(_):
        path = f"{base}/upload/storage/v1/b/{bucket.name}/o?uploadType=media&name=lock&ifGenerationMatch=0"
        return requests.post(path, data=b"x").status_code

    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        statuses = list(pool.map(create, range(50)))
    assert sorted(statuses) == [200] + [412] * 49


def test_copies(bucket, client, base):
    blob = bucket.blob("source")
    blob.metadata = {"k": "v"}
    blob.upload_from_string(CONTENT, content_type="a/b")
    copy = bucket.copy_blob(blob, bucket, "copy")
    assert (copy.size, copy.md5_hash, copy.content_type, copy.metadata) == (blob.size, blob.md5_hash, "a/b", {"k": "v"})
    other = client.create_bucket(f"bkt-{uuid.uuid4().hex[:12]}")
    target = other.blob("a/rewritten")
    token, done, total = target.rewrite(blob)
    assert (token, done, total) == (None, len(CONTENT), len(CONTENT))
    assert target.download_as_bytes() == CONTENT
    target.update_storage_class("NEARLINE")
    assert other.get_blob("a/rewritten").storage_class == "NEARLINE"
    renamed = bucket.rename_blob(bucket.blob("copy"), "renamed")
    assert renamed.exists() and not bucket.blob("copy").exists()
    with pytest.raises(exceptions.NotFound):
        bucket.copy_blob(bucket.blob("none"), bucket, "x")
    moved = bucket.move_blob(bucket.blob("renamed"), "moved")
    assert moved.generation != renamed.generation and moved.md5_hash == blob.md5_hash
    assert bucket.blob("moved").download_as_bytes() == CONTENT and not bucket.blob("renamed").exists()
    with pytest.raises(exceptions.PreconditionFailed):
        bucket.move_blob(bucket.blob("moved"), "x", if_source_generation_match=1)
    bucket.move_blob(bucket.blob("moved"), "moved")
    assert bucket.blob("moved").download_as_bytes() == CONTENT
    path = f"{base}/storage/v1/b/{bucket.name}/o"
    answer = requests.post(f"{path}/source/rewriteTo/b/{other.name}/o/r").json()
    assert list(answer) == ["kind", "totalBytesRewritten", "objectSize", "done", "resource"]
    url, calls, token = f"{path}/source/rewriteTo/b/{other.name}/o/slow?maxBytesRewrittenPerCall=500000", [], ""
    while True:
        answer = requests.post(url + token).json()
        calls.append(answer["totalBytesRewritten"])
        if answer["done"]:
            break
        token = "&rewriteToken=" + answer["rewriteToken"]
    assert calls == ["500000", "1000000", "1280000"] and other.blob("slow").download_as_bytes() == CONTENT
    assert requests.post(url + "&rewriteToken=AAAA").status_code == 400
    assert requests.post(f"{path}/source/copyTo/b/{bucket.name}/o/x?ifSourceGenerationMatch=1").status_code == 412
    assert requests.post(f"{path}/source/copyTo/b/{bucket.name}/o/source?ifGenerationMatch=0").status_code == 412
    changed = requests.post(f"{path}/source/copyTo/b/{bucket.name}/o/y", json={"metadata": {"n": None}}).json()
    assert changed["metadata"] == {"n": ""} and changed["contentType"] == "a/b"


def test_compose(bucket, base):
    for name, text in ("a", "hello"), ("b", " world"):
        bucket.blob(name).upload_from_string(text, content_type="text/plain")
    whole = bucket.blob("whole")
    whole.compose([bucket.blob("a"), bucket.blob("b")])
    whole.reload()
    assert (whole.crc32c, whole.md5_hash, whole.component_count, whole.size) == ("yZRlqg==", None, 2, 11)
    assert whole.content_type is None and whole.download_as_bytes() == b"hello world"
    twice = bucket.blob("twice")
    twice.content_type = "c/d"
    twice.compose([whole, whole, bucket.blob("a")])
    assert (twice.component_count, twice.size, twice.content_type) == (5, 27, "c/d")
    with pytest.raises(exceptions.NotFound):
        whole.compose([bucket.blob("a"), bucket.blob("none")])
    with pytest.raises(exceptions.PreconditionFailed):
        whole.compose([bucket.blob("a")], if_source_generation_match=[1])
    with pytest.raises(exceptions.PreconditionFailed):
        whole.compose([bucket.blob("a")], if_generation_match=0)
    with pytest.raises(exceptions.BadRequest):
        whole.compose([bucket.blob("a")] * 33)
    body = {"sourceObjects": [{"name": "a"}, {"name": "b"}], "deleteSourceObjects": True}
    assert requests.post(f"{base}/b/{bucket.name}/o/moved/compose", json=body).json()["size"] == "11"
    assert [blob.name for blob in bucket.list_blobs()] == ["moved", "twice", "whole"]
    # Composed ones can be copied and shown to Firebase.
    assert bucket.copy_blob(whole, bucket, "copy").component_count == 2
    shown = requests.get(f"{base}/v0/b/{bucket.name}/o/whole").json()
    assert "md5Hash" not in shown and shown["crc32c"] == "yZRlqg=="


P, P1, P2, PD, T = "prefix", "prefix/1.txt", "prefix/2.txt", "prefix/dir/file.txt", "testing/shoveler.svg"


@pytest.fixture(scope="module")
def listed(server):
    name, base = f"bkt-{uuid.uuid4().hex[:12]}", f"http://{server.host}:{server.storage_port}"
    for blob in [P, P1, P2, PD, T]:
        requests.post(f"{base}/upload/storage/v1/b/{name}/o", params={"uploadType": "media", "name": blob}, data=b"x")
    return f"{base}/storage/v1/b/{name}/o"


@pytest.mark.parametrize(
    "prefix, delimiter, items, prefixes",
    [
        ("", "", [P, P1, P2, PD, T], None), ("prefix", "", [P, P1, P2, PD], None),
        ("", "/", [P], ["prefix/", "testing/"]), ("", "dir", [P, P1, P2, T], ["prefix/dir"]),
        ("p", "p", [P, P1, P2, PD], None), ("t", "t", None, ["test"]),
        ("p", "t", [P], ["prefix/1.t", "prefix/2.t", "prefix/dir/file.t"]),
        ("prefix/", "/", [P1, P2], ["prefix/dir/"]), ("prefix/", "", [P1, P2, PD], None),
        ("testing/", "", [T], None), ("blah/", "", None, None), ("pref", "i", None, ["prefi"]),
        ("prefi", "i", [P, P1, P2], ["prefix/di"]),
    ],
)
def test_lists(listed, prefix, delimiter, items, prefixes):
    answer = requests.get(listed, params={"prefix": prefix, "delimiter": delimiter}).json()
    assert answer["kind"] == "storage#objects" and "nextPageToken" not in answer
    assert [item["name"] for item in answer["items"]] == items if items else "items" not in answer
    assert answer.get("prefixes") == prefixes
    entries, token = 0, ""
    for _ in range(20):
        page = requests.get(listed, params={"prefix": prefix, "delimiter": delimiter, "maxResults": 1, "pageToken": token}).json()
        entries += len(page.get("items", [])) + len(page.get("prefixes", []))
        if not (token := page.get("nextPageToken")):
            break
    assert entries == len(items or []) + len(prefixes or [])


@pytest.mark.parametrize(
    "query, names",
    [
        ({"startOffset": "prefix/1.txt", "endOffset": "testing"}, [P1, P2, PD]), ({"endOffset": "prefix/"}, [P]),
        ({"matchGlob": "**.txt"}, [P1, P2, PD]), ({"matchGlob": "prefix/*.txt"}, [P1, P2]),
        ({"matchGlob": "prefix/[12].txt"}, [P1, P2]), ({"matchGlob": "prefix/[!1].txt"}, [P2]),
        ({"matchGlob": "{prefix,testing/*.svg}"}, [P, T]), ({"matchGlob": "prefi?"}, [P]), ({"matchGlob": "*"}, [P]),
        ({"maxResults": "0"}, [P, P1, P2, PD, T]),
    ],
)
def test_names_that_are_wanted(listed, query, names):
    assert [item["name"] for item in requests.get(listed, params=query).json().get("items", [])] == names


def test_more_lists(listed, bucket, client, base):
    for query in ({"pageToken": "!"}, {"maxResults": "-1"}, {"maxResults": "x"}, {"matchGlob": "[z-a]"}, {"matchGlob": "{a"},
                  {"matchGlob": "{a,b}" * 20}, {"fields": "items("}):
        assert requests.get(listed, params=query).status_code == 400, query
    page = requests.get(listed, params={"fields": "items(name,size),nextPageToken", "maxResults": "2"}).json()
    assert page["items"] == [{"name": P, "size": "1"}, {"name": P1, "size": "1"}] and set(page) == {"items", "nextPageToken"}
    assert requests.get(listed, params={"fields": "items/name,kind"}).json()["items"][0] == {"name": P}
    assert set(requests.get(listed, params={"fields": "*"}).json()) == {"kind", "items"}
    assert requests.get(f"{base}/storage/v1/b/none-such/o").status_code == 404
    for name in ("a/", "a/b", "a/c/", "a/c/d"):
        bucket.blob(name).upload_from_string("x")
    blobs = client.list_blobs(bucket, prefix="a/", delimiter="/")
    assert [blob.name for blob in blobs] == ["a/", "a/b"] and blobs.prefixes == {"a/c/"}
    blobs = client.list_blobs(bucket, prefix="a/", delimiter="/", include_trailing_delimiter=True, page_size=1)
    assert [blob.name for blob in blobs] == ["a/", "a/b", "a/c/"] and blobs.prefixes == {"a/c/"}


def test_batches(bucket, client, base):
    for name in ("a", "b"):
        bucket.blob(name).upload_from_string(name)
    with client.batch(raise_exception=False) as batch:
        bucket.blob("a").delete()
        bucket.blob("none").delete()
        changed = bucket.blob("b")
        changed.metadata = {"k": "v"}
        changed.patch()
    assert [response.status_code for response in batch._responses] == [204, 404, 200]
    assert bucket.get_blob("a") is None and bucket.get_blob("b").metadata == {"k": "v"}
    part = "--x\nContent-Type: application/http\nContent-ID: <i+1>\n\nGET http://other/storage/v1/b/%s/o/b%s\n\n\n--x--" % (bucket.name, "%s")
    type = {"Content-Type": 'multipart/mixed; boundary="x"'}
    answer = requests.post(f"{base}/batch", data=part % "", headers=type)
    assert answer.status_code == 200 and "Content-ID: <response-i+1>" in answer.text and '"name":"b"' in answer.text
    assert "HTTP/1.1 400" in requests.post(f"{base}/batch", data=part % "?alt=media", headers=type).text
    assert requests.post(f"{base}/batch", data="x", headers=type).status_code == 400


def test_holds(bucket):
    blob = bucket.blob("held")
    blob.upload_from_string("x")
    blob.temporary_hold = True
    blob.patch()
    for refused in (blob.delete, lambda: blob.upload_from_string("y")):
        with pytest.raises(exceptions.Forbidden):
            refused()
    blob.temporary_hold = False
    blob.patch()
    blob.delete()


def test_gzip(bucket, base):
    packed = gzip.compress(CONTENT)
    blob = bucket.blob("z")
    blob.content_encoding = "gzip"
    blob.upload_from_string(packed)
    assert blob.download_as_bytes() == CONTENT and blob.download_as_bytes(raw_download=True) == packed
    path = f"{base}/upload/storage/v1/b/{bucket.name}/o?uploadType=media&name=y"
    assert requests.post(path, data=packed, headers={"Content-Encoding": "gzip"}).json()["contentEncoding"] == "gzip"
    parts = b"--b\r\nContent-Type: application/json\r\n\r\n{}\r\n--b\r\nContent-Type: a/b\r\n\r\nhello\r\n--b--"
    fields = {"Content-Encoding": "gzip", "Content-Type": "multipart/related; boundary=b"}
    path = path.replace("media&name=y", "multipart&name=x")
    assert "contentEncoding" not in requests.post(path, data=gzip.compress(parts), headers=fields).json()
    assert bucket.blob("x").download_as_bytes() == b"hello"
    answer = requests.patch(
        f"{base}/b/{bucket.name}/o/x", data=gzip.compress(b'{"cacheControl":"no-store"}'), headers={"Content-Encoding": "gzip"})
    assert answer.json()["cacheControl"] == "no-store"


def test_beside_firebase(bucket, base):
    bucket.blob("a").upload_from_string("hello")
    item = f"{base}/storage/v1/b/{bucket.name}/o/a"
    assert "metadata" not in requests.get(item).json()
    shown = requests.get(f"{base}/v0/b/{bucket.name}/o/a").json()
    assert shown["downloadTokens"] and shown["metageneration"] == "2" and "contentDisposition" not in shown
    assert requests.get(item).json()["metadata"] == {"firebaseStorageDownloadTokens": shown["downloadTokens"]}
    # Custom metadata go, tokens stay unless they are meant.
    assert requests.patch(item, json={"metadata": None}).json()["metadata"]["firebaseStorageDownloadTokens"]
    gone = requests.patch(item, json={"metadata": {"firebaseStorageDownloadTokens": None}})
    assert "metadata" not in gone.json()
    fields = requests.get(f"{item}?alt=media").headers
    assert "Content-Disposition" not in fields
    assert requests.post(f"{base}/v0/b/made-by-firebase/o?name=f", data=b"x").status_code == 200
    assert requests.get(f"{base}/b/made-by-firebase").json()["kind"] == "storage#bucket"


def test_metadata_in_downloads(bucket, base):
    blob = bucket.blob("m")
    blob.metadata = {"color": "red", "bad name": "x", "uni": "é"}
    blob.upload_from_string("x")
    fields = requests.get(f"{base}/download/storage/v1/b/{bucket.name}/o/m?alt=media").headers
    assert fields["x-goog-meta-color"] == "red" and fields["x-goog-meta-uni"] == "%C3%A9"
    assert fields["x-goog-hash"].startswith("crc32c=") and "x-goog-stored-content-encoding" in fields


@pytest.mark.parametrize("origin", ["https://app.example"])
def test_other_origins(bucket, base, origin):
    answer = requests.get(f"{base}/b/{bucket.name}/o/none", headers={"Origin": origin})
    assert answer.status_code == 404 and answer.headers["Access-Control-Allow-Origin"] == origin


def test_bodies_of_any_type(base):
    name = f"bkt-{uuid.uuid4().hex[:12]}"
    request = urllib.request.Request(f"{base}/storage/v1/b?project=p", json.dumps({"name": name}).encode())
    request.add_header("Content-Type", "application/x-www-form-urlencoded")
    assert json.loads(urllib.request.urlopen(request).read())["location"] == "US"
    for body in (b"{", b"[]", b"{}", b"1", b'{"name":7}'):
        assert requests.post(f"{base}/storage/v1/b", data=body).status_code == 400


def test_uploads_by_command(bucket, base):
    """As some clients for Ruby do."""
    url = f"{base}/upload/storage/v1/b/{bucket.name}/o?uploadType=resumable&name=r"
    fields = {"X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"}
    start = requests.post(url, json={"contentType": "a/b"}, headers=fields)
    assert (start.status_code, start.headers["X-Goog-Upload-Status"]) == (200, "active")
    session = start.headers["X-Goog-Upload-URL"]
    first = requests.post(session, CONTENT[:1000], headers={"X-Goog-Upload-Command": "upload", "X-Goog-Upload-Offset": "0"})
    assert (first.status_code, first.headers["X-Goog-Upload-Status"]) == (200, "active")
    query = requests.post(session, headers={"X-Goog-Upload-Command": "query"})
    assert query.headers["X-Goog-Upload-Size-Received"] == "1000"
    last = requests.post(
        session, CONTENT[1000:], headers={"X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": "1000"})
    assert (last.headers["X-Goog-Upload-Status"], last.json()["kind"]) == ("final", "storage#object")
    blob = bucket.get_blob("r")
    assert (blob.content_type, blob.download_as_bytes()) == ("a/b", CONTENT)
