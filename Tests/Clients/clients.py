"""One way to say what an app does with its documents, and the clients that carry it out, each in its own manner.

Values are those of the Python SDK; a reference is a `Reference` to a path.
"""

import asyncio
import base64
import datetime
import http.client
import json
import urllib.parse
import uuid

import firebase_admin
import firebase_admin.firestore
import firebase_admin.firestore_async
from firebase_admin import credentials
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter

NAMES = ["sdk", "async sdk", "admin", "async admin", "rest"]
OPERATORS = {
    "==": "EQUAL", "!=": "NOT_EQUAL", "<": "LESS_THAN", "<=": "LESS_THAN_OR_EQUAL", ">": "GREATER_THAN",
    ">=": "GREATER_THAN_OR_EQUAL", "in": "IN", "not-in": "NOT_IN", "array_contains": "ARRAY_CONTAINS",
    "array_contains_any": "ARRAY_CONTAINS_ANY",
}


class Reference:
    def __init__(self, path):
        self.path = path

    def __eq__(self, other):
        return isinstance(other, Reference) and self.path == other.path

    def __hash__(self):
        return hash(self.path)

    def __repr__(self):
        return f"Reference({self.path!r})"


def mapped(value, change):
    """The value with `change` made to all that is no map and no array."""
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    return change(value)


class SDK:
    """The unchanged SDK, with or without `firebase_admin`."""

    def __init__(self, client):
        self.client = client

    def finish(self, call):
        return call

    def all(self, stream):
        return list(stream)

    def theirs(self, data):
        return mapped(data, lambda value: self.client.document(value.path) if isinstance(value, Reference) else value)

    def ours(self, snapshot):
        def change(value):
            path = getattr(value, "path", None)
            return value if path is None else Reference(path)

        return mapped(snapshot.to_dict(), change)

    def add(self, collection, data):
        _, document = self.finish(self.client.collection(collection).add(self.theirs(data)))
        return document.id

    def set(self, path, data, merge=False):
        self.finish(self.client.document(path).set(self.theirs(data), merge=merge))

    def update(self, path, data):
        self.finish(self.client.document(path).update(self.theirs(data)))

    def delete(self, path):
        self.finish(self.client.document(path).delete())

    def get(self, path):
        return self.ours(self.finish(self.client.document(path).get()))

    def count(self, collection):
        return self.finish(self.client.collection(collection).count().get())[0][0].value

    def query(self, collection, where=(), order=(), limit=None, cursors={}):
        query = self.client.collection(collection)
        for field, operator, value in where:
            query = query.where(filter=FieldFilter(field, operator, self.theirs(value)))
        for field, direction in order:
            query = query.order_by(field, direction=direction)
        if limit is not None:
            query = query.limit(limit)
        for place, values in cursors.items():
            query = getattr(query, place)({field: self.theirs(value) for (field, _), value in zip(order, values)})
        return [(found.id, self.ours(found)) for found in self.all(query.stream())]

    def close(self):
        self.client.close()


class AsyncSDK(SDK):
    def __init__(self, make):
        self.loop = asyncio.new_event_loop()
        super().__init__(self.loop.run_until_complete(self.made(make)))

    async def made(self, make):
        return make()

    def finish(self, call):
        return self.loop.run_until_complete(call)

    def all(self, stream):
        async def gather():
            return [item async for item in stream]

        return self.loop.run_until_complete(gather())

    def close(self):
        self.client.close()
        self.loop.close()


