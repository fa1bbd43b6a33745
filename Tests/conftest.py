"""A server for the tests: the one at HIBACHI_TEST_SUBJECT, or the binary at HIBACHI_BINARY on a free port."""

import contextlib
import os
import socket
import subprocess
import time
import uuid

import pytest


def pytest_runtest_setup(item):
    if item.get_closest_marker("long") and "HIBACHI_SYSTEM_TESTS" not in os.environ:
        pytest.skip("HIBACHI_SYSTEM_TESTS is not set")


class Server:
    """Where the server listens, its process if the tests started it, and its data folder if they made that."""

    def __init__(self, host, port, process=None, storage_port=9199):
        self.host, self.port, self.process, self.folder = host, port, process, None
        self.storage_port = storage_port

    @property
    def address(self):
        return f"{self.host}:{self.port}"

    def connect(self, timeout=10):
        return socket.create_connection((self.host, self.port), timeout=timeout)

    def start(self, *flags):
        ports = ["--port", str(self.port), "--storage-port", str(self.storage_port)]
        self.flags = flags
        self.process = subprocess.Popen([os.environ["HIBACHI_BINARY"], "start", *ports, *flags])
        accepts(self.port, self.process)
        accepts(self.storage_port, self.process)

    def kill_and_start(self):
        """Ends the process without a warning and starts another one like it."""
        self.process.kill()
        self.process.wait()
        self.start(*self.flags)

    def is_alive(self):
        """Whether the process still runs, if it is ours, and takes connections."""
        if self.process is not None and self.process.poll() is not None:
            return False
        self.connect().close()
        return True


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port, process, seconds=10):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.01)
    raise RuntimeError("the server does not take connections")


@contextlib.contextmanager
def started(*flags):
    """A server of our own, which must still run at the end and stop when it is told to."""
    server = Server("127.0.0.1", free_port(), storage_port=free_port())
    server.start(*flags)
    yield server
    assert server.process.poll() is None, f"the server ended with {server.process.returncode}"
    server.process.terminate()
    assert server.process.wait(timeout=10) == 0


@pytest.fixture(scope="session")
def server():
    subject = os.environ.get("HIBACHI_TEST_SUBJECT")
    if subject:
        host, port = subject.rsplit(":", 1)
        yield Server(host, int(port))
        return
    with started("--ephemeral") as server:
        yield server


@pytest.fixture(scope="session")
def durable_server(tmp_path_factory):
    """A server with a data folder."""
    if "HIBACHI_BINARY" not in os.environ:
        pytest.skip("no binary to start")
    folder = tmp_path_factory.mktemp("data")
    with started("--data-dir", str(folder)) as server:
        server.folder = folder
        yield server


@pytest.fixture
def own_server(tmp_path):
    """A server with a data folder for one test, which may kill it."""
    if "HIBACHI_BINARY" not in os.environ:
        pytest.skip("no binary to start")
    with started("--data-dir", str(tmp_path)) as server:
        server.folder = tmp_path
        yield server


@pytest.fixture
def start():
    """Starts servers with flags of a test's own, until it ends."""
    if "HIBACHI_BINARY" not in os.environ:
        pytest.skip("no binary to start")
    with contextlib.ExitStack() as stack:
        yield lambda *flags: stack.enter_context(started(*flags))


@pytest.fixture
def project():
    """A project of its own for each test."""
    return f"demo-{uuid.uuid4().hex[:12]}"


@pytest.fixture(autouse=True)
def survives(server):
    """No test may end the process."""
    yield
    assert server.is_alive()
