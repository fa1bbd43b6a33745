"""The command as people and tools type it: exec, clear, status, healthcheck, names of other tools, files of Firebase."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

pytestmark = pytest.mark.skipif("HIBACHI_BINARY" not in os.environ, reason="no binary to start")
BINARY = os.path.abspath(os.environ.get("HIBACHI_BINARY", ""))


RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /open/{id} { allow read; }
  }
}
"""


def run(*arguments, **options):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60, **options)


def python(*lines):
    return [sys.executable, "-c", "\n".join(lines)]


class Started:
    """A server whose output is read until it says that it runs."""

    def __init__(self, arguments, cwd, executable=None, environment=None):
        self.process = subprocess.Popen(
            arguments, executable=executable or BINARY, cwd=cwd, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if "running" in line:
                break

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.errors = self.process.communicate(timeout=10)[1]

    @property
    def address(self):
        return next(line.split("http://")[1] for line in self.lines if "API endpoint" in line)


def test_exec_runs_a_test_suite(tmp_path):
    (tmp_path / "test_one.py").write_text(
        "from google.cloud import firestore\n"
        "def test_it():\n"
        "    client = firestore.Client()\n"
        "    client.document('a/b').set({'n': 1})\n"
        "    assert client.document('a/b').get().to_dict() == {'n': 1}\n")
    result = run("exec", "--project", "demo-x", "--", sys.executable, "-m", "pytest", "-q", "test_one.py", cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "1 passed" in result.stdout


def test_exec_sets_what_libraries_look_for(tmp_path):
    names = ["FIRESTORE_EMULATOR_HOST", "FIREBASE_STORAGE_EMULATOR_HOST", "STORAGE_EMULATOR_HOST", "GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT", "FIREBASE_CONFIG", "OTHER"]
    result = run("exec", "--", *python("import json, os", f"print(json.dumps([os.environ.get(n) for n in {names}]))"),
                 cwd=tmp_path, env={**os.environ, "OTHER": "kept"})
    firestore, storage, storage_url, project, same, config, other = json.loads(result.stdout)
    assert firestore.startswith("127.0.0.1:") and storage.startswith("127.0.0.1:") and firestore != storage
    assert storage_url == f"http://{storage}"
    assert project == same == json.loads(config)["projectId"] == "demo-hibachi" and other == "kept"
    assert list(tmp_path.iterdir()) == []


def test_fake_gcs_server(tmp_path):
    """As Testcontainers starts it: wait for the line, ask for its health, say where clients find it, load what is there."""
    seed = tmp_path / "data" / "seeded" / "folder"
    seed.mkdir(parents=True)
    (seed / "a.txt").write_text("hello")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        ["fake-gcs-server", "-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-backend", "memory",
         "-data", str(tmp_path / "data")], executable=BINARY, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        base = f"http://127.0.0.1:{port}"
        assert f"server started at {base}" in process.stdout.readline()
        assert requests.get(f"{base}/_internal/healthcheck").status_code == 200
        assert requests.get(f"{base}/storage/v1/b/seeded/o/folder%2Fa.txt?alt=media").text == "hello"
        start = f"{base}/upload/storage/v1/b/seeded/o?uploadType=resumable&name=b"
        assert requests.post(start).headers["Location"].startswith(f"{base}/upload/")
        assert requests.put(f"{base}/_internal/config", json={"externalUrl": "http://gcs.test:1234"}).status_code == 200
        assert requests.post(start).headers["Location"].startswith("http://gcs.test:1234/upload/")
        media = requests.get(f"{base}/storage/v1/b/seeded/o/folder%2Fa.txt").json()["mediaLink"]
        assert media.startswith("http://gcs.test:1234/download/")
        assert requests.put(f"{base}/_internal/config", data="x").status_code == 400
        assert requests.post(start.replace("seeded", "missing")).status_code == 404
        bucket = {"name": "kept", "versioning": {"enabled": True}}
        assert requests.post(f"{base}/storage/v1/b?project=p", json=bucket).status_code == 200
        upload = f"{base}/upload/storage/v1/b/kept/o?uploadType=media&name=a"
        assert {requests.post(upload, "x").status_code for _ in range(2)} == {200}
        assert requests.delete(f"{base}/storage/v1/b/kept").status_code == 409
        assert requests.delete(f"{base}/storage/v1/b/kept/o/a").status_code == 204
        assert requests.delete(f"{base}/storage/v1/b/kept").status_code == 204
        evil = {"Origin": "http://evil.example"}
        assert requests.put(f"{base}/_internal/config", json={}, headers=evil).status_code == 403
    finally:
        process.terminate()
        assert process.wait(timeout=10) == 0


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_exec_gives_the_status_of_the_command(code):
    assert run("exec", "--", "sh", "-c", f"exit {code}").returncode == code


def test_exec_of_what_cannot_be_run(tmp_path):
    missing = run("exec", "--", "no-such-program-here")
    assert missing.returncode == 127 and missing.stderr.count("\n") == 1
    (tmp_path / "plain").write_text("")
    assert run("exec", "--", str(tmp_path / "plain")).returncode == 126


def test_exec_of_a_command_that_is_killed():
    assert run("exec", "--", "sh", "-c", "kill -9 $$").returncode == 137


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_exec_passes_signals_on(sent, tmp_path):
    code = python("import signal, sys, time",
                  f"signal.signal({int(sent)}, lambda *_: (print('caught', flush=True), sys.exit(9)))",
                  "print('ready', flush=True)", "time.sleep(60)")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    process = subprocess.Popen([BINARY, "exec", "--", *code], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "TMPDIR": str(temporary)})
    assert process.stdout.readline() == "ready\n"
    process.send_signal(sent)
    assert process.communicate(timeout=10)[0] == "caught\n"
    assert process.returncode == 9
    assert list(temporary.iterdir()) == []


def test_ctrl_c_on_a_terminal_reaches_the_command_once():
    import pty
    process, terminal = pty.fork()
    if process == 0:
        code = python("import signal, time", "n = []", "signal.signal(2, lambda *_: n.append(1))",
                      "print('ready', flush=True)", "time.sleep(1)", "print('times', len(n), flush=True)")
        os.execv(BINARY, [BINARY, "exec", "--", *code])
    text = b""
    while b"ready" not in text:
        text += os.read(terminal, 1000)
    os.write(terminal, b"\x03")
    try:
        while data := os.read(terminal, 1000):
            text += data
    except OSError:
        pass
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert b"times 1" in text, text


def test_twenty_at_once():
    code = python(
        "import os, requests",
        "url = 'http://' + os.environ['FIRESTORE_EMULATOR_HOST'] + '/v1/projects/p/databases/(default)/documents/c'",
        "assert requests.post(url, json={}).status_code == 200",
        "assert len(requests.get(url).json()['documents']) == 1")
    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(lambda _: run("exec", "--", *code), range(20)))
    assert [result.returncode for result in results] == [0] * 20, results


