"""The XML API of Cloud Storage, which some libraries read and write through."""

import datetime
import hashlib
import re
import uuid
import xml.etree.ElementTree as ElementTree

import pytest
import requests

SPACE = "{http://doc.s3.amazonaws.com/2006-03-01}"


@pytest.fixture
def base(server):
    return f"http://{server.host}:{server.storage_port}"


@pytest.fixture
def bucket(base):
    url = f"{base}/bkt-{uuid.uuid4().hex[:12]}"
    assert requests.put(url).status_code == 200
    return url


def code(answer):
    assert answer.headers["Content-Type"] == "application/xml; charset=UTF-8"
    return answer.status_code, ElementTree.fromstring(answer.content).findtext("Code")


def test_objects(bucket):
    etag = f'"{hashlib.md5(b"hello").hexdigest()}"'
    fields = {"Content-Type": "text/plain", "x-goog-meta-color": "red", "Cache-Control": "no-store"}
    answer = requests.put(f"{bucket}/dir/x.txt", data=b"hello", headers=fields)
    assert (answer.status_code, answer.headers["ETag"], answer.content) == (200, etag, b"")
    generation = answer.headers["x-goog-generation"]
    for method in (requests.get, requests.head):
        answer = method(f"{bucket}/dir/x.txt")
        expected = {
            "ETag": etag, "Content-Type": "text/plain", "Content-Length": "5", "x-goog-generation": generation,
            "x-goog-meta-color": "red", "Cache-Control": "no-store", "x-goog-storage-class": "STANDARD", "Accept-Ranges": "bytes",
        }
        assert expected.items() <= dict(answer.headers.lower_items()).items() or all(
            answer.headers[name] == value for name, value in expected.items())
        assert "Last-Modified" in answer.headers and "Content-Disposition" not in answer.headers
    assert requests.get(f"{bucket}/dir%2Fx.txt", headers={"Range": "bytes=1-3"}).content == b"ell"
    assert requests.get(f"{bucket.replace('-', '%2D')}/dir/x.txt").text == "hello"
    assert requests.get(f"{bucket}/dir/x.txt", headers={"If-None-Match": etag}).status_code == 304
    assert requests.get(f"{bucket}/dir/x.txt?generation={generation}").status_code == 200
    assert code(requests.get(f"{bucket}/dir/x.txt?generation=1")) == (404, "NoSuchKey")
    exists = requests.put(f"{bucket}/dir/x.txt", data=b"y", headers={"x-goog-if-generation-match": "0"})
    assert code(exists) == (412, "PreconditionFailed")
    assert code(requests.put(f"{bucket}/z", data=b"y", headers={"Content-MD5": "AAAA"})) == (400, "BadDigest")
    assert code(requests.get(f"{bucket}/none")) == (404, "NoSuchKey")
    assert code(requests.get(f"{bucket}-none/x")) == (404, "NoSuchBucket")
    assert code(requests.get(f"{bucket}/dir/x.txt?acl")) == (501, "NotImplemented")
    shown = requests.get(f"{bucket}/dir/x.txt", params={"response-content-type": "a/b", "response-content-disposition": "inline"})
    assert (shown.headers["Content-Type"], shown.headers["Content-Disposition"]) == ("a/b", "inline")
    assert requests.delete(f"{bucket}/dir/x.txt").status_code == 204
    assert code(requests.delete(f"{bucket}/dir/x.txt")) == (404, "NoSuchKey")


def test_copies(bucket):
    name = bucket.rsplit("/", 1)[1]
    requests.put(f"{bucket}/a b", data=b"hello", headers={"x-goog-meta-k": "v", "Content-Type": "a/b"})
    answer = requests.put(f"{bucket}/c", headers={"x-goog-copy-source": f"/{name}/a%20b"})
    assert ElementTree.fromstring(answer.content).tag == f"{SPACE}CopyObjectResult" and "x-goog-generation" in answer.headers
    copy = requests.get(f"{bucket}/c")
    assert (copy.text, copy.headers["x-goog-meta-k"], copy.headers["Content-Type"]) == ("hello", "v", "a/b")
    fields = {"x-goog-copy-source": f"{name}/c", "x-goog-metadata-directive": "REPLACE", "Content-Type": "c/d"}
    requests.put(f"{bucket}/d", headers=fields)
    copy = requests.get(f"{bucket}/d")
    assert "x-goog-meta-k" not in copy.headers and copy.headers["Content-Type"] == "c/d"
    assert code(requests.put(f"{bucket}/e", headers={"x-goog-copy-source": f"{name}/none"})) == (404, "NoSuchKey")


