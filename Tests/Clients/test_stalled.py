"""A gRPC client that stops reading a long answer."""

import pytest
from google.cloud import firestore

COUNT = 1500


@pytest.fixture
def client(durable_server, project, monkeypatch):
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", durable_server.address)
    client = firestore.Client(project=project)
    yield client
    client.close()


def test_stalled_query(client):
    text = "x" * 20_000
    for start in range(0, COUNT, 100):
        batch = client.batch()
        for number in range(start, start + 100):
            batch.set(client.document(f"k/{number}"), {"n": 0, "text": text})
        batch.commit()
    stalled = client.collection("k").stream()
    first = next(stalled)
    for round in range(1, 20):
        batch = client.batch()
        for number in range(0, COUNT, 30):
            batch.set(client.document(f"k/{number}"), {"n": round, "text": text})
        batch.commit()
        assert client.document("k/30").get(["n"]).get("n") == round
    rest = list(stalled)
    assert len(rest) == COUNT - 1
    assert {snapshot.get("n") for snapshot in [first, *rest]} == {0}
    assert {snapshot.read_time for snapshot in rest} == {first.read_time}
