"""Transactions through the unchanged SDK: who races, who waits, and who tries again."""

import concurrent.futures
import threading
import time

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


def together(*calls):
    """Runs all at the same time; their results, in order."""
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(call) for call in calls]]


class Counted:
    """A function for transactions that counts how often it was called."""

    def __init__(self, body):
        self.calls = 0
        self.lock = threading.Lock()

        def run(transaction, *arguments):
            with self.lock:
                self.calls += 1
            return body(transaction, *arguments)

        self.run = run

    def __call__(self, client, *arguments):
        return firestore.transactional(self.run)(client.transaction(), *arguments)


def increment(transaction, *documents):
    numbers = [document.get(transaction=transaction).get("n") for document in documents]
    for document, number in zip(documents, numbers):
        transaction.update(document, {"n": number + 1})


def test_sixteen_racing_transactions_need_no_retry(client):
    document = client.document("c/a")
    document.set({"n": 0})
    counted = Counted(increment)
    together(*[lambda: counted(client, document)] * 16)
    assert document.get().get("n") == 16
    assert counted.calls == 16


def test_two_that_both_read_before_either_writes(client):
    document = client.document("c/a")
    document.set({"n": 0})
    barrier = threading.Barrier(2)
    first_attempts = threading.local()

    def body(transaction):
        number = document.get(transaction=transaction).get("n")
        if not getattr(first_attempts, "over", False):
            first_attempts.over = True
            barrier.wait(timeout=10)
        transaction.update(document, {"n": number + 1})

    counted = Counted(body)
    start = time.monotonic()
    together(lambda: counted(client), lambda: counted(client))
    assert document.get().get("n") == 2
    assert counted.calls == 3
    assert time.monotonic() - start < 5


def test_two_documents_in_opposite_order(client):
    one, two = client.document("c/one"), client.document("c/two")
    for document in (one, two):
        document.set({"n": 0})
    barrier = threading.Barrier(2)
    first_attempts = threading.local()

    def body(transaction, first, second):
        numbers = [first.get(transaction=transaction).get("n")]
        if not getattr(first_attempts, "over", False):
            first_attempts.over = True
            barrier.wait(timeout=10)
        numbers.append(second.get(transaction=transaction).get("n"))
        transaction.update(first, {"n": numbers[0] + 1})
        transaction.update(second, {"n": numbers[1] + 1})

    counted = Counted(body)
    together(lambda: counted(client, one, two), lambda: counted(client, two, one))
    assert [document.get().get("n") for document in (one, two)] == [2, 2]
    assert counted.calls == 3


def test_a_client_that_dies_delays_others_for_two_seconds(client):
    document = client.document("c/a")
    document.set({"n": 0})
    dead = client.transaction()
    dead._begin()
    assert document.get(transaction=dead).get("n") == 0
    start = time.monotonic()
    document.update({"n": 1})
    assert 1.5 < time.monotonic() - start < 3
    with pytest.raises(exceptions.Aborted):
        document.get(transaction=dead)
    with pytest.raises(exceptions.InvalidArgument, match="transaction has expired"):
        document.get(transaction=dead)


def test_transactions_that_read_only_see_one_moment(client):
    document, other = client.document("c/a"), client.document("c/b")
    document.set({"n": 0})
    transaction = client.transaction(read_only=True)
    transaction._begin()
    document.update({"n": 1})
    other.set({"n": 2})
    assert document.get(transaction=transaction).get("n") == 0
    assert not other.get(transaction=transaction).exists
    found = client.collection("c").where(filter=FieldFilter("n", ">=", 0)).get(transaction=transaction)
    assert [snapshot.id for snapshot in found] == ["a"]
    assert client.collection("c").count().get(transaction=transaction)[0][0].value == 1
    transaction._rollback()


def test_queries_keep_what_they_match_from_changing(client):
    collection = client.collection("c")
    collection.document("a").set({"n": 1})
    transaction = client.transaction()
    transaction._begin()
    positive = collection.where(filter=FieldFilter("n", ">", 0))
    assert len(positive.get(transaction=transaction)) == 1
    collection.document("low").set({"n": -1})
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(collection.document("b").set, {"n": 2})
        with pytest.raises(concurrent.futures.TimeoutError):
            waiting.result(timeout=0.5)
        assert len(positive.get(transaction=transaction)) == 1
        transaction.set(collection.document("sum"), {"of": 1})
        transaction._commit()
        waiting.result(timeout=5)
    assert len(positive.get()) == 2
