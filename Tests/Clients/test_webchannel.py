"""Streams of browsers, spoken as the web SDK speaks them, with the Python SDK as somebody else."""

import json
import os
import socket
import urllib.error
import urllib.request

import kill
import pytest
from google.cloud import firestore
from webchannel import ORIGIN, Channel, Unknown, is_current, is_snapshot, query


def documents(messages):
    return [m["documentChange"]["document"] for m in messages if "documentChange" in m]


@pytest.fixture
def listen(server, project):
    return Channel(server.address, "Listen", project)


def test_another_clients_write_arrives(listen, client):
    client.document("rooms/a").set({"title": "héllo 😀", "n": 7})
    listen.connect(query("rooms", 1002, listen.database))
    with listen.stream() as stream:
        messages = iter(stream)
        first = []
        while not (first and is_snapshot(first[-1])):
            first.append(next(messages))
        assert documents(first)[0]["fields"]["title"] == {"stringValue": "héllo 😀"}
        client.document("rooms/b").set({"n": 8})
        [change] = documents([next(messages)])
        assert change["name"].endswith("rooms/b")
        assert is_snapshot(next(messages))
        assert listen.post({"database": listen.database, "removeTarget": 1002})[0] == 1
        assert next(messages) == {"targetChange": {"targetChangeType": "REMOVE", "targetIds": [1002]}}
    listen.terminate()
    with pytest.raises(Unknown):
        listen.stream()


def test_polling(listen, client):
    listen.connect(query("rooms", 2, listen.database))
    known = []
    while not any(is_snapshot(m) for m in known):
        known += listen.poll()
    client.document("rooms/x").set({"n": 1})
    assert len(documents(listen.poll())) == 1


def test_lost_back_channel_repeats_what_was_not_acknowledged(listen, client):
    listen.connect(query("rooms", 2, listen.database))
    first = listen.until(is_snapshot)
    newest = listen.newest
    listen.newest = newest - 2
    again = listen.poll()
    assert again == first[-2:]
    client.document("rooms/x").set({"n": 1})
    assert len(documents(listen.until(is_snapshot))) == 1


def test_fifty_thousand_documents_arrive_whole(listen, client):
    count = 50_000
    for start in range(0, count, 500):
        batch = client.batch()
        for number in range(start, start + 500):
            batch.set(client.document(f"many/{number:06}"), {"n": number, "text": "é" * 20})
        batch.commit()
    listen.connect(query("many", 2, listen.database))
    names = [d["name"] for d in documents(listen.until(is_snapshot, seconds=120))]
    assert len(names) == count
    assert names == sorted(set(names))


def test_a_write_stream(server, project, client):
    channel = Channel(server.address, "Write", project)
    channel.connect({"database": channel.database})
    [greeting] = channel.poll()
    assert greeting["streamToken"] and "writeResults" not in greeting
    name = f"{channel.database}/documents/rooms/b"
    write = {"update": {"name": name, "fields": {"y": {"stringValue": "é😀"}}}, "updateTransforms": [{"fieldPath": "t", "setToServerValue": "REQUEST_TIME"}, {"fieldPath": "l", "appendMissingElements": {"values": [{"integerValue": "1"}]}}]}
    token = greeting["streamToken"]
    channel.post(*({"streamToken": token, "writes": [write]} for _ in range(3)))
    answers = []
    while len(answers) < 3:
        answers += channel.poll()
    for answer in answers:
        assert answer["streamToken"] and answer["commitTime"].endswith("Z")
        [result] = answer["writeResults"]
        assert len(result["transformResults"]) == 2
        assert result["transformResults"][1] == {"nullValue": None}
    assert client.document("rooms/b").get().to_dict()["y"] == "é😀"


def test_a_refused_write_ends_the_stream_and_nothing_after_it_is_done(server, project, client):
    channel = Channel(server.address, "Write", project)
    channel.connect({"database": channel.database})
    [greeting] = channel.poll()
    def write(path, **more):
        return {"streamToken": greeting["streamToken"], "writes": [{"update": {"name": f"{channel.database}/documents/{path}", "fields": {}}, **more}]}
    channel.post(write("c/one"), write("c/two", currentDocument={"exists": True}), write("c/three"))
    answers = []
    while not answers or "error" not in answers[-1]:
        answers += channel.poll()
    assert len(answers) == 2
    assert answers[1]["error"]["status"] == "NOT_FOUND" and answers[1]["error"]["message"]
    assert client.document("c/one").get().exists
    assert not client.document("c/three").get().exists


@pytest.mark.parametrize("authorization", ["Basic x", "Bearer nonsense"])
def test_errors_of_the_handshake_come_in_the_stream(server, project, authorization):
    channel = Channel(server.address, "Listen", project, authorization)
    channel.connect(query("rooms", 2, channel.database))
    [message] = channel.poll()
    assert message["error"]["status"] in ["UNAUTHENTICATED", "INVALID_ARGUMENT"]


def test_a_refused_target_leaves_the_stream(listen):
    wrong = query("rooms", 2, listen.database)
    wrong["addTarget"]["query"]["structuredQuery"]["limit"] = -1
    listen.connect(wrong, query("rooms", 4, listen.database))
    messages = listen.until(is_snapshot)
    [cause] = [m["targetChange"]["cause"] for m in messages if "cause" in m.get("targetChange", {})]
    assert cause["code"] == 3 and cause["message"]


