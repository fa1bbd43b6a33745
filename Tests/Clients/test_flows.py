"""What apps do with their documents, through every client, over a kill of the server, and read by another client."""

import contextlib
import datetime

import clients
import pytest
from clients import Reference
from google.cloud import firestore

UTC = datetime.timezone.utc
DESCENDING = [("createdAt", "DESCENDING")]


@pytest.fixture(params=clients.NAMES)
def name(request):
    return request.param


@pytest.fixture
def opened(own_server, project, monkeypatch):
    """Opens a client by its name, also after the server was started anew."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", own_server.address)
    with contextlib.ExitStack() as stack:
        yield lambda name, project=project: clients.opened(name, own_server, project, stack)


def post(number):
    names = ["田中 さくら", "김민준", "佐藤 健", "이서연"]
    return {
        "author": {"name": names[number % 4], "uid": f"uid-{number % 4}", "since": datetime.datetime(2019, 4, 1, tzinfo=UTC)},
        "title": f"{number} 番目の投稿 · {number}번째 글",
        "createdAt": datetime.datetime(2024, 3, 1, tzinfo=UTC) + datetime.timedelta(minutes=number, microseconds=number),
        "place": firestore.GeoPoint(35.6895 + number, 139.6917 - number),
        "tags": ["여행", "旅行", number, None, {"深い": [True, 1.5]}],
        "likes": number * 7 % 5,
        "thumbnail": bytes(range(number, 200)),
        "authorRef": Reference(f"users/uid-{number % 4}"),
        "draft": number % 2 == 0,
        "empty": {"map": {}, "array": [], "text": "", "bytes": b""},
    }


def test_poll_board(own_server, opened, name):
    client = opened(name)
    for number in range(5):
        count = client.count("board")
        assert count == number
        id = client.add("board", {"title": f"質問 {number}", "options": ["예", "아니요"], "votes": {"예": 0}, "order": count + 1})
        assert len(id) == 20 and client.get(f"board/{id}")["order"] == number + 1
    board = client.query("board", order=[("order", "ASCENDING")])
    assert [data["order"] for _, data in board] == [1, 2, 3, 4, 5]
    client.update(f"board/{board[0][0]}", {"votes": {"예": 1, "아니요": 2}})
    client.delete(f"board/{board[4][0]}")
    board = client.query("board", order=[("order", "ASCENDING")])
    own_server.kill_and_start()
    client = opened("rest")
    assert client.query("board", order=[("order", "ASCENDING")]) == board
    assert board[0][1]["votes"] == {"예": 1, "아니요": 2} and client.count("board") == 4


def test_posts(own_server, opened, name):
    client = opened(name)
    posts = {client.add("posts", post(number)): post(number) for number in range(20)}
    newest = sorted(posts.items(), key=lambda item: item[1]["createdAt"], reverse=True)

    def check(client):
        def page(limit=None, **cursors):
            return client.query("posts", order=DESCENDING, limit=limit, cursors=cursors)

        assert page() == newest
        assert page(5) == newest[:5]
        seventh = [newest[6][1]["createdAt"]]
        assert page(5, start_after=seventh) == newest[7:12]
        assert page(5, start_at=seventh) == newest[6:11]
        assert page(end_at=seventh) == newest[:7]
        assert page(end_before=seventh) == newest[:6]
        pages, last = [], {}
        while found := page(6, **last):
            pages += found
            last = {"start_after": [found[-1][1]["createdAt"]]}
        assert pages == newest
        assert dict(client.query("posts")) == posts

    check(client)
    own_server.kill_and_start()
    for reader in {name, "rest", "async sdk"}:
        check(opened(reader))


FILTERS = {
    "equal": (("likes", "==", 3), lambda data: data["likes"] == 3),
    "not equal": (("likes", "!=", 3), lambda data: data["likes"] != 3),
    "range": (("likes", ">=", 2), lambda data: data["likes"] >= 2),
    "nested": (("author.name", "==", "김민준"), lambda data: data["author"]["name"] == "김민준"),
    "in": (("author.uid", "in", ["uid-0", "uid-2"]), lambda data: data["author"]["uid"] in ("uid-0", "uid-2")),
    "not in": (("author.uid", "not-in", ["uid-0"]), lambda data: data["author"]["uid"] != "uid-0"),
    "array": (("tags", "array_contains", 7), lambda data: 7 in data["tags"]),
    "any of array": (("tags", "array_contains_any", [3, 4]), lambda data: {3, 4} & set(data["tags"][2:3])),
    "map in array": (("tags", "array_contains", {"深い": [True, 1.5]}), lambda data: True),
    "reference": (("authorRef", "==", Reference("users/uid-1")), lambda data: data["authorRef"].path.endswith("1")),
    "time": (("createdAt", "<", datetime.datetime(2024, 3, 1, 0, 5, tzinfo=UTC)), lambda data: data["createdAt"].minute < 5),
    "place": (("place", ">", firestore.GeoPoint(40, 0)), lambda data: data["place"].latitude > 40),
    "boolean": (("draft", "==", True), lambda data: data["draft"]),
    "bytes": (("thumbnail", "==", bytes(range(5, 200))), lambda data: data["thumbnail"][0] == 5),
}


def test_filters(opened, name):
    client = opened(name)
    for number in range(20):
        client.set(f"posts/{number:02}", post(number))
    for title, (condition, holds) in FILTERS.items():
        expected = [f"{number:02}" for number in range(20) if holds(post(number))]
        assert sorted(id for id, _ in client.query("posts", where=[condition])) == expected, title
    both = client.query("posts", where=[("draft", "==", False), ("likes", ">", 1)], order=[("likes", "DESCENDING")], limit=3)
    assert [data["likes"] for _, data in both] == [4, 4, 3] and all(not data["draft"] for _, data in both)


def test_set_overwrite_merge_update_delete(own_server, opened, name):
    client = opened(name)
    client.set("memos/一", {"text": "牛乳", "tags": ["買い物"], "n": 1})
    client.set("memos/一", {"text": "우유", "n": 2})
    assert client.get("memos/一") == {"text": "우유", "n": 2}
    client.set("memos/一", {"done": True, "n": 3}, merge=True)
    assert client.get("memos/一") == {"text": "우유", "n": 3, "done": True}
    client.update("memos/一", {"done": firestore.DELETE_FIELD, "text": "빵"})
    client.set("memos/new", {"made": "by merging"}, merge=True)
    client.set("memos/gone", {"n": 1})
    client.delete("memos/gone")
    client.delete("memos/never was")
    own_server.kill_and_start()
    client = opened(name)
    assert client.get("memos/一") == {"text": "빵", "n": 3}
    assert client.get("memos/new") == {"made": "by merging"}
    assert client.get("memos/gone") is None and client.count("memos") == 2


@pytest.mark.parametrize("reader", clients.NAMES)
def test_written_by_one_read_by_another(opened, name, reader):
    writer = opened(name)
    for number in range(4):
        writer.set(f"posts/{number}", post(number))
    writer.update("posts/0", {"likes": 100, "draft": firestore.DELETE_FIELD})
    writer.delete("posts/3")
    expected = {"0": post(0) | {"likes": 100}, "1": post(1), "2": post(2)}
    del expected["0"]["draft"]
    reader = writer if reader == name else opened(reader)
    assert dict(reader.query("posts")) == expected
    assert reader.get("posts/1") == post(1) and reader.get("posts/3") is None
    assert reader.count("posts") == 3
