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
