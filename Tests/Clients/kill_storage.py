"""Kills a server under four uploaders, again and again, and looks for every object that it had answered for.

    kill_storage.py BINARY [ROUNDS]

Each uploader puts new objects and one that is always the same, in one request or in pieces, and deletes some. After each
kill, the new server has to have every object that was answered, whole, as it was or as the request under way would have
made it; uploads in pieces go on from what had arrived. In the end no file may be there that belongs to no object.
"""

import base64
import hashlib
import http.client
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import google_crc32c

BUCKET = "demo-kill.appspot.com"
UPLOADERS = 4


class Server:
    def __init__(self, binary, folder):
        command = [binary, "start", "--port", "0", "--storage-port", "0", "--data-dir", folder, "--log-level", "error"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if line.startswith("Storage endpoint:"):
                break
        self.port = int(line.rsplit(":", 1)[1])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


class Connection:
    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)

    def __call__(self, method, path, body=None, fields={}):
        self.connection.request(method, path, body, {"Authorization": "Bearer owner"} | fields)
        response = self.connection.getresponse()
        return response.status, response.headers, response.read()

    def close(self):
        self.connection.close()


def url(name=None, **query):
    path = f"/v0/b/{BUCKET}/o" + ("" if name is None else "/" + urllib.parse.quote(name, safe=""))
    return path + ("?" + urllib.parse.urlencode(query) if query else "")


def upload_url(name):
    return f"{url()}?{urllib.parse.urlencode({'name': name})}"


def content(seed):
    """What an upload brings; its seed is the name of the object and a number."""
    source = random.Random(seed)
    return source.randbytes(source.choice([0, 10, 5_000, 300_000, 700_000]))


class Uploader:
    """What one client was answered, and the request that it did not see the end of."""

    def __init__(self, index):
        self.index, self.number, self.random = index, 0, random.Random(index)
        self.objects = {}  # name → seed of the content
        self.pending = None  # name, and the seed that it then has
        self.session = None  # of an upload in pieces that is not finished: path, name, seed

    def run(self, server):
        connection = Connection(server)
        try:
            if self.session:
                self.resume(connection)
            while True:
                self.step(connection)
        except (OSError, http.client.HTTPException):
            pass  # killed
        finally:
            connection.close()

    def step(self, connection):
        self.number += 1
        kind = self.random.choice(["media", "media", "multipart", "pieces", "pieces", "delete"])
        name = f"画像/{self.index}/{self.number}" if self.random.random() < 0.6 else f"same/{self.index}"
        if kind == "delete":
            name = self.random.choice([*self.objects, name])
        seed = None if kind == "delete" else f"{name} {self.number}"
        self.pending = name, seed
        getattr(self, kind)(connection, name, seed)
        self.settle(name, seed)

    def settle(self, name, seed):
        self.pending = self.session = None
        if seed is None:
            self.objects.pop(name, None)
        else:
            self.objects[name] = seed

    def media(self, connection, name, seed):
        self.answered(seed, connection("POST", upload_url(name), content(seed), {"Content-Type": "image/jpeg"}))

    def multipart(self, connection, name, seed):
        body = b"--x\r\nContent-Type: application/json\r\n\r\n" + json.dumps({"name": name}).encode()
        body += b"\r\n--x\r\nContent-Type: image/jpeg\r\n\r\n" + content(seed) + b"\r\n--x--"
        fields = {"X-Goog-Upload-Protocol": "multipart", "Content-Type": "multipart/related; boundary=x"}
        self.answered(seed, connection("POST", upload_url(name), body, fields))

    def pieces(self, connection, name, seed):
        fields = {"X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"}
        status, headers, _ = connection("POST", upload_url(name), None, fields)
        assert status == 200
        self.session = "/" + headers["X-Goog-Upload-URL"].split("/", 3)[3], name, seed
        self.send(connection, 0)

    def resume(self, connection):
        """Goes on with an upload that a kill interrupted; its end may have arrived."""
        path, name, seed = self.session
        self.pending = name, seed
        status, headers, _ = connection("POST", path, b"", {"X-Goog-Upload-Command": "query"})
        assert status == 200, "an upload was forgotten"
        if headers["X-Goog-Upload-Status"] == "active":
            self.send(connection, int(headers["X-Goog-Upload-Size-Received"]))
        else:
            assert headers["X-Goog-Upload-Status"] == "final"
        self.settle(name, seed)

    def send(self, connection, start):
        path, _, seed = self.session
        data = content(seed)
        while len(data) - start > 262_144:
            fields = {"X-Goog-Upload-Command": "upload", "X-Goog-Upload-Offset": str(start)}
            status, headers, _ = connection("POST", path, data[start:start + 262_144], fields)
            start = int(headers["X-Goog-Upload-Size-Received"])
            assert status == 200
        fields = {"X-Goog-Upload-Command": "upload, finalize", "X-Goog-Upload-Offset": str(start)}
        self.answered(seed, connection("POST", path, data[start:], fields))

    def delete(self, connection, name, _):
        status, _, _ = connection("DELETE", url(name))
        assert status == (204 if name in self.objects else 404)

    def answered(self, seed, answer):
        status, _, body = answer
        assert status == 200, body
        check_metadata(json.loads(body), content(seed))

    def check(self, connection, found):
        """Compares what is there with what was answered, and takes over how the last request ended."""
        if self.pending:
            name, seed = self.pending
            if self.matches(found.get(name), seed):
                self.objects.pop(name, None)
                if seed is not None:
                    self.objects[name] = seed
            self.pending = None
        mine = {name for name in found if f"/{self.index}" in name and name.split("/")[1] == str(self.index)}
        assert mine == set(self.objects), f"missing or left: {mine ^ set(self.objects)}"
        for name, seed in self.objects.items():
            status, _, body = connection("GET", url(name, alt="media"))
            assert status == 200 and body == content(seed), f"{name} is not what was sent"
            check_metadata(found[name], body)

    def matches(self, metadata, seed):
        if metadata is None or seed is None:
            return metadata is None and seed is None
        return metadata["md5Hash"] == hashes(content(seed))[0]


