"""The tests that Google and others run their own storage libraries by, against a server of ours."""

import datetime
import json
import os
import re
import socket
import subprocess
import sys
import tarfile

import pytest
import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import storage
from google.oauth2 import service_account

pytestmark = pytest.mark.skipif("HIBACHI_BINARY" not in os.environ, reason="no binary to start")
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "..", "..", ".build", "sdists")

# What asks other services of Google, or other protocols, with the reason.
LEFT_OUT = {
    "test_kms_integration.py": "keys of Google's key service",
    "test_rapid.py": "appendable objects, which there are over gRPC alone",
    "test_anonymous_client_access_to_public_bucket": "a bucket of Google's",
    "universe_domain": "other clouds",
    "w_access_token": "signatures by Google's IAM service",
    "access_token_sa_email": "signatures by Google's IAM service",
}

GCSFS_TESTS = [
    "test_core.py", "test_core_versioned.py", "test_mapping.py", "test_manyopens.py", "test_inventory_report_listing.py",
    "derived/gcsfs_test.py",
]


def source(name, version):
    """The unpacked source distribution of a package."""
    folder = os.path.join(SOURCES, f"{name.replace('-', '_')}-{version}")
    if not os.path.isdir(folder):
        os.makedirs(SOURCES, exist_ok=True)
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name, "-d", SOURCES,
                        f"{name}=={version}"], check=True)
        with tarfile.open(folder + ".tar.gz") as archive:
            archive.extractall(SOURCES, filter="data")
    return folder


def account():
    """A key of a service account, as Google gives it out."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    key = rsa.generate_private_key(65537, 2048)
    text = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    return {
        "type": "service_account", "project_id": "demo-system", "private_key_id": "1", "private_key": text,
        "client_email": "tester@demo-system.iam.gserviceaccount.com", "client_id": "1", "token_uri": "http://127.0.0.1/token",
    }


@pytest.fixture(scope="module")
def account_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("account") / "account.json"
    file.write_text(json.dumps(account()))
    return file


def told(account_file, base):
    """A file with the same key that says where tokens are to be had."""
    file = account_file.with_name("told.json")
    file.write_text(json.dumps({**json.loads(account_file.read_text()), "token_uri": f"{base}/token"}))
    return str(file)


def pytest_of(folder, arguments, environment):
    """Runs the tests of a folder, and gives how many ended how, and the output."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rfE", *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1500, env={**os.environ, **environment})
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", result.stdout.strip().split("\n")[-1])}
    print(result.stdout[-20_000:], result.stderr[-5_000:])
    return counts


def test_signatures_of_the_account_alone_count(start, account_file, monkeypatch):
    """With a key configured. Without one the tests of the XML API show that any signature does."""
    server = start("--ephemeral", "--storage-key", str(account_file))
    base = f"http://127.0.0.1:{server.storage_port}"
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", base)
    infos = [json.loads(account_file.read_text()), account()]
    ours, other = [service_account.Credentials.from_service_account_info(info) for info in infos]
    client = storage.Client(project="demo", credentials=AnonymousCredentials())
    blob = client.create_bucket("signed").blob("a folder/ä.txt")
    blob.upload_from_string("hello")
    hour = datetime.timedelta(hours=1)
    for version in ("v2", "v4"):
        def url(signer, **options):
            return blob.generate_signed_url(expiration=hour, version=version, credentials=signer, **options)

        assert requests.get(url(ours)).text == "hello"
        assert requests.get(url(ours, response_type="a/b", response_disposition="inline")).headers["Content-Type"] == "a/b"
        assert requests.get(url(ours, query_parameters={"x": "1 2"})).text == "hello"
        assert requests.put(url(ours, method="PUT", content_type="a/b"), b"hello", headers={"Content-Type": "a/b"}).status_code == 200
        for refused in (
            requests.get(url(other)), requests.put(url(ours), b"x"), requests.get(url(ours).replace("folder", "holder")),
            requests.get(re.sub(r"(?i)(signature=)..", r"\1AA", url(ours))),
        ):
            assert (refused.status_code, "SignatureDoesNotMatch" in refused.text) == (403, True), refused.text
    assert requests.get(f"{base}/signed/a%20folder/%C3%A4.txt").text == "hello"
    for signer, status in ((ours, 204), (other, 403)):
        policy = client.generate_signed_post_policy_v4("signed", "form", expiration=hour, credentials=signer)
        answer = requests.post(f"{base}/signed", data=policy["fields"], files={"file": b"x"})
        assert answer.status_code == status, answer.text


@pytest.mark.long
def test_google_cloud_storage(start, account_file):
    folder = source("google-cloud-storage", "3.17.1")
    server = start("--ephemeral", "--storage-key", str(account_file))
    base = f"http://127.0.0.1:{server.storage_port}"
    words = " or ".join(name.removesuffix(".py") for name in LEFT_OUT)
    counts = pytest_of(
        folder, ["-p", "storage_system", "-k", f"not ({words})", "tests/system"],
        {"HIBACHI_STORAGE": base, "HIBACHI_ACCOUNT": told(account_file, base), "PYTHONPATH": HERE})
    assert counts.get("failed", 0) == counts.get("error", 0) == counts.get("errors", 0) == 0
    assert counts["passed"] > 150, counts


@pytest.mark.long
def test_gcsfs(account_file, tmp_path):
    """Its tests expect fake-gcs-server, so that is what the server is called."""
    pytest.importorskip("gcsfs")
    folder = source("gcsfs", "2026.3.0")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(
        ["fake-gcs-server", "-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-log-level", "warning"],
        executable=os.environ["HIBACHI_BINARY"], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert "server started" in process.stdout.readline()
        environment = {
            "STORAGE_EMULATOR_HOST": base, "GOOGLE_CLOUD_PROJECT": "demo", "PYTHONPATH": folder,
            "GOOGLE_APPLICATION_CREDENTIALS": told(account_file, base), "GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT": "false",
        }
        counts = pytest_of(folder, [f"gcsfs/tests/{name}" for name in GCSFS_TESTS], environment)
    finally:
        process.terminate()
        assert process.wait(timeout=10) == 0
    assert counts.get("failed", 0) == counts.get("error", 0) == counts.get("errors", 0) == 0
    assert counts["passed"] > 200, counts
