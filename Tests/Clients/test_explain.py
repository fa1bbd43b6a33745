"""Explained queries and partitions through the SDK, as its own tests for production ask for them."""

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.query_profile import ExplainOptions, QueryExplainError
from google.cloud.firestore_v1.vector import Vector


@pytest.fixture(params=["server", "durable_server"])
def client(request, project, monkeypatch):
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", request.getfixturevalue(request.param).address)
    client = firestore.Client(project=project)
    yield client
    client.close()


@pytest.fixture
def letters(client):
    batch = client.batch()
    for number in range(10):
        vector = Vector([1.0, float(number), 3.0])
        batch.set(client.document(f"letters/{number}"), {"a": number % 3, "n": number, "v": vector})
    batch.commit()
    return client.collection("letters")


def check(metrics, properties, scope="Collection"):
    (index,) = metrics.plan_summary.indexes_used
    assert index == {"properties": properties, "query_scope": scope}


def check_statistics(metrics, results, reads):
    statistics = metrics.execution_stats
    assert statistics.results_returned == results
    assert statistics.read_operations == reads
    assert 0 < statistics.execution_duration.total_seconds() < 1
    assert {"billing_details", "documents_scanned", "index_entries_scanned"} <= set(
        statistics.debug_stats
    )


@pytest.mark.parametrize("method", ["get", "stream"])
def test_query(letters, method):
    query = letters.where(filter=FieldFilter("a", "in", [1, 100]))
    results = getattr(query, method)(explain_options=ExplainOptions(analyze=True))
    assert len(list(results)) == 3
    check(results.get_explain_metrics(), "(a ASC, __name__ ASC)")
    check_statistics(results.get_explain_metrics(), 3, 3)
    results = getattr(query, method)(explain_options=ExplainOptions(analyze=False))
    assert list(results) == []
    check(results.get_explain_metrics(), "(a ASC, __name__ ASC)")
    with pytest.raises(QueryExplainError, match="execution_stats not available"):
        results.get_explain_metrics().execution_stats


def test_collection(letters):
    results = letters.get(explain_options=ExplainOptions(analyze=True))
    check(results.get_explain_metrics(), "(__name__ ASC)")
    check_statistics(results.get_explain_metrics(), 10, 10)


def test_aggregation(letters):
    query = letters.where(filter=FieldFilter("a", ">", 0)).count("all")
    results = query.get(explain_options=ExplainOptions(analyze=True))
    assert results[0][0].value == 6
    check(results.get_explain_metrics(), "(a ASC, __name__ ASC)")
    check_statistics(results.get_explain_metrics(), 1, 1)
    results = query.get(explain_options=ExplainOptions(analyze=False))
    assert list(results) == []
    check(results.get_explain_metrics(), "(a ASC, __name__ ASC)")


def test_nearest(client, letters):
    query = client.collection_group("letters").where(filter=FieldFilter("a", "==", 1)).find_nearest(
        vector_field="v",
        query_vector=Vector([1.0, 2.0, 3.0]),
        distance_measure=DistanceMeasure.EUCLIDEAN,
        limit=1,
    )
    results = query.get(explain_options=ExplainOptions(analyze=True))
    assert [snapshot.id for snapshot in results] == ["1"]
    check(
        results.get_explain_metrics(), "(a ASC, __name__ ASC, v VECTOR<3>)", "Collection group"
    )
    assert results.get_explain_metrics().execution_stats.read_operations > 0


def test_partitions(client):
    count = 128 * 2 + 127
    parents = ["", "abc/123/", "def/456/", "ghi/789/"]
    paths = [f"{parents[number % 4]}parts/doc{number:03d}" for number in range(count)]
    batch = client.batch()
    for path in paths:
        batch.set(client.document(path), {"x": 1})
    batch.commit()
    partitions = list(client.collection_group("parts").get_partitions(3))
    assert len(partitions) == 3
    found = [snapshot.reference.path for part in partitions for snapshot in part.query().stream()]
    assert found == sorted(paths)


def test_few_documents_are_one_partition(client):
    client.document("parts/a").set({})
    (partition,) = client.collection_group("parts").get_partitions(3)
    assert [snapshot.id for snapshot in partition.query().stream()] == ["a"]
