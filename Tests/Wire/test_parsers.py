"""h11 and h2, parsers that others wrote, take our answers without a complaint."""

import json

import h2.config
import h2.connection
import h2.events
import h2.settings
import h11
import pytest


def h11_exchange(server, requests):
    """Sends requests over one connection, one after the other; the answers as h11 read them."""
    answers = []
    with server.connect() as socket:
        connection = h11.Connection(h11.CLIENT)
        for method, target, headers, body in requests:
            headers = [("Host", server.address), ("Content-Length", str(len(body)))] + headers
            socket.sendall(connection.send(h11.Request(method=method, target=target, headers=headers)))
            if body:
                socket.sendall(connection.send(h11.Data(data=body)))
            socket.sendall(connection.send(h11.EndOfMessage()))
            status, received = None, b""
            while True:
                event = connection.next_event()
                if event is h11.NEED_DATA:
                    connection.receive_data(socket.recv(65536))
                elif isinstance(event, h11.Response):
                    status = event.status_code
                elif isinstance(event, h11.Data):
                    received += bytes(event.data)
                elif isinstance(event, h11.EndOfMessage):
                    break
            answers.append((status, received))
            connection.start_next_cycle()
    return answers


def test_h11_over_one_connection(server, stored):
    body = json.dumps({"fields": {}}).encode()
    requests = [
        ("GET", stored.path, [], b""),
        ("GET", stored.path + "none", [], b""),
        ("POST", "/v1/nothing/here", [("Content-Type", "application/json")], body),
        ("PATCH", stored.path, [("Content-Type", "application/json"), ("Authorization", "Bearer owner")], body),
        ("HEAD", stored.path, [], b""),
        ("GET", stored.path, [], b""),
    ]
    answers = h11_exchange(server, requests)
    assert [status for status, _ in answers[:4]] == [200, 404, 404, 200]
    assert json.loads(answers[0][1]) == stored.document
    assert "fields" not in json.loads(answers[5][1])


def test_pipelined_requests_are_answered_in_order(server, stored):
    one = f"GET {stored.path} HTTP/1.1\r\nHost: x\r\n\r\n"
    none = f"GET {stored.path}none HTTP/1.1\r\nHost: x\r\n\r\n"
    with server.connect() as socket:
        socket.sendall((one + none + one).encode())
        reader = socket.makefile("rb")
        statuses = []
        for _ in range(3):
            statuses.append(int(reader.readline().split()[1]))
            length = 0
            while (line := reader.readline().strip()):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            reader.read(length)
    assert statuses == [200, 404, 200]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_requests_in_pieces(server, stored, cut):
    request = f"GET {stored.path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
    with server.connect() as socket:
        for start in range(0, len(request), cut):
            socket.sendall(request[start:start + cut])
        reader = socket.makefile("rb")
        assert reader.read().split(b" ")[1] == b"200"


class H2Client:
    """A connection driven by h2, which checks every frame that we send."""

    def __init__(self, socket, window=None):
        self.socket = socket
        self.connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True))
        self.connection.initiate_connection()
        if window is not None:
            self.connection.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: window})
        self.answers = {}
        self.flush()

    def flush(self):
        self.socket.sendall(self.connection.data_to_send())

    def get(self, server, path):
        stream = self.connection.get_next_available_stream_id()
        headers = [(":method", "GET"), (":scheme", "http"), (":authority", server.address), (":path", path)]
        self.connection.send_headers(stream, headers, end_stream=True)
        self.answers[stream] = {"body": b"", "ended": False}
        return stream

    def finish(self):
        self.flush()
        while not all(answer["ended"] for answer in self.answers.values()):
            data = self.socket.recv(65536)
            assert data, "closed by the server"
            for event in self.connection.receive_data(data):
                if isinstance(event, h2.events.ResponseReceived):
                    fields = dict(event.headers)
                    self.answers[event.stream_id]["status"] = int(fields[b":status"])
                elif isinstance(event, h2.events.DataReceived):
                    self.answers[event.stream_id]["body"] += event.data
                    if event.flow_controlled_length:
                        self.connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
                    self.answers[event.stream_id]["ended"] = True
            self.flush()


@pytest.mark.parametrize("window", [None, 1, 100])
def test_h2_streams(server, stored, window):
    with server.connect() as socket:
        client = H2Client(socket, window)
        streams = [client.get(server, stored.path) for _ in range(20)]
        missing = client.get(server, stored.path + "none")
        client.finish()
    for stream in streams:
        assert client.answers[stream]["status"] == 200
        assert json.loads(client.answers[stream]["body"]) == stored.document
    assert client.answers[missing]["status"] == 404