def test_ports_clear_status_and_health(tmp_path):
    with Started(["hibachi", "start", "--port", "0", "--storage-port", "0", "--port-file", "ports", "--data-dir", "d"], tmp_path) as server:
        port, storage = (tmp_path / "ports").read_text().split()
        assert server.address == f"127.0.0.1:{port}"
        assert f"   export FIREBASE_STORAGE_EMULATOR_HOST=127.0.0.1:{storage}" in server.lines
        assert f"   export STORAGE_EMULATOR_HOST=http://127.0.0.1:{storage}" in server.lines
        assert f"   export FIRESTORE_EMULATOR_HOST=127.0.0.1:{port}" in server.lines
        assert run("healthcheck", "--port", port).returncode == 0
        status = json.loads(run("status", "--port", port).stdout)
        assert (status["processId"], status["firestore"], status["dataFolder"]) == (server.process.pid, server.address, "d")
        url = f"http://{server.address}/v1/projects/p/databases/(default)/documents/c"
        requests.post(url, json={}).raise_for_status()
        assert run("clear", "--port", port, "--project", "p").returncode == 0
        assert requests.get(url).json() == {}
        refused = run("clear", "--port", port, "--project", "P!")
        assert refused.returncode == 1 and refused.stderr
    assert not (tmp_path / "ports").exists()
    for command in ["healthcheck", "status", "clear"]:
        result = run(command, "--port", port, *(["--project", "p"] if command == "clear" else []))
        assert result.returncode == 1 and f"127.0.0.1:{port}" in result.stderr and result.stderr.count("\n") == 1