def hashes(data):
    encoded = [hashlib.md5(data).digest(), google_crc32c.Checksum(data).digest()]
    return [base64.b64encode(digest).decode() for digest in encoded]


def check_metadata(metadata, data):
    assert [metadata["md5Hash"], metadata["crc32c"]] == hashes(data) and metadata["size"] == str(len(data))


def listed(connection):
    """The metadata of all objects by name."""
    found, token = {}, None
    while True:
        status, _, body = connection("GET", url(**({"pageToken": token} if token else {})))
        assert status == 200
        answer = json.loads(body)
        for item in answer["items"]:
            status, _, metadata = connection("GET", url(item["name"]))
            assert status == 200, "listed but not there"
            found[item["name"]] = json.loads(metadata)
        token = answer.get("nextPageToken")
        if token is None:
            return found


def check_files(folder, count):
    """When the server has tidied up, there is one file for each object."""
    deadline = time.monotonic() + 10
    while True:
        kept = sum(1 for _ in (folder / "objects").iterdir())
        begun = sum(1 for _ in (folder / "uploads").iterdir())
        if (kept, begun) == (count, 0):
            return
        assert time.monotonic() < deadline, f"{kept} and {begun} files for {count} objects"
        time.sleep(0.02)


def main(binary, rounds=10):
    random.seed(1)
    uploaders = [Uploader(index) for index in range(UPLOADERS)]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(binary, folder)
        for _ in range(rounds):
            threads = [threading.Thread(target=uploader.run, args=(server,)) for uploader in uploaders]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.1, 0.8))
            server.kill()
            for thread in threads:
                thread.join()
            server = Server(binary, folder)
            connection = Connection(server)
            found = listed(connection)
            for uploader in uploaders:
                uploader.check(connection, found)
        for uploader in uploaders:
            if uploader.session:
                uploader.resume(connection)
        count = len(listed(connection))
        assert count == sum(len(uploader.objects) for uploader in uploaders)
        check_files(pathlib.Path(folder), count)
        server.kill()
    requests = sum(uploader.number for uploader in uploaders)
    print(f"{rounds} kills, {requests} uploads and deletions, nothing answered was lost, nothing torn, nothing left")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