@pytest.mark.parametrize("version", ["1", "2"])
def test_lists(bucket, version):
    names = ["a&<b>", "d/1", "d/2", "d/s/x", "top", "日本"]
    for name in names:
        assert requests.put(f"{bucket}/{name}", data=b"x").status_code == 200

    def page(**query):
        tree = ElementTree.fromstring(requests.get(bucket, params={"list-type": version} | query).content)
        keys = [each.findtext(f"{SPACE}Key") for each in tree.findall(f"{SPACE}Contents")]
        prefixes = [each.findtext(f"{SPACE}Prefix") for each in tree.findall(f"{SPACE}CommonPrefixes")]
        return keys, prefixes, tree.findtext(f"{SPACE}NextContinuationToken") or tree.findtext(f"{SPACE}NextMarker")

    assert page() == (names, [], None)
    assert page(delimiter="/") == (["a&<b>", "top", "日本"], ["d/"], None)
    assert page(delimiter="/", prefix="d/") == (["d/1", "d/2"], ["d/s/"], None)
    start = "start-after" if version == "2" else "marker"
    assert page(**{start: "d/2"})[0] == ["d/s/x", "top", "日本"]
    found, token, parameter = [], "", "continuation-token" if version == "2" else "marker"
    for _ in range(10):
        keys, prefixes, token = page(**{"delimiter": "/", "max-keys": "1", parameter: token or ""})
        found += keys + prefixes
        if not token:
            break
    assert found == ["a&<b>", "d/", "top", "日本"]
    assert page(**{"encoding-type": "url"})[0][0] == "a%26%3Cb%3E"
    assert code(requests.get(bucket, params={"max-keys": "-1"})) == (400, "InvalidArgument")


PARTS = "{http://s3.amazonaws.com/doc/2006-03-01/}"


def begin(url, **fields):
    answer = requests.post(f"{url}?uploads", headers={name.replace("_", "-"): value for name, value in fields.items()})
    return ElementTree.fromstring(answer.content).findtext(f"{PARTS}UploadId")


def complete(url, id, parts):
    body = "".join(f"<Part><PartNumber>{number}</PartNumber><ETag>{etag}</ETag></Part>" for number, etag in parts)
    return requests.post(f"{url}?uploadId={id}", data=f"<CompleteMultipartUpload>{body}</CompleteMultipartUpload>")


def test_uploads_in_parts(bucket):
    url = f"{bucket}/dir/parts"
    id = begin(url, Content_Type="a/b", x_goog_meta_k="v")
    contents = {3: b"c" * 10, 1: b"a" * 300_000, 2: b"old"}
    for number, content in contents.items():
        answer = requests.put(f"{url}?partNumber={number}&uploadId={id}", data=content)
        assert answer.headers["ETag"] == f'"{hashlib.md5(content).hexdigest()}"'
    contents[2] = b"b"
    etags = {1: hashlib.md5(contents[1]).hexdigest(), 3: hashlib.md5(contents[3]).hexdigest()}
    etags[2] = requests.put(f"{url}?partNumber=2&uploadId={id}", data=contents[2]).headers["ETag"].replace('"', "&quot;")
    bad = requests.put(f"{url}?partNumber=4&uploadId={id}", data=b"x", headers={"Content-MD5": "AAAA"})
    assert code(bad) == (400, "BadDigest")
    for number in ("0", "10001", "x", ""):
        assert code(requests.put(f"{url}?partNumber={number}&uploadId={id}", data=b"x"))[0] == 400
    listed = ElementTree.fromstring(requests.get(f"{url}?uploadId={id}").content)
    assert [part.findtext(f"{PARTS}PartNumber") for part in listed.findall(f"{PARTS}Part")] == ["1", "2", "3"]
    assert code(requests.get(url)) == (404, "NoSuchKey")
    assert code(complete(url, id, [(2, etags[2]), (1, etags[1])])) == (400, "InvalidPartOrder")
    assert code(complete(url, id, [(1, etags[1]), (9, "x")])) == (400, "InvalidPart")
    assert code(complete(url, id, [(1, "wrong")])) == (400, "InvalidPart")
    assert code(complete(url, id, [])) == (400, "MalformedXML")
    answer = complete(url, id, sorted(etags.items()))
    assert answer.status_code == 200 and "x-goog-generation" in answer.headers
    assert ElementTree.fromstring(answer.content).tag == f"{PARTS}CompleteMultipartUploadResult"
    whole = requests.get(url)
    assert whole.content == contents[1] + contents[2] + contents[3]
    assert whole.headers["Content-Type"] == "a/b" and whole.headers["x-goog-meta-k"] == "v" and "md5" not in whole.headers["x-goog-hash"]
    assert code(complete(url, id, sorted(etags.items()))) == (404, "NoSuchUpload")
    other = begin(url)
    requests.put(f"{url}?partNumber=1&uploadId={other}", data=b"x")
    assert requests.delete(f"{url}?uploadId={other}").status_code == 204
    assert code(requests.delete(f"{url}?uploadId={other}")) == (404, "NoSuchUpload")
    assert code(requests.put(f"{url}?partNumber=1&uploadId={other}", data=b"x")) == (404, "NoSuchUpload")
    assert requests.get(url).content == whole.content