def test_clear_needs_a_project(tmp_path):
    environment = {name: value for name, value in os.environ.items() if "CLOUD_PROJECT" not in name}
    result = run("clear", cwd=tmp_path, env=environment)
    assert result.returncode == 2 and "--project" in result.stderr


def test_the_owner_of_a_taken_port_is_named(tmp_path):
    with Started(["hibachi", "start", "--port", "0", "--storage-port", "0", "--ephemeral"], tmp_path) as server:
        port = server.address.split(":")[1]
        result = run("start", "--ephemeral", "--port", port, "--storage-port", "0")
        assert result.returncode == 1
        assert f"Port {port} of 127.0.0.1 is already in use by " in result.stderr and f"(process {server.process.pid})" in result.stderr
        storage = next(line for line in server.lines if "Storage endpoint" in line).rsplit(":", 1)[1]
        result = run("start", "--ephemeral", "--port", "0", "--storage-port", storage)
        assert result.returncode == 1 and f"Port {storage} of 127.0.0.1 is already in use by " in result.stderr


def test_without_storage(tmp_path):
    with Started(["hibachi", "start", "--port", "0", "--no-storage", "--ephemeral"], tmp_path) as server:
        assert not any("torage" in line for line in server.lines)


def test_the_server_ends_with_its_parent(tmp_path):
    parent = subprocess.Popen(["sleep", "60"])
    with Started(["hibachi", "start", "--port", "0", "--no-storage", "--ephemeral", "--parent-pid", str(parent.pid)], tmp_path) as server:
        assert server.process.poll() is None
        parent.kill()
        parent.wait()
        assert server.process.wait(timeout=10) == 0


def test_firebase_files_above(tmp_path):
    (tmp_path / "firebase.json").write_text(
        '{ /* ports */ "firestore": {"rules": "firestore.rules"}, "emulators": {"firestore": {"port": 0}, "storage": {"port": 0}}}')
    (tmp_path / ".firebaserc").write_text('{"projects": {"default": "demo-mine"}}')
    (tmp_path / "firestore.rules").write_text(RULES)
    (tmp_path / "web").mkdir()
    with Started(["hibachi", "start", "--ephemeral"], tmp_path / "web") as server:
        status = requests.get(f"http://{server.address}/emulator/v1/status").json()
        assert status["project"] == "demo-mine" and "dataFolder" not in status
        requests.get(f"http://{server.address}/v1/projects/other/databases/(default)/documents/c")
        refused = requests.get(f"http://{server.address}/v1/projects/demo-mine/databases/(default)/documents/c")
        assert refused.status_code == 403
    assert "Requested project ID other" in server.errors
    told = next(line for line in server.errors.split("\n") if "refused by rules" in line)
    assert "databases/(default)/documents/c" in told and "nobody signed in" in told
    (tmp_path / "firebase.json").write_text("{")
    broken = run("start", cwd=tmp_path)
    assert broken.returncode == 1 and broken.stderr == "firebase.json cannot be read: line 1 is not what it should be.\n"


