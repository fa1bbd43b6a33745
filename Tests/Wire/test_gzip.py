"""Bodies and messages as gzip, both ways, as clients that others wrote send and read them."""

import gzip
import json
import zlib

import grpc
import pytest
from google.cloud.firestore_v1 import types
from test_curl import VERSIONS, curl


@pytest.fixture
def stored(stored):
    """A document that is worth to be compressed."""
    body = json.dumps({"fields": {"text": {"stringValue": "wire " * 1000}}}).encode()
    status, _, answer = curl("-X", "PATCH", "--data-binary", "@-", "-H", "Content-Type: text/plain", stored.url, stdin=body)
    assert status == 200
    stored.document = json.loads(answer)
    return stored


def text_of(body):
    return json.loads(body)["fields"]["text"]["stringValue"]


@VERSIONS
def test_answers(stored, version):
    status, fields, body = curl(version, "-H", "Accept-Encoding: gzip;q=0.8, *;q=0", stored.url)
    assert status == 200 and fields["content-encoding"] == "gzip" and fields["vary"] == "accept-encoding"
    assert json.loads(gzip.decompress(body)) == stored.document
    assert int(fields["content-length"]) == len(body)


@VERSIONS
@pytest.mark.parametrize("accepted", ["", "identity", "gzip;q=0", "gzip;q=0, *", "deflate, br"])
def test_answers_to_others(stored, version, accepted):
    status, fields, body = curl(version, "-H", f"Accept-Encoding: {accepted}", stored.url)
    assert status == 200 and "content-encoding" not in fields
    assert json.loads(body) == stored.document


@VERSIONS
def test_answers_in_pieces(server, project, version):
    parent = f"http://{server.address}/v1/projects/{project}/databases/(default)/documents"
    writes = [{"update": {"name": f"projects/{project}/databases/(default)/documents/c/{n}",
                          "fields": {"text": {"stringValue": f"{n} " * 500}}}} for n in range(100)]
    status, _, _ = curl("--data-binary", "@-", "-H", "Content-Type: text/plain", parent + ":commit",
                        stdin=json.dumps({"writes": writes}).encode())
    assert status == 200
    query = json.dumps({"structuredQuery": {"from": [{"collectionId": "c"}]}})
    asked = ["-H", "Content-Type: text/plain", "-d", query, parent + ":runQuery"]
    _, fields, plain = curl(version, *asked)
    assert "content-encoding" not in fields and len(json.loads(plain)) == 100
    _, fields, compressed = curl(version, "-H", "Accept-Encoding: gzip", *asked)
    assert fields["content-encoding"] == "gzip" and len(compressed) < len(plain) // 4
    names = [entry["document"]["name"] for entry in json.loads(gzip.decompress(compressed))]
    assert names == [entry["document"]["name"] for entry in json.loads(plain)]


def patch(version, stored, body, coding="gzip"):
    return curl(version, "-X", "PATCH", "-H", "Content-Type: application/json", "-H", f"Content-Encoding: {coding}",
                "--data-binary", "@-", stored.url, stdin=body)


@VERSIONS
def test_requests(stored, version):
    body = json.dumps({"fields": {"text": {"stringValue": "x" * 900_000}}}).encode()
    status, _, answer = patch(version, stored, gzip.compress(body))
    assert status == 200 and text_of(answer) == "x" * 900_000
    halves = gzip.compress(body[:1000]) + gzip.compress(body[1000:])
    assert patch(version, stored, halves)[0] == 200


@VERSIONS
def test_bad_requests(stored, version):
    good = gzip.compress(b'{"fields": {}}')
    for bad in [b"x", good[:-1], good[:-8] + b"12345678", good + b"x", zlib.compress(b'{"fields": {}}'), b"\x1f\x8b\x08"]:
        assert patch(version, stored, bad)[0] == 400, bad
    for coding in ["br", "deflate", "gzip, gzip", "zstd"]:
        status, fields, _ = patch(version, stored, good, coding)
        assert status == 415 and fields["accept-encoding"] == "gzip"


@VERSIONS
def test_a_bomb_is_refused(stored, version):
    inner = gzip.compress(bytes(200 << 20), 9)
    assert len(inner) < 1 << 20
    status, _, answer = patch(version, stored, inner)
    assert status == 400 and b"limit" in answer


def call(server, method, request, response, compression):
    with grpc.insecure_channel(server.address, compression=compression,
                               options=[("grpc.max_receive_message_length", 64 << 20)]) as channel:
        multi = channel.unary_unary(f"/google.firestore.v1.Firestore/{method}",
                                    lambda message: type(message).serialize(message), response.deserialize)
        return multi(request, timeout=20, metadata=[("authorization", "Bearer owner")])


@pytest.mark.parametrize("compression", [grpc.Compression.NoCompression, grpc.Compression.Gzip])
def test_calls(server, stored, compression):
    request = types.GetDocumentRequest(name=stored.path.removeprefix("/v1/"))
    document = call(server, "GetDocument", request, types.Document, compression)
    assert document.fields["text"].string_value == stored.document["fields"]["text"]["stringValue"]


def test_unknown_compression(server, stored):
    request = types.GetDocumentRequest(name=stored.path.removeprefix("/v1/") * 100)
    with pytest.raises(grpc.RpcError) as raised:
        call(server, "GetDocument", request, types.Document, grpc.Compression.Deflate)
    assert raised.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_compressed_message_over_the_limit(server):
    request = types.GetDocumentRequest(name="x" * (30 << 20))
    with pytest.raises(grpc.RpcError) as raised:
        call(server, "GetDocument", request, types.Document, grpc.Compression.Gzip)
    assert raised.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
