"""Hostile clients of WebChannel: floods, garbage, requests that end half-way."""

import http.client
import random

import pytest

ORIGIN = "http://localhost:5000"
PATH = "/google.firestore.v1.Firestore/Listen/channel"
FORM = "headers=A%3Ab%0D%0A&count=2&ofs=0&req0___data__=%7B%22database%22%3A%22x%22%7D&req1_type=_badmap"


class Client:
    def __init__(self, server):
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=10)

    def ask(self, method, query, body=None):
        self.connection.request(method, PATH + query, body, {"Origin": ORIGIN})
        response = self.connection.getresponse()
        assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
        return response.status, response.read().decode()


@pytest.fixture
def client(server):
    return Client(server)


def session(text):
    return text.split('"')[3]


def test_a_flood_of_handshakes(client, server):
    """Refused from a number on, for as long as the sessions live."""
    sessions = []
    try:
        for _ in range(5_000):
            status, text = client.ask("POST", "?VER=8&RID=1", "count=0")
            if status != 200:
                break
            sessions.append(session(text))
        assert status == 503 and 3_000 < len(sessions) < 5_000
    finally:
        for id in sessions:
            assert client.ask("POST", f"?VER=8&SID={id}&TYPE=terminate", "")[0] == 200
    status, text = client.ask("POST", "?VER=8&RID=1", "count=0")
    assert status == 200
    client.ask("GET", f"?VER=8&SID={session(text)}&TYPE=terminate")


@pytest.mark.parametrize("seed", range(20))
def test_garbage(client, seed):
    """Any answer, but an answer."""
    random.seed(seed)
    _, text = client.ask("POST", "?VER=8&RID=1", "count=0")
    id = session(text)

    def broken(text):
        text = list(text)
        for _ in range(random.randrange(4)):
            index = random.randrange(len(text))
            text[index : index + random.randrange(3)] = random.choice(["", "%", "&", "=", "%ff", "9" * 20, "é", "\0"])
        return "".join(text)

    for _ in range(50):
        query = "".join(c for c in broken(f"?VER=8&SID={id}&RID=2&AID=0&TYPE=xmlhttp") if c > " " and c < "\x7f")
        status, _ = client.ask("POST", query, broken(FORM).encode())
        # 404 where the question mark went: that is another path.
        assert status in (200, 400, 404, 413, 503)
    client.ask("POST", f"?VER=8&SID={id}&TYPE=terminate", "")


@pytest.mark.parametrize("message", ["", "{", "[]", "null", '{"addTarget":5}', "[" * 100_000, '{"x":' * 100_000, '"\\ud800"', "\0"])
def test_messages_that_are_none(client, message):
    """The stream ends with an error that the page can read."""
    from urllib.parse import quote

    _, text = client.ask("POST", "?VER=8&RID=1", "count=1&ofs=0&req0___data__=" + quote(message))
    status, answer = client.ask("GET", f"?VER=8&SID={session(text)}&RID=rpc&AID=0&CI=1")
    assert status == 200 and '"status":"INVALID_ARGUMENT"' in answer


def test_requests_that_end_half_way(server):
    for cut in range(0, len(FORM), 7):
        connection = server.connect()
        connection.sendall(f"POST {PATH}?VER=8&RID=1 HTTP/1.1\r\nHost: h\r\nContent-Length: {len(FORM)}\r\n\r\n{FORM[:cut]}".encode())
        connection.close()
