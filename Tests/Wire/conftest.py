import http.client
import json

import pytest


class Stored:
    """A document that every transport is asked for."""

    def __init__(self, server, project):
        self.path = f"/v1/projects/{project}/databases/(default)/documents/wire/one"
        self.url = f"http://{server.address}{self.path}"
        connection = http.client.HTTPConnection(server.host, server.port, timeout=10)
        body = json.dumps({"fields": {"text": {"stringValue": "선 wire 線" * 50}}}, ensure_ascii=False).encode()
        connection.request("PATCH", self.path, body, {"Content-Type": "application/json", "Authorization": "Bearer owner"})
        response = connection.getresponse()
        assert response.status == 200
        self.document = json.loads(response.read())
        connection.close()


@pytest.fixture
def stored(server, project):
    return Stored(server, project)
