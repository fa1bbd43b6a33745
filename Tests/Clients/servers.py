"""Two servers for comparisons: ours, and the official emulator where it is installed."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import time

PACKAGE = "google-cloud-cli-firestore-emulator"


class Database:
    """One database over a kept connection."""

    def __init__(self, address, project):
        host, port = address.rsplit(":", 1)
        self.address, self.name = address, f"projects/{project}/databases/(default)"
        self.connection = http.client.HTTPConnection(host, int(port), timeout=60)

    def call(self, method, path, body=None):
        payload = None if body is None else json.dumps(body)
        self.connection.request(method, path, payload, {"Content-Type": "application/json", "Authorization": "Bearer owner"})
        response = self.connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text.strip() else None

    def documents(self, verb, body):
        return self.call("POST", f"/v1/{self.name}/documents:{verb}", body)

    def clear(self):
        status, answer = self.call("DELETE", f"/emulator/v1/{self.name}/documents")
        assert status == 200, answer


def official_binary():
    """Where the official emulator is; `None` where it is not installed."""
    try:
        files = subprocess.run(["dpkg", "-L", PACKAGE], capture_output=True, text=True).stdout.split("\n")
    except OSError:
        return None
    return next((file for file in files if file.endswith("/cloud_firestore_emulator")), None)


@contextlib.contextmanager
def official_emulator():
    """The address of an official emulator of our own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [official_binary(), "--host", "127.0.0.1", "--port", str(port)]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert process.poll() is None and time.monotonic() < deadline, "the official emulator does not start"
                time.sleep(0.1)
        yield f"127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
