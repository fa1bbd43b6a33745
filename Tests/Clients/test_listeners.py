"""A shared notes app on the Python SDK: people see at once what others do."""

import threading

import pytest
from google.cloud import firestore
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


def test_board_is_seen_by_all(client):
    """Polls in their order, each vote, and the newest two, which this SDK turns round by itself."""
    board = client.collection("board")
    with Watched(board.order_by("order")) as watched, Watched(board.order_by("order", direction="DESCENDING").limit(2)) as last:
        for number in range(4):
            order = int(board.count().get()[0][0].value) + 1
            board.document(f"p{number}").set({"title": f"투표 {number}", "votes": {}, "order": order})
        polls = [(f"p{number}", {"title": f"투표 {number}", "votes": {}, "order": number + 1}) for number in range(4)]
        watched.expect(polls)
        last.expect(polls[2:])
        board.document("p0").update({"votes.예": firestore.Increment(1)})
        polls[0][1]["votes"] = {"예": 1}
        watched.expect(polls)
        board.document("p3").delete()
        watched.expect(polls[:3])
        last.expect(polls[1:3])


def test_stores_nearby(client):
    """A finder that shows the stores of one district with what they have, by name."""
    stores = client.collection("stores")
    query = stores.where(filter=FieldFilter("district", "==", "渋谷")).order_by("name")
    with Watched(query) as watched:
        watched.expect([])
        places = {"나": True, "가": False, "다": True}
        for name, open in places.items():
            stores.document(name).set({"name": name, "district": "渋谷", "open": open, "menu": ["라면", {"price": 900}]})
        stores.document("라").set({"name": "라", "district": "新宿", "open": True})

        def shown(*names):
            return [(n, {"name": n, "district": "渋谷", "open": places[n], "menu": ["라면", {"price": 900}]}) for n in names]

        watched.expect(shown("가", "나", "다"))
        stores.document("나").update({"open": False})
        places["나"] = False
        watched.expect(shown("가", "나", "다"))
        stores.document("다").update({"district": "新宿"})
        watched.expect(shown("가", "나"))


def test_listeners_go_on_after_a_restart(own_server, project, monkeypatch):
    """The SDK connects again by itself, with its token, and is told what it missed."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", own_server.address)
    client, writer = firestore.Client(project=project), firestore.Client(project=project)
    memos = writer.collection("memos")
    for number in range(5):
        memos.document(str(number)).set({"n": number})
    expected = {str(number): {"n": number} for number in range(5)}
    with Watched(client.collection("memos")) as all, Watched(client.collection("memos").order_by("n").limit(2)) as first, Watched(client.document("memos/3")) as one:
        for round in range(3):
            all.expect(sorted(expected.items()))
            first.expect(sorted(expected.items(), key=lambda item: item[1]["n"])[:2])
            one.expect([("3", expected["3"])])
            own_server.kill_and_start()
            memos.document("3").set({"n": 3, "round": round})
            memos.document(str(round)).delete()
            memos.document(f"new {round}").set({"n": 10 - round})
            expected |= {"3": {"n": 3, "round": round}, f"new {round}": {"n": 10 - round}}
            del expected[str(round)]
        all.expect(sorted(expected.items()))
        one.expect([("3", {"n": 3, "round": 2})])
    client.close()
    writer.close()
