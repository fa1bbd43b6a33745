"""A shared notes app on the Python SDK: people see at once what others do."""

import threading

import pytest
from google.cloud.firestore_v1.base_query import FieldFilter, Or


class Watched:
    """What a listener of the SDK was told last, and how it got there."""

    def __init__(self, source):
        self.changed = threading.Condition()
        self.seen, self.changes = [], []
        self.watch = source.on_snapshot(self.told)

    def told(self, documents, changes, read_time):
        with self.changed:
            self.seen.append([(d.id, d.to_dict()) for d in documents if d.exists])
            self.changes.append([(c.type.name, c.document.id) for c in changes])
            self.changed.notify_all()

    def expect(self, documents):
        """Waits until the listener shows these."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.seen and self.seen[-1] == documents, 10), self.seen[-1:]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.watch.unsubscribe()


def test_document(client):
    memo = client.document("memos/one")
    with Watched(memo) as watched:
        watched.expect([])
        memo.set({"text": "買い物"})
        watched.expect([("one", {"text": "買い物"})])
        memo.update({"done": True})
        watched.expect([("one", {"text": "買い物", "done": True})])
        memo.delete()
        watched.expect([])


def test_collection(client):
    memos = client.collection("memos")
    memos.document("a").set({"n": 1})
    with Watched(memos) as watched:
        watched.expect([("a", {"n": 1})])
        memos.document("b").set({"n": 2})
        watched.expect([("a", {"n": 1}), ("b", {"n": 2})])
        memos.document("a").update({"n": 3})
        watched.expect([("a", {"n": 3}), ("b", {"n": 2})])
        memos.document("a").delete()
        watched.expect([("b", {"n": 2})])
        assert watched.changes == [[("ADDED", "a")], [("ADDED", "b")], [("MODIFIED", "a")], [("REMOVED", "a")]]


def test_filter_and_order(client):
    memos = client.collection("memos")
    query = memos.where(filter=FieldFilter("stars", ">", 2)).order_by("stars")
    with Watched(query) as watched:
        watched.expect([])
        for name, stars in (("a", 3), ("b", 5), ("c", 1)):
            memos.document(name).set({"stars": stars})
        watched.expect([("a", {"stars": 3}), ("b", {"stars": 5})])
        memos.document("a").set({"stars": 9})
        watched.expect([("b", {"stars": 5}), ("a", {"stars": 9})])
        memos.document("b").set({"stars": 0})
        watched.expect([("a", {"stars": 9})])


def test_limit_refills(client):
    memos = client.collection("memos")
    for name, n in (("a", 1), ("b", 2), ("c", 3)):
        memos.document(name).set({"n": n})
    with Watched(memos.order_by("n").limit(2)) as watched:
        watched.expect([("a", {"n": 1}), ("b", {"n": 2})])
        memos.document("a").delete()
        watched.expect([("b", {"n": 2}), ("c", {"n": 3})])
        memos.document("d").set({"n": 0})
        watched.expect([("d", {"n": 0}), ("b", {"n": 2})])


def test_or_and_group(client):
    either = Or([FieldFilter("n", "==", 1), FieldFilter("tag", "==", "메모")])
    with Watched(client.collection_group("notes").where(filter=either)) as watched:
        watched.expect([])
        client.document("teams/x/notes/p").set({"n": 1})
        client.document("notes/q").set({"tag": "메모"})
        client.document("notes/r").set({"n": 2})
        watched.expect([("q", {"tag": "메모"}), ("p", {"n": 1})])


def test_batch_is_one_snapshot(client):
    memos = client.collection("memos")
    with Watched(memos) as watched:
        watched.expect([])
        batch = client.batch()
        for number in range(20):
            batch.set(memos.document(f"{number:02}"), {"n": number})
        batch.commit()
        watched.expect([(f"{number:02}", {"n": number}) for number in range(20)])
        assert [len(seen) for seen in watched.seen] == [0, 20]


def test_many_writers(client):
    memos = client.collection("memos")
    with Watched(memos) as watched:
        def write(number):
            for round in range(10):
                memos.document(str(number)).set({"round": round})

        threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        watched.expect([(str(number), {"round": 9}) for number in range(8)])


def test_own_writes_are_seen_once_they_are_answered(client):
    memo = client.document("memos/one")
    with Watched(memo) as watched:
        watched.expect([])
        for number in range(20):
            memo.set({"n": number})
            watched.expect([("one", {"n": number})])


@pytest.mark.parametrize("count", [3, 300])
def test_large_results(client, count):
    memos = client.collection("memos")
    batch = client.batch()
    for number in range(count):
        batch.set(memos.document(f"{number:04}"), {"text": "x" * 1000})
    batch.commit()
    with Watched(memos) as watched:
        watched.expect([(f"{number:04}", {"text": "x" * 1000}) for number in range(count)])