def test_buckets(bucket):
    assert code(requests.put(bucket)) == (409, "BucketAlreadyOwnedByYou")
    assert requests.head(bucket).status_code == 200 and requests.head(bucket + "x").status_code == 404
    requests.put(f"{bucket}/a", data=b"x")
    assert code(requests.delete(bucket)) == (409, "BucketNotEmpty")
    requests.delete(f"{bucket}/a")
    assert requests.delete(bucket).status_code == 204
    assert code(requests.get(bucket)) == (404, "NoSuchBucket")


def test_virtual_hosts(bucket, base):
    name = bucket.rsplit("/", 1)[1]
    requests.put(f"{bucket}/a/b", data=b"hello")
    for host in (f"{name}.storage.googleapis.com", f"{name}.localhost:9199"):
        assert requests.get(f"{base}/a/b", headers={"Host": host}).text == "hello"


def test_signed_urls(bucket):
    requests.put(f"{bucket}/a", data=b"hello")
    now = datetime.datetime.now(datetime.timezone.utc)
    for vendor in ("X-Goog", "X-Amz"):
        query = {f"{vendor}-Date": now.strftime("%Y%m%dT%H%M%SZ"), f"{vendor}-Expires": "600", f"{vendor}-Signature": "00"}
        assert requests.get(f"{bucket}/a", params=query).text == "hello"
        assert requests.put(f"{bucket}/b", params=query, data=b"x").status_code == 200
        query[f"{vendor}-Date"] = "20200101T000000Z"
        assert code(requests.get(f"{bucket}/a", params=query)) == (400, "ExpiredToken")
        query[f"{vendor}-Date"] = "yesterday"
        assert code(requests.get(f"{bucket}/a", params=query)) == (400, "InvalidArgument")
    query = {"GoogleAccessId": "x", "Expires": str(int(now.timestamp()) + 60), "Signature": "x"}
    assert requests.get(f"{bucket}/a", params=query).text == "hello"
    assert code(requests.get(f"{bucket}/a", params=query | {"Expires": "1"})) == (400, "ExpiredToken")
    assert re.match(r"<\?xml version='1.0' encoding='UTF-8'\?><Error>", requests.get(f"{bucket}/none").text)


def test_hosts_that_are_called_like_buckets(base, bucket):
    name = bucket.rsplit("/", 1)[1]
    domain = f"{name}.example.com"
    assert requests.put(f"{base}/{domain}").status_code == 200
    for host in (f"{name}.storage.googleapis.com", f"{name}.localhost:9199", f"{name}.files.test", domain):
        at = {"Host": host}
        assert requests.put(f"{base}/dir/x.txt", data=host, headers=at).status_code == 200
        assert requests.get(f"{base}/dir/x.txt", headers=at).text == host
        keys = ElementTree.fromstring(requests.get(f"{base}/?list-type=2", headers=at).content).findall(f".//{SPACE}Key")
        assert [key.text for key in keys] == ["dir/x.txt"]
        form = requests.post(base, data={"key": "f"}, files={"file": b"x"}, headers=at)
        assert form.status_code == 204 and requests.delete(f"{base}/f", headers=at).status_code == 204
    assert requests.get(f"{base}/{domain}/dir/x.txt").text == domain
    for host in ("storage", "10.0.2.2:9199", "storage.googleapis.com", "[::1]:9199"):
        assert requests.get(f"{base}/{name}/dir/x.txt", headers={"Host": host}).status_code == 200
    assert requests.get(f"{base}/", headers={"Host": "none.example.com"}).text == "Ok\n"