def test_members_that_newer_clients_may_send_are_passed_over(listen):
    request = query("rooms", 2, listen.database)
    request["newMember"] = {"a": [1, {"b": None}]}
    request["addTarget"]["query"]["structuredQuery"]["newer"] = True
    request["addTarget"]["query"]["structuredQuery"]["limit"] = {"value": 9}
    listen.connect(request)
    assert is_current(listen.until(is_snapshot)[-2])


def test_requests_out_of_order_and_repeated(listen):
    listen.connect()
    later = [{"database": listen.database, "removeTarget": 2}, query("b", 4, listen.database)]
    listen.sent = 1
    listen.post(*later)
    listen.sent = 0
    listen.post(query("a", 2, listen.database), *later)
    listen.sent = 0
    listen.post(query("a", 2, listen.database), *later)
    changes = []
    while not any(m.get("targetIds") == [4] and m["targetChangeType"] == "CURRENT" for m in changes):
        changes += [m.get("targetChange", {}) for m in listen.poll()]
    adds = [c["targetIds"] for c in changes if c.get("targetChangeType") == "ADD"]
    assert adds == [[2], [4]]


@pytest.mark.skipif("HIBACHI_BINARY" not in os.environ, reason="no binary to start")
def test_a_restart_is_survived_with_the_resume_token(project, tmp_path):
    first_life = kill.Server(os.environ["HIBACHI_BINARY"], str(tmp_path))
    database = f"projects/{project}/databases/(default)"

    def write(life, *ids):
        writes = [{"update": {"name": f"{database}/documents/rooms/{id}", "fields": {}}} for id in ids]
        life.connection.request("POST", f"/v1/{database}/documents:commit", json.dumps({"writes": writes}))
        assert life.connection.getresponse().read()

    write(first_life, *range(20))
    listen = Channel(f"127.0.0.1:{first_life.port}", "Listen", project)
    first = listen.connect(query("rooms", 2, database)).until(is_snapshot)
    assert len(documents(first)) == 20
    token = first[-1]["targetChange"]["resumeToken"]
    first_life.kill()

    second_life = kill.Server(os.environ["HIBACHI_BINARY"], str(tmp_path))
    listen.address = f"127.0.0.1:{second_life.port}"
    with pytest.raises(Unknown):
        listen.stream()
    write(second_life, "new")
    again = Channel(listen.address, "Listen", project)
    again.connect(query("rooms", 2, database, resumeToken=token, expectedCount=20))
    messages = again.until(is_snapshot)
    assert [document["name"].rsplit("/", 1)[1] for document in documents(messages)] == ["new"]
    # An open response does not hold the end of the server up.
    with again.stream():
        second_life.process.terminate()
        assert second_life.process.wait(timeout=5) == 0


def test_a_stopped_reader_is_bounded(durable_server, project, monkeypatch):
    """What the client does not take stays in the store, not in the memory of the server."""
    server = durable_server
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", server.address)
    client = firestore.Client(project=project)
    listen = Channel(server.address, "Listen", project)
    text = "x" * 50_000
    for number in range(400):
        client.document(f"large/{number:03}").set({"text": text})
    listen.connect(query("large", 2, listen.database))
    before = resident(server)
    stream = listen.stream()
    # Twice the whole collection changes while nobody reads.
    for number in range(400):
        client.document(f"large/{number:03}").update({"round": 1})
    assert resident(server) - before < 16 << 20
    stream.close()
    names = {d["name"] for d in documents(listen.until(is_snapshot, seconds=60))}
    assert len(names) == 400


def resident(server):
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_preflights(server):
    connection = socket.create_connection((server.host, server.port))
    for path in ["/google.firestore.v1.Firestore/Listen/channel?VER=8", "/v1/projects/p/databases/(default)/documents:commit?key=k"]:
        connection.sendall(f"OPTIONS {path} HTTP/1.1\r\nHost: h\r\nOrigin: {ORIGIN}\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization,google-cloud-resource-prefix,x-goog-api-client\r\nAccess-Control-Request-Private-Network: true\r\n\r\n".encode())
        head = connection.recv(65536).decode().lower()
        assert head.startswith("http/1.1 200")
        assert f"access-control-allow-origin: {ORIGIN}\r\n" in head
        assert "access-control-allow-headers: authorization,google-cloud-resource-prefix,x-goog-api-client\r\n" in head
        assert "access-control-allow-credentials: true\r\n" in head
        assert "access-control-allow-private-network: true\r\n" in head


def test_errors_of_unary_calls_are_json_for_any_origin(server, project):
    documents_url = f"http://{server.address}/v1/projects/{project}/databases/(default)/documents"
    for verb, body, status in [("commit", b"{", 400), ("commit", b"{\"writes\":[{\"delete\":\"x\"}]}", 400), ("runQuery", b"{}", 400), ("executePipeline", b"{}", 501), ("batchGet", b"[]", 400)]:
        request = urllib.request.Request(f"{documents_url}:{verb}?key=k", body, {"Origin": ORIGIN, "Content-Type": "text/plain"})
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.urlopen(request)
        answer = json.loads(error.value.read())
        answer = answer[0] if isinstance(answer, list) else answer
        assert error.value.code == status and answer["error"]["status"] and answer["error"]["message"]
        assert error.value.headers["Access-Control-Allow-Origin"] == ORIGIN
