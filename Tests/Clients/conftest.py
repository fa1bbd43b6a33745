import pytest
from google.cloud import firestore


@pytest.fixture
def client(server, project, monkeypatch):
    """The unchanged SDK, told where the server is the way its users tell it."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", server.address)
    client = firestore.Client(project=project)
    yield client
    client.close()
