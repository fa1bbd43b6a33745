"""A store finder on the Python SDK: every type of value."""

import datetime

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector

UTC = datetime.timezone.utc

STORE = {
    "name": "東京ストア 신주쿠",
    "place": firestore.GeoPoint(35.6895, 139.6917),
    "hours": {"mon": ["09:00", "18:00"], "sun": None, "特別": {"祝日": False}},
    "products": ["お茶", "김치", 3, 2.5, {"sku": "x-1"}, None, True],
    "opened": datetime.datetime(1964, 10, 10, 14, 30, 0, 123456, tzinfo=UTC),
    "logo": bytes(range(256)),
    "rating": 4.75,
    "visits": 2**63 - 1,
    "lowest": -(2**63),
    "tiny": 5e-324,
    "open": True,
    "empty": {"map": {}, "array": [], "text": "", "bytes": b""},
}


def test_every_type_comes_back(client):
    store = client.document("stores/tokyo")
    store.set({**STORE, "chain": client.document("chains/東")})
    stored = store.get().to_dict()
    assert stored.pop("chain") == client.document("chains/東")
    place = stored.pop("place")
    assert (place.latitude, place.longitude) == (35.6895, 139.6917)
    assert stored == {key: value for key, value in STORE.items() if key != "place"}


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), 0.1, 1e308, -1.5, 2.0**53 + 2])
def test_doubles(client, value):
    store = client.document("stores/one")
    store.set({"value": value})
    stored = store.get().get("value")
    assert stored == value and isinstance(stored, float)


def test_not_a_number_and_minus_zero(client):
    store = client.document("stores/one")
    store.set({"nan": float("nan"), "zero": 0.0})
    stored = store.get().to_dict()
    assert stored["nan"] != stored["nan"] and stored["zero"] == 0


def test_vectors(client):
    store = client.document("stores/one")
    store.set({"embedding": Vector([1.0, -2.5, 0.0])})
    assert store.get().get("embedding") == Vector([1.0, -2.5, 0.0])


@pytest.mark.parametrize("corner", [(90, 180), (-90, -180), (0, 0)])
def test_geo_points(client, corner):
    store = client.document("stores/one")
    store.set({"place": firestore.GeoPoint(*corner)})
    place = store.get().get("place")
    assert (place.latitude, place.longitude) == corner


def test_field_masks(client):
    store = client.document("stores/tokyo")
    store.set(STORE)
    snapshot = store.get(["name", "hours.`特別`", "missing"])
    assert snapshot.to_dict() == {"name": STORE["name"], "hours": {"特別": {"祝日": False}}}


def test_fields_that_need_quotes(client):
    store = client.document("stores/one")
    store.set({"a.b": 1, "`": 2, "\\": 3, "ㄱ ㄴ": {"x-y": 4}})
    store.update({client.field_path("a.b"): 5, client.field_path("ㄱ ㄴ", "x-y"): 6})
    assert store.get().to_dict() == {"a.b": 5, "`": 2, "\\": 3, "ㄱ ㄴ": {"x-y": 6}}


def test_sub_collections_stay_when_the_parent_goes(client):
    store = client.document("stores/tokyo")
    store.set({"n": 1})
    store.collection("reviews").document("一").set({"stars": 5})
    store.delete()
    assert store.collection("reviews").document("一").get().to_dict() == {"stars": 5}


def test_large_document(client):
    store = client.document("stores/large")
    text = "湯" * 300_000
    store.set({"text": text})
    assert store.get().get("text") == text


def test_many_fields_in_order_of_nothing(client):
    store = client.document("stores/wide")
    fields = {f"field{n * 7919 % 1000}": n for n in range(1000)}
    store.set(fields)
    assert store.get().to_dict() == fields
