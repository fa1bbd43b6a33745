"""curl, nghttp and h2load understand what we answer."""

import json
import re
import subprocess

import pytest


def run(*command, stdin=None):
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def curl(*arguments, stdin=None):
    """The status, the fields and the body of an answer."""
    output = run("curl", "-sS", "-g", "-i", "--max-time", "20", *arguments, stdin=stdin)
    while True:  # answers before the last one are 1xx
        head, _, output = output.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        status = int(lines[0].split(" ")[1])
        if status >= 200:
            fields = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}
            return status, fields, output


VERSIONS = pytest.mark.parametrize("version", ["--http1.1", "--http2-prior-knowledge"])


@VERSIONS
def test_get(stored, version):
    status, fields, body = curl(version, stored.url)
    assert status == 200 and json.loads(body) == stored.document
    assert fields["content-type"].startswith("application/json")


@VERSIONS
def test_head_is_answered_without_a_body(stored, version):
    status, _, body = curl(version, "--head", stored.url)
    assert status in (200, 404) and body == b""


@VERSIONS
def test_errors_are_json(stored, version):
    status, _, body = curl(version, stored.url + "x")
    assert status == 404 and json.loads(body)["error"]["status"] == "NOT_FOUND"


@VERSIONS
@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 900_000])
def test_bodies_come_back(stored, version, size):
    body = json.dumps({"fields": {"text": {"stringValue": "x" * size}}}).encode()
    status, _, answer = curl(version, "-X", "PATCH", "-H", "Content-Type: application/json", "--data-binary", "@-",
                             stored.url, stdin=body)
    assert status == 200 and json.loads(answer)["fields"]["text"]["stringValue"] == "x" * size


@VERSIONS
def test_answers_before_the_body(stored, version):
    for _ in range(5):
        status, _, _ = curl(version, "--data-binary", "@-", stored.url.replace("/v1/", "/v0/"), stdin=bytes(200_000))
        assert status == 404


def test_chunked_upload(stored):
    body = json.dumps({"fields": {"text": {"stringValue": "y" * 200_000}}}).encode()
    status, _, answer = curl("--http1.1", "-X", "PATCH", "-H", "Content-Type: application/json",
                             "-H", "Transfer-Encoding: chunked", "--data-binary", "@-", stored.url, stdin=body)
    assert status == 200 and len(json.loads(answer)["fields"]["text"]["stringValue"]) == 200_000


def test_expect_continue(stored):
    body = json.dumps({"fields": {"text": {"stringValue": "z" * 5_000}}}).encode()
    status, _, answer = curl("--http1.1", "--expect100-timeout", "10", "-X", "PATCH", "-H", "Expect: 100-continue",
                             "-H", "Content-Type: application/json", "--data-binary", "@-", stored.url, stdin=body)
    assert status == 200 and len(json.loads(answer)["fields"]["text"]["stringValue"]) == 5_000


def test_upgrade_is_ignored(stored):
    status, fields, body = curl("--http2", stored.url)
    assert status == 200 and json.loads(body) == stored.document and "upgrade" not in fields


def test_connection_is_kept(stored):
    output = run("curl", "-sS", "-g", "-o", "/dev/null", "-o", "/dev/null", "-w", "%{num_connects}\n", stored.url, stored.url)
    assert output.split() == [b"1", b"0"]


def test_close_is_honoured(stored):
    _, fields, _ = curl("--http1.1", "-H", "Connection: close", stored.url)
    assert fields["connection"].lower() == "close"


def test_cross_origin(stored):
    _, fields, _ = curl("-H", "Origin: http://localhost:5000", stored.url)
    assert fields["access-control-allow-origin"] in ("*", "http://localhost:5000")
    status, fields, _ = curl("-X", "OPTIONS", "-H", "Origin: http://localhost:5000",
                             "-H", "Access-Control-Request-Method: PATCH",
                             "-H", "Access-Control-Request-Headers: authorization,x-goog-api-client", stored.url)
    assert status in (200, 204) and "PATCH" in fields["access-control-allow-methods"]
    assert "x-goog-api-client" in fields["access-control-allow-headers"].lower()


def test_nghttp(stored):
    output = run("nghttp", "-v", stored.url.replace("(", "%28").replace(")", "%29")).decode()
    assert ":status: 200" in output and "error" not in output.lower().split("goaway")[0]


@pytest.mark.parametrize("arguments", [["--h1", "-c8"], ["-c4", "-m32"]], ids=["http1", "http2"])
def test_h2load_sees_no_failure(stored, arguments):
    output = run("h2load", "-n2000", "-t1", *arguments, stored.url.replace("(", "%28").replace(")", "%29")).decode()
    counts = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", output)
    assert counts.groups() == ("2000", "0", "0", "0"), output
    assert re.search(r"status codes: 2000 2xx", output), output