def test_databases_of_firebase_files(tmp_path):
    """Each database has its own file, which is read again when it changes; rules that a test sets are those of (default)."""
    (tmp_path / "firebase.json").write_text(json.dumps({
        "firestore": [{"database": "(default)", "rules": "a.rules"}, {"target": "more", "rules": "b.rules"}],
        "emulators": {"firestore": {"port": 0}, "storage": {"port": 0}}}))
    (tmp_path / ".firebaserc").write_text(json.dumps({
        "projects": {"default": "demo-mine"}, "targets": {"demo-mine": {"firestore": {"more": ["second"]}}}}))
    closed = "rules_version = '2'; service cloud.firestore { match /{p=**} { allow read: if false; } }"
    (tmp_path / "a.rules").write_text(closed)
    (tmp_path / "b.rules").write_text(closed.replace("if false", "if true"))
    with Started(["hibachi", "start", "--ephemeral"], tmp_path) as server:
        def status(database):
            return requests.get(f"http://{server.address}/v1/projects/demo-mine/databases/{database}/documents/c").status_code

        assert [status("(default)"), status("second"), status("third")] == [403, 200, 200]
        rules = {"rules": {"files": [{"content": closed.replace("if false", "if true")}]}}
        assert requests.put(f"http://{server.address}/emulator/v1/projects/demo-mine:securityRules", json=rules).status_code == 200
        (tmp_path / "b.rules").write_text(closed)
        deadline = time.monotonic() + 10
        while status("second") == 200:
            assert time.monotonic() < deadline, "the file is not read again"
            time.sleep(0.1)
        assert status("(default)") == 200


@pytest.fixture
def names(tmp_path):
    """A folder with the binary under other tools' names, as in the container image."""
    folder = tmp_path / "names"
    folder.mkdir()
    for name in ["gcloud", "cloud_firestore_emulator", "hibachi"]:
        (folder / name).symlink_to(BINARY)
    return folder


@pytest.mark.parametrize(
    "command",
    [
        # testcontainers-java, -go, -node: the shell runs the line
        ["/bin/sh", "-c", "gcloud beta emulators firestore start --host-port 127.0.0.1:{port}"],
        ["/bin/sh", "-c", "gcloud beta emulators firestore start --host-port 127.0.0.1:{port} --project=test-project"],
        ["/bin/sh", "-c", "gcloud emulators firestore start --host-port=127.0.0.1:{port} --project=test-project"],
        # testcontainers-dotnet: entrypoint gcloud
        ["gcloud", "beta", "emulators", "firestore", "start", "--host-port", "127.0.0.1:{port}"],
        ["cloud_firestore_emulator", "start", "--host=127.0.0.1", "--port={port}"],
        ["cloud_firestore_emulator", "--host", "127.0.0.1", "--port", "{port}", "--websocket_port", "9150",
         "--project_id", "demo", "--rules", "firestore.rules", "--single_project_mode", "true"],
    ],
)
def test_names_of_other_tools(command, names, tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (tmp_path / "firestore.rules").write_text(RULES)
    words = [word.format(port=port) for word in command]
    with Started(words, tmp_path, executable=words[0], environment={"PATH": f"{names}:{os.environ['PATH']}"}) as server:
        ready = server.lines[-1]
        assert ready == ("[firestore] " if "gcloud" in " ".join(command) else "") + "Dev App Server is now running."
        assert requests.get(f"http://127.0.0.1:{port}/").text == "Ok\n"
        assert requests.post(f"http://127.0.0.1:{port}/shutdown").text == "Shutting down...\n"
        assert server.process.wait(timeout=10) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["firestore.rules", "names"]


def test_a_project_is_insisted_on(names, tmp_path):
    words = ["cloud_firestore_emulator", "--port", "0", "--project_id", "demo", "--single_project_mode_error"]
    with Started(words, tmp_path, executable=str(names / "cloud_firestore_emulator")) as server:
        documents = "databases/(default)/documents/c"
        assert requests.get(f"http://{server.address}/v1/projects/demo/{documents}").status_code == 200
        refused = requests.get(f"http://{server.address}/v1/projects/other/{documents}")
        assert refused.status_code == 400
        assert refused.json()["error"]["message"].startswith("Multiple projectIds are not permitted in single project mode.")
