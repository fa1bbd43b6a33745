"""Nothing that a peer sends ends the process: after each test the server still answers (`survives`)."""

import json
import os
import random
import socket as sockets
import struct

import grpc
import pytest

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\0\0\0\4\0\0\0\0\0"


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def throw(server, bytes_, wait=0.3):
    """Sends bytes and reads until the server closes or has had nothing to say for a while."""
    received = b""
    with server.connect(timeout=wait) as socket:
        try:
            socket.sendall(bytes_)
            while data := socket.recv(65536):
                received += data
        except OSError:
            pass
    return received


BAD_HTTP1 = {
    "empty": b"",
    "blank lines": b"\r\n" * 100,
    "no version": b"GET /\r\n\r\n",
    "bad version": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "binary": bytes(range(256)) * 20,
    "zeros": bytes(10_000),
    "huge request line": b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "huge field": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 1_000_000 + b"\r\n\r\n",
    "many fields": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 100_000 + b"\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "length and chunked": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "negative length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "huge length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "largest length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775807\r\n\r\n",
    "bad chunk size": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "huge chunk size": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    "unknown coding": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
    "cut body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc",
    "folded field": b"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
    "blank in name": b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
    "zero in value": b"GET / HTTP/1.1\r\nHost: x\0y\r\n\r\n",
    "bare line feeds": b"GET / HTTP/1.1\nHost: x\n\n",
    "odd target": b"GET \xff\xfe%zz%0 HTTP/1.1\r\nHost: x\r\n\r\n",
    "connect": b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("bytes_", BAD_HTTP1.values(), ids=BAD_HTTP1.keys())
def test_bad_http1(server, bytes_):
    answer = throw(server, bytes_)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 ")


BAD_HTTP2 = {
    "half a preface": PREFACE[:10],
    "wrong preface": PREFACE[:-2] + b"xx",
    "no settings": PREFACE + frame(0, 0, 1, b"x"),
    "huge frame": PREFACE + SETTINGS + b"\xff\xff\xff\0\0\0\0\0\1" + b"x" * 100_000,
    "data on stream 0": PREFACE + SETTINGS + frame(0, 0, 0, b"x"),
    "data on an idle stream": PREFACE + SETTINGS + frame(0, 1, 9, b"x"),
    "headers on an even stream": PREFACE + SETTINGS + frame(1, 5, 2, b"\x82"),
    "bad compression": PREFACE + SETTINGS + frame(1, 5, 1, b"\xff" * 50),
    "continuation alone": PREFACE + SETTINGS + frame(9, 4, 1, b"\x82"),
    "endless continuations": PREFACE + SETTINGS + frame(1, 0, 1, b"\x82") + frame(9, 0, 1, b"\0\1a\1b" * 2000) * 200,
    "no path": PREFACE + SETTINGS + frame(1, 5, 1, b"\x82\x86"),
    "window of zero": PREFACE + SETTINGS + frame(8, 0, 0, bytes(4)),
    "window overflow": PREFACE + SETTINGS + frame(8, 0, 0, b"\x7f\xff\xff\xff") * 2,
    "bad settings": PREFACE + frame(4, 0, 0, b"\0\4\xff\xff\xff\xff"),
    "settings flood": PREFACE + SETTINGS * 20_000,
    "ping flood": PREFACE + SETTINGS + frame(6, 0, 0, bytes(8)) * 20_000,
    "reset flood": PREFACE + SETTINGS
    + b"".join(frame(1, 4, n, b"\x82\x86\x84\x41\x01x") + frame(3, 0, n, bytes(4)) for n in range(1, 10_000, 2)),
    "unknown frames": PREFACE + SETTINGS + frame(0xFA, 0xFF, 7, b"x" * 100) * 100,
    "priority on itself": PREFACE + SETTINGS + frame(2, 0, 1, b"\0\0\0\1\0"),
    "push promise": PREFACE + SETTINGS + frame(5, 4, 1, b"\0\0\0\2\x82"),
    "goaway": PREFACE + SETTINGS + frame(7, 0, 0, bytes(8)),
    "padding longer than the frame": PREFACE + SETTINGS + frame(1, 13, 1, b"\xff\x82"),
}


@pytest.mark.parametrize("bytes_", BAD_HTTP2.values(), ids=BAD_HTTP2.keys())
def test_bad_http2(server, bytes_):
    throw(server, bytes_)


@pytest.mark.parametrize("seed", range(30))
def test_noise(server, seed):
    noise = random.Random(seed)
    sound = PREFACE + SETTINGS + frame(1, 4, 1, b"\x82\x86\x84\x41\x01x") + frame(0, 1, 1, b"\0\0\0\0\5abcde")
    head = b"POST /v1/projects/p/databases/(default)/documents:commit HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n"
    start = bytearray(noise.choice([sound, head + b'{"writes": []}      ']))
    for _ in range(noise.randint(1, 8)):
        start[noise.randrange(len(start))] = noise.randrange(256)
    throw(server, bytes(start), wait=0.1)


BAD_JSON = [
    "", "{", "}", "[]", "null", "1", '"x"', '{"writes":', '{"writes": {}}', '{"writes": [{}]}', '{"writes": [null]}',
    '{"writes": "x"}', '{"writes": [{"update": []}]}', '{"writes": [{"update": {"name": 5}}]}', '{"unknown": 1}',
    '{"writes": [{"update": {"name": "x", "fields": {"a": {"integerValue": "1.5"}}}}]}', '{"a": 1e999999999}',
    '{"writes": [{"update": {"fields": {"a": {"integerValue": 99999999999999999999}}}}]}', '{"transaction": "%%%"}',
    '{"writes": [{"update": {"fields": {"a": {"timestampValue": "yesterday"}}}}]}', '{"a": "\\ud800"}', '{"a": "\\u12"}',
    '{"writes": [{"updateMask": {"fieldPaths": ["`"]}, "update": {"name": "x"}}]}', "[" * 100_000, '{"a":' * 100_000,
    '{"writes": [{"transform": {"fieldTransforms": [{"fieldPath": "a"}]}}]}', '{"writes": [' + "{}," * 10_000 + "{}]}",
    '{"writes": [{"update": {"fields": {"a": ' + '{"mapValue": {"fields": {"a": ' * 5_000, '{"a": "' + "x" * 3_000_000 + '"}',
]


@pytest.mark.parametrize("method", ["commit", "batchGet", "runQuery", "beginTransaction", "batchWrite", "runAggregationQuery"])
def test_bad_json(server, project, method):
    for text in BAD_JSON + ["\xff\xfe", "\0"]:
        body = text.encode("latin-1")
        head = f"POST /v1/projects/{project}/databases/(default)/documents:{method} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        head += f"Authorization: Bearer owner\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        answer = throw(server, head.encode() + body, wait=5)
        status = int(answer.split(b" ")[1]) if answer else 0
        assert 200 <= status < 500 or status == 501, (text[:100], answer[:300])


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS", "HEAD", "BREW"])
def test_unknown_paths(server, method):
    for path in [
        "/", "//", "/v1", "/v1/", "/v2/x", "/v1/projects", "/v1/projects/p/databases", "/v1/projects/p/databases/d/documents:x",
        "/v1/projects/p/databases/(default)/documents/c/a:x:y", "/v1/projects/%/databases/%zz/documents/%ff/%00",
        "/v1/projects/p/databases/(default)/documents/" + "c/d/" * 300 + "c/d", "/emulator/v1/projects/p/databases/x/documents/a//b",
        "/emulator/v1", "/?" + "a=b&" * 1000, "*", "http://x/v1/projects/p/databases/(default)/documents/c/a",
        "/v1/projects/p/databases/(default)/documents/c?pageSize=99999999999999&pageToken=%ff&orderBy=,,,&mask.fieldPaths=%60",
    ]:
        answer = throw(server, f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode(), wait=3)
        status = int(answer.split(b" ")[1])
        assert 200 <= status < 500 or status == 501, (path[:100], answer[:200])


GRPC_BODIES = {
    "empty": b"",
    "noise": os.urandom(1000),
    "wrong types": b"\x08\x01\x10\x01\x18\x01",
    "cut": b"\x0a\xff\x01abc",
    "long length": b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
    "overlong varint": b"\x08" + b"\xff" * 11,
    "field 0": b"\0\0",
    "group": b"\x0b\x0b\x0b\x0c\x0c\x0c",
    "bad text": b"\x0a\x03\xff\xfe\xfd",
    "deep": b"\x12\x7f" * 60,
}


@pytest.mark.parametrize("body", GRPC_BODIES.values(), ids=GRPC_BODIES.keys())
def test_bad_messages_over_grpc(server, body):
    with grpc.insecure_channel(server.address) as channel:
        for method in [
            "GetDocument", "Commit", "BatchWrite", "CreateDocument", "UpdateDocument", "DeleteDocument", "ListDocuments",
            "BeginTransaction", "Rollback", "ListCollectionIds", "PartitionQuery", "NoSuchMethod",
        ]:
            call = channel.unary_unary(f"/google.firestore.v1.Firestore/{method}")
            with pytest.raises(grpc.RpcError) as raised:
                call(body, timeout=5)
                raise grpc.RpcError  # an empty message may be a good one
            if hasattr(raised.value, "code"):
                assert raised.value.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED), method
        for method in ["BatchGetDocuments", "RunQuery", "RunAggregationQuery", "ExecutePipeline"]:
            call = channel.unary_stream(f"/google.firestore.v1.Firestore/{method}")
            try:
                list(call(body, timeout=5))
            except grpc.RpcError as error:
                assert error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED), method


