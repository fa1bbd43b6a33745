"""Whole apps, with their documents in Firestore and their pictures in Storage."""

import datetime
import hashlib
import json
import threading
import urllib.parse
import urllib.request
import uuid

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter
from storage import Bucket, Upload

UTC = datetime.timezone.utc
MEGABYTE = 1 << 20


def jpeg(size, seed=0):
    """What looks like a picture: the head and the end of a JPEG, noise between them."""
    noise = hashlib.shake_128(str(seed).encode()).digest(size - 22)
    return b"\xff\xd8\xff\xe0\x00\x10JFIF\0\1\1\0\0\1\0\1\0\0" + noise + b"\xff\xd9"


class App:
    """The two clients that an app has."""

    def __init__(self, server, project):
        self.server, self.project = server, project
        self.open()

    def open(self):
        self.documents = firestore.Client(project=self.project)
        self.bucket = Bucket(self.server)
        self.bucket.name = f"{self.project}.appspot.com"

    def restart(self):
        """Goes on with a server that was killed and started again."""
        self.close()
        self.server.kill_and_start()
        self.open()

    def close(self):
        self.documents.close()
        self.bucket.connection.close()

    def put_data(self, name, data, sdk="ios", type="image/jpeg"):
        """`putData` of iOS, or `uploadBytesResumable`: a start, pieces of 256 KiB, and the end with the last."""
        metadata = json.dumps({"name": name, "contentType": type}, ensure_ascii=False).encode()
        body = None if sdk == "android" else metadata
        upload = Upload(self.bucket, name, sdk, len(data), body)
        offset = 0
        while len(data) - offset > 262_144:
            assert upload("upload", data[offset:offset + 262_144], offset).status == 200
            offset += 262_144
        answer = upload("upload, finalize", data[offset:], offset)
        assert answer.status == 200 and answer.json["size"] == str(len(data)), answer.body
        return answer.json

    def download_url(self, name):
        metadata = self.bucket("GET", self.bucket.url(name)).json
        token = metadata["downloadTokens"].split(",")[0]
        return f"http://127.0.0.1:{self.server.storage_port}{self.bucket.url(name, alt='media', token=token)}"

    def get_data(self, name, maximum):
        """`getData(maxSize:)` of iOS: the size decides before the bytes come."""
        answer = self.bucket.get(name)
        if answer.status != 200:
            return answer.status, answer.json["error"]
        assert int(answer.fields["Content-Length"]) <= maximum
        return 200, answer.body


@pytest.fixture
def app(own_server, project, monkeypatch):
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", own_server.address)
    app = App(own_server, project)
    yield app
    app.close()


def fetched(url):
    """As an image view does it: without credentials."""
    with urllib.request.urlopen(url, timeout=20) as response:
        return response.headers["Content-Type"], response.read()


def newest(app, collection, limit=None):
    query = app.documents.collection(collection).order_by("createdAt", direction="DESCENDING")
    return [found.to_dict() for found in (query.limit(limit) if limit else query).stream()]


def test_board(app):
    """A poll board: polls in their order, votes by increments, a picture for each poll."""
    board = app.documents.collection("board")
    for number in range(4):
        order = board.count().get()[0][0].value + 1
        picture = f"board/{uuid.uuid4()}.jpg"
        app.put_data(picture, jpeg(50_000, number))
        board.add({"question": f"점심 메뉴 {number}", "options": ["김밥", "うどん"], "votes": [0, 0], "order": order, "picture": picture})
    polls = list(board.order_by("order").stream())
    assert [poll.get("order") for poll in polls] == [1, 2, 3, 4]
    for voter in range(6):
        polls[0].reference.update({f"voters.uid-{voter}": voter % 2, "total": firestore.Increment(1)})
    app.restart()
    board = app.documents.collection("board")
    polls = list(board.order_by("order").stream())
    assert polls[0].get("total") == 6 and polls[0].get("voters") == {f"uid-{n}": n % 2 for n in range(6)}
    for number, poll in enumerate(polls):
        assert app.get_data(poll.get("picture"), MEGABYTE) == (200, jpeg(50_000, number))
    assert app.bucket("DELETE", app.bucket.url(polls[3].get("picture"))).status == 204
    polls[3].reference.delete()
    assert board.count().get()[0][0].value == 3
    assert app.get_data(polls[3].get("picture"), MEGABYTE)[0] == 404


def test_blog(app):
    """A blog: the addresses of its pictures are kept in the articles, and open without credentials, also much later."""
    for number in range(3):
        pictures = []
        for index in range(2):
            name = f"image/{uuid.uuid4()}"
            app.put_data(name, jpeg(300_000, f"{number} {index}"), sdk="web")
            pictures.append(app.download_url(name))
        app.documents.collection("articles").add({
            "title": f"第{number}回", "body": "本文 " * 1_000, "pictures": pictures, "createdAt": firestore.SERVER_TIMESTAMP})
    app.restart()
    articles = newest(app, "articles")
    assert [article["title"] for article in articles] == ["第2回", "第1回", "第0回"]
    for number, article in enumerate(reversed(articles)):
        for index, url in enumerate(article["pictures"]):
            assert fetched(url) == ("image/jpeg", jpeg(300_000, f"{number} {index}"))
    name = urllib.parse.unquote(articles[0]["pictures"][0].split("/o/")[1].split("?")[0])
    app.put_data(name, jpeg(1_000, "new"), sdk="web")
    assert fetched(app.download_url(name)) == ("image/jpeg", jpeg(1_000, "new"))


