"""The Python SDK raises the exception that its users catch."""

import datetime

import pytest
from google.api_core import exceptions
from google.cloud import firestore


def test_create_on_an_existing_document(client):
    memo = client.document("memos/one")
    memo.create({})
    with pytest.raises(exceptions.AlreadyExists):
        memo.create({})


def test_update_of_a_missing_document(client):
    with pytest.raises(exceptions.NotFound) as raised:
        client.document("memos/none").update({"a": 1})
    assert "memos" in raised.value.message


def test_update_time_preconditions(client):
    memo = client.document("memos/one")
    old = memo.set({"n": 1}).update_time
    new = memo.set({"n": 2}).update_time
    with pytest.raises(exceptions.FailedPrecondition):
        memo.update({"n": 3}, option=client.write_option(last_update_time=old))
    memo.update({"n": 3}, option=client.write_option(last_update_time=new))
    with pytest.raises(exceptions.FailedPrecondition):
        memo.delete(option=client.write_option(last_update_time=old))
    assert memo.get().to_dict() == {"n": 3}


def test_exists_preconditions(client):
    memo = client.document("memos/one")
    with pytest.raises(exceptions.NotFound):
        memo.delete(option=client.write_option(exists=True))
    memo.set({})
    memo.delete(option=client.write_option(exists=True))
    assert not memo.get().exists


@pytest.mark.parametrize("id", [".", "..", "__reserved__", "x" * 1501])
def test_invalid_ids(client, id):
    with pytest.raises(exceptions.InvalidArgument):
        client.collection("memos").document(id).set({})


def test_too_large(client):
    with pytest.raises(exceptions.InvalidArgument):
        client.document("memos/one").set({"text": "x" * 1_048_577})


def test_array_in_array(client):
    with pytest.raises(exceptions.InvalidArgument):
        client.document("memos/one").set({"a": [[1]]})


def test_geo_point_outside_of_the_world(client):
    with pytest.raises(exceptions.InvalidArgument):
        client.document("memos/one").set({"a": firestore.GeoPoint(91, 0)})


def test_read_time_in_the_future(client):
    client.document("memos/one").set({})
    future = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    with pytest.raises(exceptions.InvalidArgument):
        client.document("memos/one").get(read_time=future)


def test_errors_leave_the_client_usable(client):
    for _ in range(20):
        with pytest.raises(exceptions.InvalidArgument):
            client.document("memos/__x__").set({})
    client.document("memos/one").set({"n": 1})
    assert client.document("memos/one").get().to_dict() == {"n": 1}
