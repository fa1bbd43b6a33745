"""A notes app on the Python SDK: documents come, change and go."""

import datetime

import pytest
from google.api_core import exceptions
from google.cloud import firestore

TEXTS = {
    "japanese": "買い物リスト：卵、牛乳、パン 🍞",
    "korean": "회의는 오후 세 시에 시작합니다",
    "mixed": "日本語と한국어と English",
    "empty": "",
}
COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


def recent(moment):
    return abs(datetime.datetime.now(datetime.timezone.utc) - moment) < datetime.timedelta(minutes=1)


def test_add_and_get(client):
    update_time, memo = client.collection("memos").add({"text": TEXTS["japanese"], "done": False})
    assert recent(update_time) and len(memo.id) == 20
    snapshot = memo.get()
    assert snapshot.exists and snapshot.to_dict() == {"text": TEXTS["japanese"], "done": False}
    assert snapshot.create_time == snapshot.update_time == update_time
    assert recent(snapshot.read_time)


def test_add_with_id(client):
    client.collection("memos").add({"n": 1}, document_id="shopping")
    assert client.document("memos/shopping").get().to_dict() == {"n": 1}


def test_overwrite_keeps_the_create_time(client):
    memo = client.document("memos/one")
    first = memo.set({"text": "old", "tags": ["a"]}).update_time
    second = memo.set({"text": "new"}).update_time
    snapshot = memo.get()
    assert snapshot.to_dict() == {"text": "new"}
    assert snapshot.create_time == first and snapshot.update_time == second and second > first


def test_same_content_keeps_the_update_time(client):
    memo = client.document("memos/one")
    first = memo.set({"text": "same"}).update_time
    assert memo.set({"text": "same"}).update_time == first


def test_merge_and_update(client):
    memo = client.document("memos/one")
    memo.set({"text": "a", "author": {"name": "Kim", "age": 30}})
    memo.set({"author": {"age": 31}}, merge=True)
    memo.update({"author.city": "서울", "text": firestore.DELETE_FIELD})
    assert memo.get().to_dict() == {"author": {"name": "Kim", "age": 31, "city": "서울"}}


def test_delete(client):
    memo = client.document("memos/one")
    memo.set({"text": "a"})
    assert recent(memo.delete())
    snapshot = memo.get()
    assert not snapshot.exists and snapshot.to_dict() is None
    memo.delete()  # of a missing document too


def test_created_again_is_new(client):
    memo = client.document("memos/one")
    first = memo.set({"text": "a"}).update_time
    memo.delete()
    memo.create({"text": "b"})
    assert memo.get().create_time > first


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_texts_come_back(client, text):
    memo = client.document("memos/one")
    memo.set({"text": text, "nested": {text or "key": [text]}})
    assert memo.get().to_dict() == {"text": text, "nested": {text or "key": [text]}}


@pytest.mark.parametrize("id", ["買い物", "메모 하나", "日本語:한국어", "a b", "100%", "q?x#y", "🔥"])
def test_ids_in_any_script(client, id):
    memo = client.collection("メモ").document(id)
    memo.create({"id": id})
    assert memo.get().id == id and memo.get().to_dict() == {"id": id}
    assert [found.id for found in client.collection("メモ").list_documents()] == [id]


def test_composed_and_decomposed_are_different_ids(client):
    memos = client.collection("memos")
    memos.document(COMPOSED).create({"form": "composed"})
    memos.document(DECOMPOSED).create({"form": "decomposed"})
    assert memos.document(COMPOSED).get().to_dict() == {"form": "composed"}
    assert memos.document(DECOMPOSED).get().to_dict() == {"form": "decomposed"}
    assert {found.id for found in memos.list_documents()} == {COMPOSED, DECOMPOSED}


def test_composed_and_decomposed_are_different_fields_and_texts(client):
    memo = client.document("memos/one")
    fields = {COMPOSED: DECOMPOSED, DECOMPOSED: COMPOSED, "map": {COMPOSED: 1, DECOMPOSED: 2}}
    memo.set(fields)
    assert memo.get().to_dict() == fields
    first = memo.set({"text": COMPOSED}).update_time
    assert memo.set({"text": DECOMPOSED}).update_time > first


def test_server_timestamp(client):
    memo = client.document("memos/one")
    memo.set({"text": "a", "changed": firestore.SERVER_TIMESTAMP, "log": {"at": firestore.SERVER_TIMESTAMP}})
    stored = memo.get().to_dict()
    assert recent(stored["changed"]) and stored["changed"] == stored["log"]["at"]


def test_increments(client):
    memo = client.document("memos/one")
    memo.set({"count": 1, "ratio": 0.5})
    memo.update({"count": firestore.Increment(2), "ratio": firestore.Increment(1), "new": firestore.Increment(-3)})
    assert memo.get().to_dict() == {"count": 3, "ratio": 1.5, "new": -3}
    memo.update({"count": firestore.Maximum(10), "ratio": firestore.Minimum(1)})
    assert memo.get().to_dict() == {"count": 10, "ratio": 1, "new": -3}


def test_array_unions(client):
    memo = client.document("memos/one")
    memo.set({"tags": ["a", "b"]})
    memo.update({"tags": firestore.ArrayUnion(["b", "c", "한국"])})
    assert memo.get().to_dict() == {"tags": ["a", "b", "c", "한국"]}
    memo.update({"tags": firestore.ArrayRemove(["a", "한국"])})
    assert memo.get().to_dict() == {"tags": ["b", "c"]}


def test_get_all_finds_and_misses(client):
    memos = [client.document(f"memos/{n}") for n in range(5)]
    for memo in memos[:3]:
        memo.set({"n": memo.id})
    found = {snapshot.id: snapshot.to_dict() for snapshot in client.get_all(memos)}
    assert found == {"0": {"n": "0"}, "1": {"n": "1"}, "2": {"n": "2"}, "3": None, "4": None}


def test_list_documents_pages(client):
    memos = client.collection("memos")
    batch = client.batch()
    for n in range(45):
        batch.set(memos.document(f"m{n:02}"), {"n": n})
    batch.commit()
    assert [memo.id for memo in memos.list_documents(page_size=7)] == [f"m{n:02}" for n in range(45)]


def test_list_documents_shows_missing_parents(client):
    client.document("memos/parent/parts/child").set({})
    assert [memo.id for memo in client.collection("memos").list_documents()] == ["parent"]
    assert not client.document("memos/parent").get().exists


def test_batch_is_all_or_nothing(client):
    client.document("memos/there").set({"n": 1})
    batch = client.batch()
    batch.set(client.document("memos/new"), {"n": 2})
    batch.create(client.document("memos/there"), {"n": 3})
    with pytest.raises(exceptions.AlreadyExists):
        batch.commit()
    assert not client.document("memos/new").get().exists
    assert client.document("memos/there").get().to_dict() == {"n": 1}


def test_batch_results_share_a_time(client):
    batch = client.batch()
    for n in range(500):
        batch.set(client.document(f"memos/{n}"), {"n": n, "text": TEXTS["mixed"]})
    results = batch.commit()
    assert len(results) == 500 and {result.update_time for result in results} == {batch.commit_time}


def test_collections(client):
    client.document("memos/a").set({})
    client.document("メモ/a").set({})
    client.document("memos/a/parts/b").set({})
    assert [found.id for found in client.collections()] == ["memos", "メモ"]
    assert [found.id for found in client.document("memos/a").collections()] == ["parts"]