def test_memos(app):
    """Notes with a sketch each, seen by two devices at once."""
    seen, changed = [], threading.Condition()

    def told(documents, changes, time):
        with changed:
            seen.append({document.id: document.to_dict() for document in documents})
            changed.notify_all()

    def expect(ids):
        with changed:
            assert changed.wait_for(lambda: seen and set(seen[-1]) == ids, 10), seen[-1:]

    watch = app.documents.collection("memos").on_snapshot(told)
    expect(set())
    for id in ["買い物", "메모"]:
        sketch = f"memos/{id}/sketch.jpg"
        app.put_data(sketch, jpeg(20_000, id), sdk="android")
        app.documents.document(f"memos/{id}").set({"text": id, "sketch": sketch, "at": firestore.SERVER_TIMESTAMP})
    expect({"買い物", "메모"})
    for id, memo in seen[-1].items():
        assert app.get_data(memo["sketch"], MEGABYTE) == (200, jpeg(20_000, id))
    app.documents.document("memos/메모").delete()
    assert app.bucket("DELETE", app.bucket.url("memos/메모/sketch.jpg")).status == 204
    expect({"買い物"})
    listed = app.bucket("GET", app.bucket.url(prefix="memos/", delimiter="/")).json
    assert listed["prefixes"] == ["memos/買い物/"]
    watch.unsubscribe()


def test_stores(app):
    """A store finder: pictures of a store lie in a folder of its name."""
    stores = {"김밥천국 본점": (37.5665, 126.978), "東京ラーメン": (35.6895, 139.6917), "a/b & c+d?": (0, 0)}
    for name, place in stores.items():
        images = []
        for index in range(2):
            path = f"storeImages/{name}/{uuid.uuid4()}"
            app.put_data(path, jpeg(100_000, f"{name} {index}"))
            images.append(path)
        app.documents.collection("stores").add({"name": name, "place": firestore.GeoPoint(*place), "images": images})
    app.restart()
    for name in stores:
        found, = app.documents.collection("stores").where(filter=FieldFilter("name", "==", name)).stream()
        for index, path in enumerate(found.get("images")):
            assert app.get_data(path, MEGABYTE) == (200, jpeg(100_000, f"{name} {index}"))
        listed = app.bucket("GET", app.bucket.url(prefix=f"storeImages/{name}/", delimiter="/")).json
        assert sorted(item["name"] for item in listed["items"]) == sorted(found.get("images"))
        for path in found.get("images"):
            assert app.bucket("DELETE", app.bucket.url(path)).status == 204
            again = app.bucket("DELETE", app.bucket.url(path))
            assert again.status == 404 and again.json["error"]["code"] == 404
    listed = app.bucket("GET", app.bucket.url(prefix="storeImages/", delimiter="/")).json
    assert listed == {"prefixes": [], "items": []}


def test_posts(app):
    """Posts with two pictures, uploaded at the same time over two connections, and read page by page."""
    def upload(name, data):
        other = App(app.server, app.project)
        other.put_data(name, data)
        other.close()

    for number in range(6):
        names = [f"image/{uuid.uuid4()}" for _ in range(2)]
        threads = [threading.Thread(target=upload, args=(name, jpeg(400_000, f"{number} {index}"))) for index, name in enumerate(names)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        created = datetime.datetime(2024, 3, 1, 12, number, tzinfo=UTC)
        app.documents.collection("posts").add({
            "author": ["さくら", "민준"][number % 2], "imageNames": names, "urls": [app.download_url(name) for name in names],
            "createdAt": created, "number": number})
    app.restart()
    posts = newest(app, "posts", 4)
    assert [post["number"] for post in posts] == [5, 4, 3, 2]
    rest = app.documents.collection("posts").order_by("createdAt", direction="DESCENDING").start_after({"createdAt": posts[-1]["createdAt"]})
    posts += [found.to_dict() for found in rest.stream()]
    assert [post["number"] for post in posts] == [5, 4, 3, 2, 1, 0]
    for post in posts:
        for index, url in enumerate(post["urls"]):
            assert fetched(url) == ("image/jpeg", jpeg(400_000, f"{post['number']} {index}"))
    mine = app.documents.collection("posts").where(filter=FieldFilter("author", "==", "민준")).stream()
    for post in mine:
        for name in post.get("imageNames"):
            assert app.bucket("DELETE", app.bucket.url(name)).status == 204
        post.reference.delete()
    assert {post["author"] for post in newest(app, "posts")} == {"さくら"}
    assert len(app.bucket("GET", app.bucket.url(prefix="image/")).json["items"]) == 6