def test_unknown_services_over_grpc(server):
    with grpc.insecure_channel(server.address) as channel:
        for method in ["/x/y", "/google.firestore.v1.Nothing/GetDocument", "/grpc.reflection.v1.ServerReflection/X"]:
            with pytest.raises(grpc.RpcError) as raised:
                channel.unary_unary(method)(b"", timeout=5)
            assert raised.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_clients_that_go_away(server, stored):
    request = f"GET {stored.path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    last = f"GET {stored.path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    for _ in range(200):
        socket = server.connect()
        socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
        socket.sendall(request * 10)
        socket.close()
    answer = throw(server, last, wait=5)
    assert json.loads(answer.split(b"\r\n\r\n", 1)[1]) == stored.document


def post(server, project, method, body, fields="", wait=30):
    """The status and the body of the answer to a request over HTTP/1.1."""
    head = f"POST /v1/projects/{project}/databases/(default)/documents:{method} HTTP/1.1\r\nHost: x\r\n"
    head += f"Authorization: Bearer owner\r\nConnection: close\r\n{fields}Content-Length: {len(body)}\r\n\r\n"
    answer = throw(server, head.encode() + body, wait)
    return int(answer.split(b" ")[1]), answer.split(b"\r\n\r\n", 1)[1]


def write_of(project, fields):
    name = f"projects/{project}/databases/(default)/documents/c/a"
    return f'{{"writes": [{{"update": {{"name": "{name}", "fields": {fields}}}}}]}}'.encode("utf-8", "surrogateescape")


BAD_VALUES = {
    "integer with a fraction": '{"integerValue": 1.5}',
    "integer out of range": '{"integerValue": "9223372036854775808"}',
    "integer of a million digits": '{"integerValue": "' + "9" * 1_000_000 + '"}',
    "number of a million digits": '{"integerValue": ' + "9" * 1_000_000 + "}",
    "double out of range": '{"doubleValue": 1e400}',
    "long exponent": '{"doubleValue": 1e' + "9" * 100_000 + "}",
    "leading zero": '{"doubleValue": 01}',
    "plus": '{"doubleValue": +1}',
    "no fraction": '{"doubleValue": 1.}',
    "no whole": '{"doubleValue": .5}',
    "hexadecimal": '{"doubleValue": 0x10}',
    "unknown word": '{"booleanValue": maybe}',
    "cut word": '{"booleanValue": tru}',
    "text for a boolean": '{"booleanValue": "perhaps"}',
    "bad base64": '{"bytesValue": "*"}',
    "bad time": '{"timestampValue": "2024-02-30T00:00:00Z"}',
    "year 10000": '{"timestampValue": "10000-01-01T00:00:00Z"}',
    "no such place": '{"geoPointValue": {"latitude": 91}}',
    "infinite place": '{"geoPointValue": {"latitude": "Infinity"}}',
    "two values": '{"nullValue": null, "integerValue": 1}',
    "unknown value": '{"colourValue": 1}',
    "array in an array": '{"arrayValue": {"values": [{"arrayValue": {}}]}}',
    "empty vector": '{"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"}, "value": {"arrayValue": {}}}}}',
    "not an object": '[]',
    "trailing comma": '{"nullValue": null,}',
    "two colons": '{"nullValue":: null}',
    "no colon": '{"nullValue" null}',
    "single quotes": "{'nullValue': null}",
    "comment": '{"nullValue": /* x */ null}',
    "raw control": '{"stringValue": "a\nb"}',
    "bad escape": '{"stringValue": "\\x41"}',
    "cut escape": '{"stringValue": "\\u12',
    "byte that is no UTF-8": '{"stringValue": "\udcff"}',
    "overlong UTF-8": '{"stringValue": "\udcc0\udcaf"}',
    "surrogate as UTF-8": '{"stringValue": "\udced\udca0\udc80"}',
    "cut UTF-8": '{"stringValue": "\udce2\udc82"}',
    "beyond Unicode": '{"stringValue": "\udcf4\udc90\udc80\udc80"}',
    "deep arrays": '{"arrayValue": {"values": [' * 20_000,
    "deep maps": '{"mapValue": {"fields": {"a": ' * 20_000 + "{}" + "}}}" * 20_000,
    "deep unknown": '{"x": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "a million brackets": "[" * 1_000_000,
    "21 levels": '{"mapValue": {"fields": {"a": ' * 21 + "{}" + "}}}" * 21,
}


@pytest.mark.parametrize("value", BAD_VALUES.values(), ids=BAD_VALUES.keys())
def test_bad_values(server, project, value):
    status, body = post(server, project, "commit", write_of(project, f'{{"a": {value}}}'))
    assert status == 400 and json.loads(body)["error"]["status"] == "INVALID_ARGUMENT", body[:300]


BAD_NAMES = ["", "`", "__a__", "a" * 1_501, "\udcff", "\udced\udca0\udc80"]


@pytest.mark.parametrize("name", BAD_NAMES, ids=range(len(BAD_NAMES)))
def test_bad_names_of_fields(server, project, name):
    status, body = post(server, project, "commit", write_of(project, f'{{"{name}": {{"nullValue": null}}}}'))
    assert status in ((200, 400) if name == "`" else (400,)), body[:300]


@pytest.mark.parametrize("path", [
    "c/%ff", "c/%c0%af", "c/%ed%a0%80", "c/%f4%90%80%80", "c/%", "c/%4", "c/%zz", "c/%00", "c/a%2fb", "c/..", "c/.",
    "c/__a__", "c/" + "a" * 1_501, "c/%e2%82", "c/" + "%ff" * 1_000, "c/a?mask.fieldPaths=%ff", "c/a?mask.fieldPaths=%60",
    "c/a?readTime=x", "c/a?transaction=%25", "c?pageSize=-1", "c?pageSize=99999999999999999999", "c?pageToken=x",
    "c?orderBy=,", "c?pageSize=1e9", "c?orderBy=" + "a," * 5_000,
])
def test_bad_paths(server, project, path):
    target = f"/v1/projects/{project}/databases/(default)/documents/{path}"
    answer = throw(server, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode(), wait=5)
    assert int(answer.split(b" ")[1]) in (200, 400, 404, 414), answer[:300]
    raw = path.encode() + b"\xff\xfe"
    answer = throw(server, b"GET " + target.encode() + raw + b" HTTP/1.1\r\nHost: x\r\n\r\n", wait=0.3)
    assert int(answer.split(b" ")[1]) in (400, 404, 414), answer[:300]


def test_many_query_parameters(server, project):
    for query in ["a=b&" * 3_500, "mask.fieldPaths=a&" * 880, "&" * 15_000, "=" * 15_000, "mask.fieldPaths&" * 900]:
        target = f"/v1/projects/{project}/databases/(default)/documents/c/a?{query}"
        answer = throw(server, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode(), wait=5)
        assert int(answer.split(b" ")[1]) in (400, 404), answer[:200]
    answer = throw(server, f"GET /?{'a=b&' * 10_000} HTTP/1.1\r\nHost: x\r\n\r\n".encode(), wait=5)
    assert answer.startswith(b"HTTP/1.1 414 ")


def test_long_bodies(server, project):
    text = write_of(project, '{"a": {"stringValue": "' + "x" * (11 << 20) + '"}}')
    assert post(server, project, "commit", text)[0] == 400
    assert post(server, project, "commit", b" " * (11 << 20))[0] in (200, 400)
    assert post(server, project, "commit", b"{" + b" " * (33 << 20) + b"}")[0] == 400
    assert post(server, project, "runQuery", b'{"structuredQuery": {"x": "' + b"y" * (11 << 20) + b'"}}')[0] in (200, 400)


def test_a_million_fields(server, project):
    fields = ",".join(f'"f{n}": {{"nullValue": null}}' for n in range(1_000_000))
    status, body = post(server, project, "commit", write_of(project, "{" + fields + "}"), wait=60)
    assert status == 400, body[:300]
    mask = ",".join(f'"f{n}"' for n in range(1_000_000))
    name = f"projects/{project}/databases/(default)/documents/c/a"
    body = f'{{"writes": [{{"update": {{"name": "{name}"}}, "updateMask": {{"fieldPaths": [{mask}]}}}}]}}'.encode()
    assert post(server, project, "commit", body, wait=60)[0] in (200, 400)
    same = ",".join('"a": {"nullValue": null}' for n in range(1_000_000))
    assert post(server, project, "commit", write_of(project, "{" + same + "}"), wait=60)[0] in (200, 400)
    elements = ",".join(['{"nullValue": null}'] * 1_000_000)
    status, body = post(
        server, project, "commit", write_of(project, f'{{"a": {{"arrayValue": {{"values": [{elements}]}}}}}}'), wait=60)
    assert status in (200, 400), body[:300]


def test_a_million_parts_of_a_query(server, project):
    filters = ",".join(['{"unaryFilter": {"op": "IS_NULL", "field": {"fieldPath": "a"}}}'] * 100_000)
    query = f'{{"structuredQuery": {{"from": [{{"collectionId": "c"}}], "where": {{"compositeFilter": {{"op": "OR", "filters": [{filters}]}}}}}}}}'
    assert post(server, project, "runQuery", query.encode(), wait=60)[0] == 400
    nested = '{"compositeFilter": {"op": "AND", "filters": [' * 5_000 + "]}}" * 5_000
    query = f'{{"structuredQuery": {{"from": [{{"collectionId": "c"}}], "where": {nested}}}}}'
    assert post(server, project, "runQuery", query.encode(), wait=60)[0] == 400
    sides = ",".join(
        '{"compositeFilter": {"op": "OR", "filters": ['
        + ",".join(f'{{"fieldFilter": {{"op": "EQUAL", "field": {{"fieldPath": "f{n}"}}, "value": {{"integerValue": "{m}"}}}}}}'
                   for m in range(10)) + "]}}" for n in range(50))
    query = f'{{"structuredQuery": {{"from": [{{"collectionId": "c"}}], "where": {{"compositeFilter": {{"op": "AND", "filters": [{sides}]}}}}}}}}'
    assert post(server, project, "runQuery", query.encode(), wait=60)[0] == 400
    orders = ",".join(f'{{"field": {{"fieldPath": "f{n}"}}}}' for n in range(100_000))
    query = f'{{"structuredQuery": {{"from": [{{"collectionId": "c"}}], "orderBy": [{orders}]}}}}'
    assert post(server, project, "runQuery", query.encode(), wait=60)[0] in (200, 400)
    names = ",".join(f'"projects/{project}/databases/(default)/documents/c/{n}"' for n in range(100_000))
    assert post(server, project, "batchGet", f'{{"documents": [{names}]}}'.encode(), wait=60)[0] in (200, 400)


CHUNKED = b"POST /v1/projects/p/databases/(default)/documents:commit HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
BAD_CHUNKS = {
    "negative": b"-1\r\nx\r\n",
    "blank before": b" 1\r\nx\r\n",
    "hexadecimal prefix": b"0x1\r\nx\r\n",
    "no size": b"\r\nx\r\n",
    "underscore": b"1_0\r\nx\r\n",
    "line feed only": b"1\nx\n0\n\n",
    "no end of line after data": b"1\r\nxyz\r\n",
    "size that overflows": b"10000000000000001\r\nx\r\n",
    "largest size": b"7fffffffffffffff\r\nx",
    "endless size": b"0" * 1_000_000,
    "endless extension": b"1;" + b"a" * 1_000_000,
    "extension with a line feed": b"1;a\nb\r\nx\r\n0\r\n\r\n",
    "trailer that frames": b"0\r\nContent-Length: 5\r\n\r\n",
    "endless trailers": b"0\r\n" + b"a: b\r\n" * 200_000,
    "long trailer": b"0\r\na: " + b"b" * 1_000_000,
    "a request in the trailers": b"0\r\nGET / HTTP/1.1\r\n\r\n",
    "cut": b"5\r\nab",
}


@pytest.mark.parametrize("chunks", BAD_CHUNKS.values(), ids=BAD_CHUNKS.keys())
def test_bad_chunks(server, chunks):
    answer = throw(server, CHUNKED + chunks)
    assert answer.count(b"HTTP/1.1 ") <= 1 and b"HTTP/1.1 200" not in answer, answer[:300]


def test_a_body_in_chunks_of_one_byte(server):
    body = b'{"writes": []}' + b" " * 200_000
    answer = throw(server, CHUNKED + b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n", wait=5)
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_half_open_connections(server):
    beginnings = [b"", b"P", b"PRI * HTTP/2.0\r\n", PREFACE, PREFACE + SETTINGS[:5], b"GET / HT", CHUNKED, CHUNKED + b"5\r\nab",
                  b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\nx"]
    open_ = []
    try:
        for n in range(600):
            socket = server.connect()
            socket.sendall(beginnings[n % len(beginnings)])
            open_.append(socket)
        answer = throw(server, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", wait=5)
        assert answer.startswith(b"HTTP/1.1 200 ")
    finally:
        for socket in open_:
            socket.close()


@pytest.mark.parametrize("seed", range(20))
def test_garbage_after_the_preface(server, seed):
    noise = random.Random(seed)
    throw(server, PREFACE + noise.randbytes(50_000), wait=0.1)
    throw(server, PREFACE + SETTINGS + noise.randbytes(50_000), wait=0.1)
    frames = b"".join(
        frame(noise.randrange(12), noise.randrange(256), noise.choice([0, 1, 1, 3, 5, 2, 0x7FFFFFFF]), noise.randbytes(noise.randrange(40)))
        for _ in range(200))
    throw(server, PREFACE + SETTINGS + frames, wait=0.1)
    throw(server, noise.randbytes(50_000), wait=0.1)


def grpc_request(path, body, fields=()):
    """The frames of a request whose body is given as it is."""
    lines = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "x"), ("te", "trailers"),
             ("content-type", "application/grpc"), *fields]
    block = b"".join(b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode() for name, value in lines)
    pieces = [body[n:n + 16384] for n in range(0, len(body), 16384)] or [b""]
    data = b"".join(frame(0, 1 if n == len(pieces) - 1 else 0, 1, piece) for n, piece in enumerate(pieces))
    return PREFACE + SETTINGS + frame(1, 4, 1, block) + data


LYING_FRAMES = {
    "longer than what follows": b"\0\0\0\1\0" + b"abc",
    "shorter than what follows": b"\0\0\0\0\1" + b"abc",
    "4 GiB": b"\0\xff\xff\xff\xff" + b"abc",
    "2 GiB": b"\0\x7f\xff\xff\xff" + b"abc",
    "just over the limit": b"\0\1\x10\0\1" + b"abc",
    "half a prefix": b"\0\0",
    "compressed, but not said": b"\1\0\0\0\3abc",
    "unknown flag": b"\x80\0\0\0\0",
    "many empty messages": b"\0\0\0\0\0" * 3_000,
    "noise": bytes(range(256)) * 50,
}


@pytest.mark.parametrize("body", LYING_FRAMES.values(), ids=LYING_FRAMES.keys())
@pytest.mark.parametrize("encoding", ["identity", "gzip", "snappy"])
def test_frames_that_lie(server, body, encoding):
    for method in ["google.firestore.v1.Firestore/GetDocument", "google.firestore.v1.Firestore/RunQuery",
                   "google.firestore.v1.Firestore/Listen", "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
                   "grpc.health.v1.Health/Watch"]:
        answer = throw(server, grpc_request("/" + method, body, [("grpc-encoding", encoding)]), wait=0.2)
        assert b"grpc-status" in answer or len(answer) > 20, method


@pytest.mark.parametrize("timeout", ["", "0S", "1n", "99999999H", "-1S", "1", "S", "999999999S", "1x", "1.5S"])
def test_odd_timeouts(server, timeout):
    request = grpc_request("/google.firestore.v1.Firestore/GetDocument", b"\0\0\0\0\0", [("grpc-timeout", timeout)])
    assert len(throw(server, request, wait=0.2)) > 20


def test_a_head_of_many_small_frames(server):
    block = b"".join(b"\0\1a" + bytes([100]) + b"x" * 100 for _ in range(5_000))
    frames = frame(1, 0, 1, b"\x82\x86\x84") + b"".join(frame(9, 0, 1, block[n:n + 50]) for n in range(0, len(block), 50))
    throw(server, PREFACE + SETTINGS + frames)


def test_memory_stays(server, project):
    """What was thrown at the server is not kept."""
    if server.process is None:
        pytest.skip("the process is not ours")

    def resident():
        with open(f"/proc/{server.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    def rounds(count):
        for _ in range(count):
            post(server, project, "commit", b"[" * 2_000_000)
            post(server, project, "commit", write_of(project, '{"a": {"stringValue": "' + "x" * (4 << 20) + '"}}'))
            throw(server, CHUNKED + b"400000\r\n" + b"x" * 4_000_000, wait=0.05)
            throw(server, PREFACE + SETTINGS + os.urandom(200_000), wait=0.05)
            throw(server, grpc_request("/google.firestore.v1.Firestore/Commit", b"\0\0\xff\0\0" + bytes(60_000)), wait=0.05)

    rounds(3)
    before = resident()
    rounds(20)
    assert resident() < before + (24 << 20)
