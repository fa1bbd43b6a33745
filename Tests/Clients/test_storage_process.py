"""Storage over the ends of processes, and over HTTP/2: the real binary, started and stopped."""

import base64
import contextlib
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess

import pytest

pytestmark = pytest.mark.skipif("HIBACHI_BINARY" not in os.environ, reason="no binary to start")
PATH = "/v0/b/demo.appspot.com/o"
CONTENT = bytes(range(256)) * 5000
MD5 = base64.b64encode(hashlib.md5(CONTENT).digest()).decode()


class Process:
    def __init__(self, *flags, **environment):
        command = [os.environ["HIBACHI_BINARY"], "start", "--port", "0", "--storage-port", "0", *flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment)
        for line in self.process.stdout:
            if found := re.match(r"Storage endpoint: http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                break

    def call(self, method, path, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in fields.items()})
        response = connection.getresponse()
        response.body = response.read()
        connection.close()
        return response

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(timeout=20)
        self.process.stdout.close()
        assert status == (0 if number == signal.SIGTERM else -number)


@contextlib.contextmanager
def running(*flags, **environment):
    process = Process("--log-level", "error", *flags, **environment)
    try:
        yield process
    finally:
        if process.process.poll() is None:
            process.end()


def begin(process):
    answer = process.call("POST", f"{PATH}?name=r", X_Goog_Upload_Protocol="resumable", X_Goog_Upload_Command="start")
    return "/" + answer.headers["X-Goog-Upload-URL"].split("/", 3)[3]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_upload_goes_on_in_the_next_process(tmp_path, number):
    folder = ("--data-dir", str(tmp_path / "data"))
    with running(*folder) as process:
        target = begin(process)
        done = begin(process)
        answer = process.call("POST", target, CONTENT[:300_000], X_Goog_Upload_Command="upload", X_Goog_Upload_Offset="0")
        assert answer.headers["X-Goog-Upload-Size-Received"] == "300000"
        last = process.call("PUT", done.replace("name=r", "name=x"), b"done", X_Goog_Upload_Command="upload, finalize")
        assert last.status == 200
        process.end(number)
    with running(*folder) as process:
        query = process.call("POST", target, b"", X_Goog_Upload_Command="query")
        assert query.headers["X-Goog-Upload-Status"] == "active"
        assert query.headers["X-Goog-Upload-Size-Received"] == "300000"
        again = process.call("POST", done, b"", X_Goog_Upload_Command="query")
        assert (again.headers["X-Goog-Upload-Status"], again.body) == ("final", last.body)
        answer = process.call("POST", target, CONTENT[299_990:], X_Goog_Upload_Command="upload, finalize", X_Goog_Upload_Offset="299990")
        assert answer.status == 200 and json.loads(answer.body)["md5Hash"] == MD5
        assert process.call("GET", f"{PATH}/r?alt=media").body == CONTENT
    assert os.listdir(tmp_path / "data" / "uploads") == []
    assert len(os.listdir(tmp_path / "data" / "objects")) == 1


def test_nothing_is_left_of_an_upload_that_was_killed(tmp_path):
    folder = tmp_path / "data"
    with running("--data-dir", str(folder)) as process:
        with socket.create_connection(("127.0.0.1", process.port)) as connection:
            connection.sendall(f"POST {PATH}?name=k HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n".encode())
            connection.sendall(CONTENT * 3)
            while not (folder / "uploads").exists() or not os.listdir(folder / "uploads"):
                pass
            process.end(signal.SIGKILL)
    assert len(os.listdir(folder / "uploads")) == 1
    with running("--data-dir", str(folder)) as process:
        assert process.call("GET", f"{PATH}/k").status == 404
        while os.listdir(folder / "uploads"):
            assert process.call("GET", "/v0/").status == 200
    assert os.listdir(folder / "objects") == []


def test_a_folder_in_memory_goes_with_the_process(tmp_path):
    with running("--ephemeral", TMPDIR=str(tmp_path)) as process:
        assert process.call("POST", f"{PATH}?name=a", CONTENT).status == 200
        begin(process)
        (folder,) = os.listdir(tmp_path)
        assert len(os.listdir(tmp_path / folder / "objects")) == 1
        assert os.stat(tmp_path / folder).st_mode & 0o77 == 0
    assert os.listdir(tmp_path) == []


def test_a_taken_storage_port_is_named(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [os.environ["HIBACHI_BINARY"], "start", "--port", "0", "--storage-port", str(port), "--data-dir", str(tmp_path)]
        process = subprocess.run(command, capture_output=True, text=True, timeout=10)
    assert process.returncode == 1
    assert re.fullmatch(rf"Port {port} of 127\.0\.0\.1 is already in use( by .*)?\.\n", process.stderr)


def curl(*arguments):
    """The status, the fields and the body of an answer over HTTP/2."""
    command = ["curl", "-sS", "-g", "-i", "--http2-prior-knowledge", "--max-time", "60", *arguments]
    output = subprocess.run(command, capture_output=True, timeout=90, check=True).stdout
    head, _, body = output.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0].startswith("HTTP/2 ")
    fields = dict(line.split(": ", 1) for line in lines[1:])
    assert all(name == name.lower() for name in fields)
    return int(lines[0].split(" ")[1]), fields, body


def test_http2(tmp_path, server):
    origin = f"http://{server.host}:{server.storage_port}"
    url = f"{origin}/v0/b/h2/o"
    (tmp_path / "big").write_bytes(CONTENT * 20)
    file = f"@{tmp_path / 'big'}"
    status, _, body = curl("--data-binary", file, "-H", "Content-Type: a/b", f"{url}?name=big")
    assert status == 200 and json.loads(body)["md5Hash"] == base64.b64encode(hashlib.md5(CONTENT * 20).digest()).decode()
    status, fields, body = curl(f"{url}/big?alt=media")
    assert status == 200 and body == CONTENT * 20 and fields["content-length"] == str(len(body))
    status, fields, body = curl("-H", "Range: bytes=5-9", f"{url}/big?alt=media")
    assert (status, body, fields["content-range"]) == (206, CONTENT[5:10], f"bytes 5-9/{len(CONTENT) * 20}")
    status, fields, _ = curl("--head", f"{url}/big?alt=media")
    assert status == 200 and fields["content-length"] == str(len(CONTENT) * 20)
    start = ["-H", "X-Goog-Upload-Protocol: resumable", "-H", "X-Goog-Upload-Command: start", "-d", "{}"]
    status, fields, body = curl(*start, f"{url}?name=r")
    assert (status, body, fields["x-goog-upload-status"]) == (200, b"", "active")
    target = fields["x-goog-upload-url"]
    assert target.startswith(origin)
    status, fields, _ = curl("-H", "X-Goog-Upload-Command: upload", "--data-binary", file, target)
    assert (status, fields["x-goog-upload-size-received"]) == (200, str(len(CONTENT) * 20))
    status, fields, body = curl("-X", "PUT", "-H", "X-Goog-Upload-Command: finalize", target)
    assert (status, fields["x-goog-upload-status"]) == (200, "final")
    assert json.loads(body)["size"] == str(len(CONTENT) * 20)
    assert curl("-X", "DELETE", f"{url}/big")[0] == 204
    assert curl(f"{url}/big")[0] == 404