class REST:
    """JSON over plain HTTP, without any library of Google's."""

    def __init__(self, server, project):
        self.server = server
        self.database = f"projects/{project}/databases/(default)"
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=20)

    def call(self, method, path, body=None, parameters=()):
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        url = f"/v1/{self.database}/documents{urllib.parse.quote(path, safe='/:')}{query}"
        payload = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        fields = {"Authorization": "Bearer owner"} | ({} if body is None else {"Content-Type": "application/json"})
        self.connection.request(method, url, payload, fields)
        response = self.connection.getresponse()
        return response.status, json.loads(response.read())

    def done(self, *request):
        status, answer = self.call(*request)
        assert status == 200, answer
        return answer

    def name(self, path):
        return f"{self.database}/documents/{path}"

    def encoded(self, value):
        match value:
            case None: return {"nullValue": None}
            case bool(): return {"booleanValue": value}
            case int(): return {"integerValue": str(value)}
            case float(): return {"doubleValue": value}
            case str(): return {"stringValue": value}
            case bytes(): return {"bytesValue": base64.b64encode(value).decode()}
            case datetime.datetime(): return {"timestampValue": value.isoformat().replace("+00:00", "Z")}
            case firestore.GeoPoint(): return {"geoPointValue": {"latitude": value.latitude, "longitude": value.longitude}}
            case Reference(): return {"referenceValue": self.name(value.path)}
            case list(): return {"arrayValue": {"values": [self.encoded(item) for item in value]}}
            case dict(): return {"mapValue": self.fields(value)}
        raise TypeError(type(value))

    def fields(self, data):
        return {"fields": {key: self.encoded(item) for key, item in data.items()}}

    def decoded(self, value):
        (kind, content), = value.items()
        match kind:
            case "integerValue": return int(content)
            case "doubleValue": return float(content)
            case "bytesValue": return base64.b64decode(content)
            case "timestampValue": return datetime.datetime.fromisoformat(content.replace("Z", "+00:00"))
            case "geoPointValue": return firestore.GeoPoint(content.get("latitude", 0.0), content.get("longitude", 0.0))
            case "referenceValue": return Reference(content.removeprefix(self.name("")))
            case "arrayValue": return [self.decoded(item) for item in content.get("values", [])]
            case "mapValue": return self.data(content)
        return content

    def data(self, document):
        return {key: self.decoded(item) for key, item in document.get("fields", {}).items()}

    def add(self, collection, data):
        return self.done("POST", f"/{collection}", self.fields(data))["name"].rsplit("/", 1)[1]

    def set(self, path, data, merge=False):
        mask = [("updateMask.fieldPaths", field) for field in data] if merge else ()
        self.done("PATCH", f"/{path}", self.fields(data), mask)

    def update(self, path, data):
        mask = [("updateMask.fieldPaths", field) for field in data] + [("currentDocument.exists", "true")]
        present = {key: item for key, item in data.items() if item is not firestore.DELETE_FIELD}
        self.done("PATCH", f"/{path}", self.fields(present), mask)

    def delete(self, path):
        self.done("DELETE", f"/{path}")

    def get(self, path):
        status, answer = self.call("GET", f"/{path}")
        assert status in (200, 404), answer
        return self.data(answer) if status == 200 else None

    def count(self, collection):
        query = {"structuredQuery": {"from": [{"collectionId": collection}]}, "aggregations": [{"alias": "n", "count": {}}]}
        answer = self.done("POST", ":runAggregationQuery", {"structuredAggregationQuery": query})
        return self.decoded(answer[0]["result"]["aggregateFields"]["n"])

    def query(self, collection, where=(), order=(), limit=None, cursors={}):
        filters = [
            {"fieldFilter": {"field": {"fieldPath": field}, "op": OPERATORS[operator], "value": self.encoded(value)}}
            for field, operator, value in where
        ]
        query = {"from": [{"collectionId": collection}]}
        if filters:
            query["where"] = {"compositeFilter": {"op": "AND", "filters": filters}}
        if order:
            query["orderBy"] = [{"field": {"fieldPath": field}, "direction": direction} for field, direction in order]
        if limit is not None:
            query["limit"] = limit
        for place, values in cursors.items():
            bound = {"values": [self.encoded(value) for value in values], "before": place in ("start_at", "end_before")}
            query["startAt" if place.startswith("start") else "endAt"] = bound
        answers = self.done("POST", ":runQuery", {"structuredQuery": query})
        found = [answer["document"] for answer in answers if "document" in answer]
        return [(document["name"].rsplit("/", 1)[1], self.data(document)) for document in found]

    def close(self):
        self.connection.close()


class Nobody(credentials.Base):
    def get_credential(self):
        return AnonymousCredentials()


class Admin:
    """An app of `firebase_admin` in front of a client."""

    def __init__(self, project):
        self.app = firebase_admin.initialize_app(Nobody(), {"projectId": project}, name=uuid.uuid4().hex)

    def client(self):
        return firebase_admin.firestore.client(self.app)

    def async_client(self):
        return firebase_admin.firestore_async.client(self.app)

    def close(self):
        firebase_admin.delete_app(self.app)


def opened(name, server, project, stack):
    """The client of a name; FIRESTORE_EMULATOR_HOST must say where the server is. `stack` closes it."""
    def admin():
        admin = Admin(project)
        stack.callback(admin.close)
        return admin

    match name:
        case "sdk": client = SDK(firestore.Client(project=project))
        case "async sdk": client = AsyncSDK(lambda: firestore.AsyncClient(project=project))
        case "admin": client = SDK(admin().client())
        case "async admin": client = AsyncSDK(admin().async_client)
        case "rest": client = REST(server, project)
    stack.callback(client.close)
    return client
