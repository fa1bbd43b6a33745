"""The same over plain REST, as scripts and other languages use it."""

import http.client
import json
import urllib.parse

import pytest


class REST:
    """A connection that speaks JSON to one database."""

    def __init__(self, server, project):
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=20)
        self.database = f"projects/{project}/databases/(default)"

    def __call__(self, method, path, body=None, **parameters):
        query = "?" + urllib.parse.urlencode(parameters, doseq=True) if parameters else ""
        url = f"/v1/{self.database}/documents{urllib.parse.quote(path, safe='/:')}{query}"
        payload = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        headers = {"Authorization": "Bearer owner"}
        if payload is not None:
            headers["Content-Type"] = "application/json"
        self.connection.request(method, url, payload, headers)
        response = self.connection.getresponse()
        text = response.read()
        assert response.headers["content-type"].startswith("application/json"), text
        return response.status, json.loads(text)


@pytest.fixture
def rest(server, project):
    return REST(server, project)


def text(value):
    return {"stringValue": value}


def test_create_get_patch_delete(rest):
    status, created = rest("POST", "/memos", {"fields": {"text": text("卵と牛乳")}}, documentId="買い物")
    assert status == 200 and created["name"] == f"{rest.database}/documents/memos/買い物"
    assert rest("GET", "/memos/買い物") == (200, created)
    status, patched = rest("PATCH", "/memos/買い物", {"fields": {"done": {"booleanValue": True}}})
    assert patched["fields"] == {"done": {"booleanValue": True}}
    assert patched["createTime"] == created["createTime"] and patched["updateTime"] > created["updateTime"]
    assert rest("DELETE", "/memos/買い物") == (200, {})
    assert rest("GET", "/memos/買い物")[0] == 404


def test_made_ids(rest):
    names = {rest("POST", "/memos", {"fields": {}})[1]["name"].rsplit("/", 1)[1] for _ in range(10)}
    assert len(names) == 10 and all(len(name) == 20 and name.isalnum() for name in names)


def test_masks(rest):
    rest("PATCH", "/stores/一", {"fields": {"a": text("1"), "b": text("2"), "c": text("3")}})
    mask = {"updateMask.fieldPaths": ["a", "b"]}
    status, answer = rest("PATCH", "/stores/一", {"fields": {"a": text("new")}}, **mask)
    assert answer["fields"] == {"a": text("new"), "c": text("3")}
    status, answer = rest("GET", "/stores/一", **{"mask.fieldPaths": ["c", "none"]})
    assert answer["fields"] == {"c": text("3")}


def test_values(rest):
    fields = {
        "place": {"geoPointValue": {"latitude": 37.5665, "longitude": 126.978}},
        "map": {"mapValue": {"fields": {"이름": text("서울"), "empty": {"mapValue": {}}}}},
        "array": {"arrayValue": {"values": [text("あ"), {"nullValue": None}, {"integerValue": "5"}]}},
        "time": {"timestampValue": "2020-02-29T23:59:59.123456Z"},
        "bytes": {"bytesValue": "AAEC/w=="},
        "reference": {"referenceValue": f"{rest.database}/documents/stores/二"},
        "double": {"doubleValue": "NaN"},
        "long": {"integerValue": "9223372036854775807"},
    }
    assert rest("PATCH", "/stores/서울", {"fields": fields})[1]["fields"] == fields
    assert rest("GET", "/stores/서울")[1]["fields"] == fields


def test_commit_and_batch_get(rest):
    name = f"{rest.database}/documents/memos/"
    writes = [{"update": {"name": name + n, "fields": {"n": text(n)}}} for n in "abc"]
    writes.append({"delete": name + "b"})
    status, answer = rest("POST", ":commit", {"writes": writes})
    assert status == 200 and len(answer["writeResults"]) == 4
    status, answers = rest("POST", ":batchGet", {"documents": [name + n for n in "abcd"]})
    found = {item["found"]["name"] for item in answers if "found" in item}
    assert found == {name + "a", name + "c"}
    assert {item["missing"] for item in answers if "missing" in item} == {name + "b", name + "d"}


