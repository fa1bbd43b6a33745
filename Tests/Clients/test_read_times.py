"""Reads at an earlier time through the SDK, which speaks gRPC, from memory and from a data folder."""

import datetime

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter


@pytest.fixture(params=["server", "durable_server"])
def client(request, project, monkeypatch):
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", request.getfixturevalue(request.param).address)
    client = firestore.Client(project=project)
    yield client
    client.close()


def numbers(snapshots):
    return {snapshot.id: snapshot.get("n") for snapshot in snapshots if snapshot.exists}


def commit(client, *changes):
    batch = client.batch()
    for path, number in changes:
        if number is None:
            batch.delete(client.document(path))
        else:
            batch.set(client.document(path), {"n": number})
    batch.commit()
    return batch.commit_time


def test_every_read(client):
    first = commit(client, ("k/가", 1), ("k/b", 2))
    second = commit(client, ("k/가", 3), ("k/b", None), ("other/x", 0))
    third = commit(client, ("k/c", 4))
    states = [
        (first, {"가": 1, "b": 2}, {"k"}),
        (second, {"가": 3}, {"k", "other"}),
        (third, {"가": 3, "c": 4}, {"k", "other"}),
        (None, {"가": 3, "c": 4}, {"k", "other"}),
    ]
    collection = client.collection("k")
    positive = collection.where(filter=FieldFilter("n", ">", 0))
    documents = [collection.document(key) for key in ("가", "b", "c")]
    for time, found, ids in states:
        assert numbers(document.get(read_time=time) for document in documents) == found
        assert numbers(client.get_all(documents, read_time=time)) == found
        assert {document.id for document in collection.list_documents(read_time=time)} == set(found)
        assert {each.id for each in client.collections(read_time=time)} == ids
        assert numbers(collection.order_by("n").stream(read_time=time)) == found
        assert numbers(positive.get(read_time=time)) == found
        assert collection.count().get(read_time=time)[0][0].value == len(found)
        assert positive.sum("n").get(read_time=time)[0][0].value == sum(found.values())


@pytest.mark.parametrize(
    "offset, error",
    [(-2 * 3600, exceptions.FailedPrecondition), (2 * 3600, exceptions.InvalidArgument)],
)
def test_refused(client, offset, error):
    commit(client, ("k/a", 1))
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=offset)
    collection = client.collection("k")
    for read in (
        lambda: collection.document("a").get(read_time=time),
        lambda: collection.get(read_time=time),
        lambda: collection.count().get(read_time=time),
        lambda: list(client.collections(read_time=time)),
        lambda: list(collection.list_documents(read_time=time)),
    ):
        with pytest.raises(error):
            read()
