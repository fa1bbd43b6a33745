"""What peers do to uploads and downloads leaves neither a process that ended nor anything behind."""

import contextlib
import http.client
import json
import os
import pathlib
import random
import socket as sockets
import struct
import threading
import time

import pytest
from test_hostile import BAD_HTTP1

OBJECTS = "/v0/b/hostile/o"


def connect(server, timeout=5):
    return sockets.create_connection((server.host, server.storage_port), timeout=timeout)


def request(head, body=b"", length=None):
    method, path, *fields = head.split("|")
    lines = [f"{method} {OBJECTS}{path} HTTP/1.1", "Host: x", f"Content-Length: {len(body) if length is None else length}", *fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize("bytes_", BAD_HTTP1.values(), ids=BAD_HTTP1.keys())
def test_bad_http1(server, bytes_):
    received = b""
    with connect(server, timeout=0.3) as socket:
        try:
            socket.sendall(bytes_)
            while data := socket.recv(65536):
                received += data
        except OSError:
            pass
    assert received == b"" or received.startswith(b"HTTP/1.1 ")
    connection = http.client.HTTPConnection(server.host, server.storage_port, timeout=5)
    connection.request("GET", "/v0/")
    assert connection.getresponse().status == 200
    connection.close()


def aborted(noise):
    """Requests of clients that go away."""
    part = noise.randbytes(noise.randrange(300_000))
    multipart = "Content-Type: multipart/related; boundary=b|X-Goog-Upload-Protocol: multipart"
    return noise.choice([
        request(f"POST|?name=cut{noise.randrange(99)}", part, 5_000_000),
        request(f"POST|?name=cut|{multipart}", b"--b\r\nContent-Type: application/json\r\n\r\n" + b"{" * len(part), 900_000),
        b"POST " + OBJECTS.encode() + b"?name=cut HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n" + part,
        request("GET|/big?alt=media") * noise.randint(1, 30),
        request("POST|?name=same", b"0123456789") * 20,
        request("DELETE|/same") * 5,
        request("GET|/same?alt=media|Range: bytes=3-") * 10,
        request("PATCH|/same", b"[" * len(part), 900_000),
        request("POST|?name=cut|Expect: 100-continue", b"", 500),
        request("HEAD|/big?alt=media") + request("GET|?maxResults=1"),
    ])


def go_away(server, seed):
    noise = random.Random(seed)
    for _ in range(40):
        with connect(server, timeout=0.1) as socket:
            try:
                socket.sendall(aborted(noise))
                if noise.random() < 0.5:
                    socket.recv(noise.randint(1, 100_000))
            except OSError:
                pass
            if noise.random() < 0.5:
                socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))


def test_clients_that_go_away(own_server):
    connection = http.client.HTTPConnection(own_server.host, own_server.storage_port, timeout=10)

    def call(method, path, body=None):
        connection.request(method, OBJECTS + path, body)
        response = connection.getresponse()
        return response.status, response.read()

    big = os.urandom(3_000_000)
    assert call("POST", "?name=big", big)[0] == 200

    def descriptors():
        """Of connections and of objects."""
        count = 0
        for entry in pathlib.Path(f"/proc/{own_server.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                file = os.readlink(entry)
                count += "socket:" in file or "/objects/" in file or "/uploads/" in file
        return count

    before = descriptors()
    threads = [threading.Thread(target=go_away, args=(own_server, seed)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    deadline = time.monotonic() + 10
    while True:
        status, body = call("GET", "")
        assert status == 200
        names = {item["name"] for item in json.loads(body)["items"]}
        files = len(os.listdir(own_server.folder / "objects")), len(os.listdir(own_server.folder / "uploads"))
        if descriptors() <= before and files == (len(names), 0):
            break
        assert time.monotonic() < deadline, f"{descriptors()} descriptors after {before}, {files} files of {names}"
        time.sleep(0.02)
    assert names <= {"big", "same"}
    assert call("GET", "/big?alt=media") == (200, big)
    connection.close()


def test_a_form_of_nothing_but_names_is_refused(server):
    """Each field is kept until the file comes, so names count too."""
    fields = "".join(f'--b\r\nContent-Disposition: form-data; name="f{number}"\r\n\r\n\r\n' for number in range(30_000))
    connection = http.client.HTTPConnection(server.host, server.storage_port, timeout=10)
    connection.request("POST", "/hostile", fields + "--b--\r\n", {"Content-Type": "multipart/form-data; boundary=b"})
    answer = connection.getresponse()
    assert (answer.status, b"too long" in answer.read()) == (400, True)
    connection.close()
