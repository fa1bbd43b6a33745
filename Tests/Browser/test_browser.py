"""Pages of another origin in a real browser."""

import json
import os
import sys

import pytest
from browser import HERE, Pages, browser, chromium, origin

sys.path.append(str(HERE.parent / "Clients"))
import kill  # noqa: E402

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium: install Debian's package chromium, or name a binary in HIBACHI_CHROMIUM")

TRANSPORTS = ["fetch", "xhr", "poll"]


@pytest.fixture(scope="module")
def pages():
    with origin() as pages:
        yield pages


@pytest.fixture(scope="module")
def chrome(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("browser")) as chrome:
        yield chrome


@pytest.fixture
def tab(chrome, pages, server):
    with chrome.tab(pages, server.address) as tab:
        yield tab


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_listen_and_write(tab, project, transport):
    assert tab.flow("listenAndWrite", project, transport) == {"text": "héllo 😀", "transforms": 1, "session": True, "isStreaming": True, "refusal": "NOT_FOUND"}


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_lost_back_channels(tab, project, transport):
    assert tab.flow("loseBackChannel", project, transport) == {"channels": 1, "requests": True}


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_two_tabs(tab, chrome, pages, server, project, transport):
    tab.flow("open", project, transport)
    with chrome.tab(pages, server.address) as other:
        other.flow("open", project, transport)
        other.flow("writes", project, "one", transport)
        assert tab.flow("hears", ["one"])["documents"] == ["one"]
        tab.flow("writes", project, "two", transport)
        assert other.flow("hears", ["two"])["documents"] == ["one", "two"]


@pytest.mark.skipif("HIBACHI_BINARY" not in os.environ, reason="no binary to start")
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_restart_of_the_server(chrome, pages, project, transport, tmp_path, unused_port):
    life = Life(str(tmp_path), unused_port)
    with chrome.tab(pages, f"127.0.0.1:{unused_port}") as tab:
        tab.flow("open", project, transport)
        life.write(project, "before")
        tab.flow("hears", ["before"])
        life.kill()
        life = Life(str(tmp_path), unused_port)
        life.write(project, "after")
        heard = tab.flow("hears", ["before", "after"])
        assert heard["channels"] == 2 and heard["documents"] == ["after", "before"]
    life.kill()


def test_good_bye(tab, project):
    assert "Unknown SID" in tab.flow("terminates", project)


def test_calls_that_are_no_streams(tab, project):
    assert tab.flow("unary", project) == {"committed": 200, "found": ["found", "missing"], "count": "1", "refused": [409, "ALREADY_EXISTS"]}


@pytest.mark.skipif(Pages.sdk is None, reason="no web SDK: name a folder with firebase-app.js and firebase-firestore.js in HIBACHI_WEB_SDK")
@pytest.mark.parametrize("settings", [{}, {"experimentalForceLongPolling": True}, {"useFetchStreams": False}, {"experimentalAutoDetectLongPolling": False}], ids=str)
def test_the_web_sdk(tab, project, settings):
    assert tab.flow("sdk", project, settings) == {"text": "héllo 😀", "n": 1, "count": 1}


class Life(kill.Server):
    """A server at a port that stays the same from life to life."""

    def __init__(self, folder, port):
        super().__init__(os.environ["HIBACHI_BINARY"], folder, port)

    def write(self, project, id):
        name = f"projects/{project}/databases/(default)/documents/rooms/{id}"
        self.connection.request("POST", f"/v1/projects/{project}/databases/(default)/documents:commit", json.dumps({"writes": [{"update": {"name": name, "fields": {}}}]}))
        assert self.connection.getresponse().read()


@pytest.fixture
def unused_port():
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