def test_composed_and_decomposed(rest):
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    rest("PATCH", f"/memos/{composed}", {"fields": {composed: text(decomposed)}})
    assert rest("GET", f"/memos/{decomposed}")[0] == 404
    assert rest("GET", f"/memos/{composed}")[1]["fields"] == {composed: text(decomposed)}


def test_errors(rest):
    rest("POST", "/memos", {"fields": {}}, documentId="a")
    status, answer = rest("POST", "/memos", {"fields": {}}, documentId="a")
    assert (status, answer["error"]["code"], answer["error"]["status"]) == (409, 409, "ALREADY_EXISTS")
    status, answer = rest("GET", "/memos/none")
    assert (status, answer["error"]["status"]) == (404, "NOT_FOUND")
    status, answer = rest("DELETE", "/memos/none", **{"currentDocument.exists": "true"})
    assert (status, answer["error"]["status"]) == (404, "NOT_FOUND")
    status, answer = rest("PATCH", "/memos/__x__", {"fields": {}})
    assert (status, answer["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_list_pages(rest):
    name = f"{rest.database}/documents/memos/"
    ids = [f"메모{n:03}" for n in range(25)]
    rest("POST", ":commit", {"writes": [{"update": {"name": name + id, "fields": {}}} for id in ids]})
    found, token = [], None
    while True:
        page = {"pageSize": 10} | ({"pageToken": token} if token else {})
        status, answer = rest("GET", "/memos", **page)
        found += [document["name"].rsplit("/", 1)[1] for document in answer.get("documents", [])]
        token = answer.get("nextPageToken")
        if not token:
            break
    assert found == ids


def test_what_the_sdk_wrote(rest, client):
    client.document("memos/共有").set({"text": "한국어", "n": 1})
    assert rest("GET", "/memos/共有")[1]["fields"] == {"text": text("한국어"), "n": {"integerValue": "1"}}
    rest("PATCH", "/memos/共有", {"fields": {"n": {"integerValue": "2"}}})
    assert client.document("memos/共有").get().to_dict() == {"n": 2}


def test_distances_go_by_names_that_are_no_paths(rest):
    vector = {"mapValue": {"fields": {"__type__": text("__vector__"), "value": {"arrayValue": {"values": [{"doubleValue": 3.0}, {"doubleValue": 4.0}]}}}}}
    zero = json.loads(json.dumps(vector).replace("3.0", "0.0").replace("4.0", "0.0"))
    rest("PATCH", "/places/a", {"fields": {"v": vector}})
    for name in ["distance", "거리", "a.b", "-5", "`"]:
        nearest = {"vectorField": {"fieldPath": "v"}, "queryVector": zero, "distanceMeasure": "EUCLIDEAN", "limit": 1, "distanceResultField": name}
        status, answer = rest("POST", ":runQuery", {"structuredQuery": {"from": [{"collectionId": "places"}], "findNearest": nearest}})
        assert status == 200 and answer[0]["document"]["fields"][name] == {"doubleValue": 5.0}, answer


def test_sums_over_all_collections(rest):
    for path, n in [("/a/1", 1), ("/b/1", 2), ("/b/2", None), ("/a/1/c/1", 4)]:
        rest("PATCH", path, {"fields": {} if n is None else {"n": {"integerValue": str(n)}}})
    aggregations = [{"alias": "sum", "sum": {"field": {"fieldPath": "n"}}}, {"alias": "count", "count": {}}]
    for all, total, count in [(False, 3, 2), (True, 7, 3)]:
        query = {"structuredQuery": {"from": [{"allDescendants": all}]}, "aggregations": aggregations}
        status, answer = rest("POST", ":runAggregationQuery", {"structuredAggregationQuery": query})
        assert status == 200, answer
        assert answer[0]["result"]["aggregateFields"] == {"sum": {"integerValue": str(total)}, "count": {"integerValue": str(count)}}
