"""The client side of WebChannel as the web SDK uses it, on plain sockets."""

import http.client
import itertools
import json
import time
import urllib.parse

ORIGIN = "http://localhost:5000"


class Unknown(Exception):
    """The server does not know the session."""


class Frames:
    """Takes pieces apart: a length in UTF-16 code units, a line feed, JSON."""

    def __init__(self):
        self.units = b""
        self.bytes = b""

    def feed(self, data):
        self.bytes += data
        cut = len(self.bytes)
        while cut and self.bytes[cut - 1] & 0xC0 == 0x80:
            cut -= 1
        if cut and self.bytes[cut - 1] >= 0xC0:
            cut -= 1  # the last character may still be in parts
        else:
            cut = len(self.bytes)
        try:
            text = self.bytes.decode("utf-8")
            cut = len(self.bytes)
        except UnicodeDecodeError:
            text = self.bytes[:cut].decode("utf-8")
        self.bytes = self.bytes[cut:]
        self.units += text.encode("utf-16-le")
        pieces = []
        while (end := self.units.find(b"\n\0")) >= 0:
            while end % 2:
                end = self.units.find(b"\n\0", end + 1)
            if end < 0:
                break
            length = int(self.units[:end].decode("utf-16-le"))
            start = end + 2
            if len(self.units) < start + 2 * length:
                break
            pieces.append(json.loads(self.units[start:start + 2 * length].decode("utf-16-le")))
            self.units = self.units[start + 2 * length:]
        return pieces

    @property
    def is_empty(self):
        return not self.units and not self.bytes


class Channel:
    """One session: `connect`, then `post` and one of `poll` and `stream`."""

    def __init__(self, address, kind, project, authorization="Bearer owner"):
        self.address, self.kind, self.authorization = address, kind, authorization
        self.database = f"projects/{project}/databases/(default)"
        self.rids = itertools.count(1000)
        self.sid = None
        self.newest = 0
        self.sent = 0
        self.posts = None

    def url(self, **parameters):
        query = {"VER": 8, "database": self.database, "zx": "x", "t": 1, **parameters}
        return f"/google.firestore.v1.Firestore/{self.kind}/channel?{urllib.parse.urlencode(query)}"

    def request(self, method, url, body=None, timeout=60, connection=None):
        connection = connection or http.client.HTTPConnection(self.address, timeout=timeout)
        headers = {"Origin": ORIGIN}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, url, body, headers)
        response = connection.getresponse()
        assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert response.headers["Access-Control-Allow-Credentials"] == "true"
        if response.status == 400:
            text = response.read().decode()
            assert text.find("Unknown SID") > 0, text
            raise Unknown(text)
        assert response.status == 200, (response.status, response.read())
        return connection, response

    def whole(self, method, url, body=None, timeout=60, connection=None):
        """The pieces of a whole response."""
        connection, response = self.request(method, url, body, timeout, connection)
        frames = Frames()
        pieces = frames.feed(response.read())
        assert frames.is_empty
        return pieces

    def form(self, messages, **fields):
        parts = {**fields, "count": len(messages), "ofs": self.sent}
        for number, message in enumerate(messages):
            parts[f"req{number}___data__"] = json.dumps(message)
        self.sent += len(messages)
        return urllib.parse.urlencode(parts, quote_via=urllib.parse.quote)

    def connect(self, *messages):
        block = "X-Goog-Api-Client:gl-js/ fire/12\r\nContent-Type:text/plain\r\n"
        if self.authorization:
            block += f"Authorization:{self.authorization}\r\n"
        body = self.form(messages, headers=block)
        url = self.url(RID=next(self.rids), CVER=22, **{"X-HTTP-Session-Id": "gsessionid"})
        [[[number, greeting]]] = self.whole("POST", url, body)
        assert number == 0 and greeting[0] == "c" and greeting[2:4] == ["", 8], greeting
        self.sid = greeting[1]
        return self

    def post(self, *messages):
        """Sends messages; gives what the server says of the back channel."""
        body = self.form(messages)
        if self.posts is None:
            self.posts = http.client.HTTPConnection(self.address, timeout=60)
        [reply] = self.whole("POST", self.url(SID=self.sid, RID=next(self.rids), AID=self.newest), body, connection=self.posts)
        assert len(reply) == 3
        return reply

    def take(self, piece):
        """The messages of a piece that are new."""
        messages = []
        for number, content in piece:
            if number <= self.newest:
                continue
            assert number == self.newest + 1, f"{number} after {self.newest}"
            self.newest = number
            if content != ["noop"]:
                messages += content
        return messages

    def poll(self, connection=None, **parameters):
        url = self.url(SID=self.sid, RID="rpc", AID=self.newest, CI=1, TYPE="xmlhttp", **parameters)
        pieces = self.whole("GET", url, connection=connection)
        assert len(pieces) == 1
        return self.take(pieces[0])

    def stream(self, timeout=60):
        url = self.url(SID=self.sid, RID="rpc", AID=self.newest, CI=0, TYPE="xmlhttp")
        return Stream(self, *self.request("GET", url, timeout=timeout))

    def terminate(self):
        assert self.whole("POST", self.url(SID=self.sid, RID=next(self.rids), TYPE="terminate"), "") == []

    def until(self, condition, seconds=30):
        """All messages up to the first that `condition` takes, over as many responses as it needs."""
        messages, deadline = [], time.monotonic() + seconds
        while time.monotonic() < deadline:
            with self.stream() as stream:
                for message in stream:
                    messages.append(message)
                    if condition(message):
                        return messages
        raise AssertionError(f"no such message among {len(messages)}")


class Stream:
    """A response that stays open: gives messages until it ends."""

    def __init__(self, channel, connection, response):
        self.channel, self.connection, self.response = channel, connection, response
        self.socket = connection.sock

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.response.close()
        self.connection.close()

    def __iter__(self):
        frames = Frames()
        while data := self.response.read1(1 << 16):
            for piece in frames.feed(data):
                yield from self.channel.take(piece)
        assert frames.is_empty


def query(collection, target, database, **more):
    return {"database": database, "addTarget": {"query": {"structuredQuery": {"from": [{"collectionId": collection}], "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}]}, "parent": f"{database}/documents"}, "targetId": target, **more}}


def is_snapshot(message):
    change = message.get("targetChange")
    return bool(change) and not change.get("targetIds") and "readTime" in change


def is_current(message):
    return message.get("targetChange", {}).get("targetChangeType") == "CURRENT"
