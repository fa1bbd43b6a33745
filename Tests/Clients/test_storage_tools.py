"""Other libraries and tools that speak to Cloud Storage, told where the server is the way their users tell them."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import uuid

import pytest
import requests

CONTENT = bytes(range(256)) * 5000


@pytest.fixture
def base(server):
    return f"http://{server.host}:{server.storage_port}"


@pytest.fixture
def bucket(base):
    name = f"bkt-{uuid.uuid4().hex[:12]}"
    assert requests.post(f"{base}/storage/v1/b?project=p", json={"name": name}).status_code == 200
    return name


@pytest.fixture
def store(base, bucket):
    obstore = pytest.importorskip("obstore.store")
    key = {"gcs_base_url": base, "disable_oauth": True, "client_email": "", "private_key": "", "private_key_id": ""}
    return obstore.GCSStore(bucket, service_account_key=json.dumps(key), client_options={"allow_http": True})


def test_obstore_reads_and_writes(store):
    import obstore
    attributes = {"Content-Type": "text/x", "Cache-Control": "no-store", "color": "red"}
    put = obstore.put(store, "dir/a b.bin", CONTENT, attributes=attributes)
    assert put["e_tag"] and put["version"]
    got = obstore.get(store, "dir/a b.bin")
    assert bytes(got.bytes()) == CONTENT
    assert attributes.items() <= dict(got.attributes).items()
    head = obstore.head(store, "dir/a b.bin")
    assert (head["size"], head["e_tag"], head["version"]) == (len(CONTENT), put["e_tag"], put["version"])
    assert bytes(obstore.get_range(store, "dir/a b.bin", start=1000, end=2000)) == CONTENT[1000:2000]
    ranges = obstore.get_ranges(store, "dir/a b.bin", starts=[0, 500_000], ends=[10, 500_010])
    assert [bytes(part) for part in ranges] == [CONTENT[:10], CONTENT[500_000:500_010]]
    assert bytes(obstore.get(store, "dir/a b.bin", options={"range": {"suffix": 7}}).bytes()) == CONTENT[-7:]
    with pytest.raises(Exception):
        obstore.get(store, "dir/a b.bin", options={"if_none_match": put["e_tag"]})
    obstore.put(store, "empty", b"")
    assert bytes(obstore.get(store, "empty").bytes()) == b""
    with pytest.raises(FileNotFoundError):
        obstore.get(store, "none")


def test_obstore_creates_once(store):
    import obstore
    obstore.put(store, "once", b"1", mode="create")
    with pytest.raises(obstore.exceptions.AlreadyExistsError):
        obstore.put(store, "once", b"2", mode="create")
    first = obstore.head(store, "once")
    obstore.put(store, "once", b"3", mode={"e_tag": first["e_tag"], "version": first["version"]})
    with pytest.raises(obstore.exceptions.PreconditionError):
        obstore.put(store, "once", b"4", mode={"e_tag": first["e_tag"], "version": first["version"]})
    assert bytes(obstore.get(store, "once").bytes()) == b"3"


def test_obstore_lists(store):
    import obstore
    names = [f"d/{n:04}" for n in range(1100)] + ["d/s/x", "e"]
    for name in names:
        obstore.put(store, name, b"x")
    assert [entry["path"] for page in obstore.list(store) for entry in page] == names
    assert [entry["path"] for page in obstore.list(store, "d", offset="d/1097") for entry in page] == names[1098:1101]
    level = obstore.list_with_delimiter(store, "d")
    assert (len(level["objects"]), list(level["common_prefixes"])) == (1100, ["d/s"])


def test_obstore_copies_renames_and_deletes(store):
    import obstore
    obstore.put(store, "a", CONTENT)
    obstore.copy(store, "a", "b/c d")
    assert bytes(obstore.get(store, "b/c d").bytes()) == CONTENT
    with pytest.raises(obstore.exceptions.AlreadyExistsError):
        obstore.copy(store, "a", "b/c d", overwrite=False)
    obstore.rename(store, "a", "e")
    assert [entry["path"] for page in obstore.list(store) for entry in page] == ["b/c d", "e"]
    obstore.delete(store, ["b/c d", "e"])
    assert [entry for page in obstore.list(store) for entry in page] == []


def test_obstore_uploads_in_parts(store):
    import obstore
    content = os.urandom(13 << 20)
    obstore.put(store, "big", content, use_multipart=True, chunk_size=5 << 20, max_concurrency=3)
    assert bytes(obstore.get(store, "big").bytes()) == content
    with obstore.open_writer(store, "written") as writer:
        for start in range(0, len(content), 1 << 20):
            writer.write(content[start:start + (1 << 20)])
    assert obstore.head(store, "written")["size"] == len(content)
    assert bytes(obstore.open_reader(store, "written").read()) == content


# The command line tools of Google, where they are installed.

@pytest.fixture
def gcloud(base, tmp_path):
    if not shutil.which("gcloud"):
        pytest.skip("no gcloud")
    environment = {
        **os.environ, "CLOUDSDK_CONFIG": str(tmp_path / "config"), "CLOUDSDK_AUTH_DISABLE_CREDENTIALS": "true",
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE": f"{base}/storage/v1/", "CLOUDSDK_CORE_PROJECT": "demo-storage",
        "CLOUDSDK_CORE_DISABLE_PROMPTS": "true", "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING": "true",
        "CLOUDSDK_STORAGE_PROCESS_COUNT": "1", "CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK": "true",
    }

    def run(*arguments):
        result = subprocess.run(
            ["gcloud", "storage", *arguments], env=environment, capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, result.stderr
        return result.stdout

    return run


def run_tool(tool, bucket, tmp_path, compose="compose"):
    """cp, ls, cat, compose, rsync and rm, as both tools have them."""
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "a.txt").write_text("hello")
    (tmp_path / "in" / "sub" / "b.bin").write_bytes(CONTENT * 8)
    url = f"gs://{bucket}"
    tool("cp", str(tmp_path / "in" / "a.txt"), f"{url}/a.txt")
    tool("cp", str(tmp_path / "in" / "sub" / "b.bin"), f"{url}/dir/b.bin")
    assert tool("ls", url).split() == [f"{url}/a.txt", f"{url}/dir/"]
    assert tool("cat", f"{url}/a.txt") == "hello"
    tool("cp", f"{url}/a.txt", f"{url}/copy.txt")
    tool(*compose.split(), f"{url}/a.txt", f"{url}/copy.txt", f"{url}/both.txt")
    assert tool("cat", f"{url}/both.txt") == "hellohello"
    tool("cp", f"{url}/dir/b.bin", str(tmp_path / "out.bin"))
    assert (tmp_path / "out.bin").read_bytes() == CONTENT * 8
    tool("rsync", "-r", str(tmp_path / "in"), f"{url}/synced")
    assert tool("ls", f"{url}/synced/**").split() == [f"{url}/synced/a.txt", f"{url}/synced/sub/b.bin"]
    tool("rm", "-r", f"{url}/synced")
    tool("rm", f"{url}/both.txt", f"{url}/copy.txt")
    assert tool("ls", f"{url}/**").split() == [f"{url}/a.txt", f"{url}/dir/b.bin"]


@pytest.mark.long
def test_gcloud_storage(gcloud, bucket, tmp_path):
    run_tool(gcloud, bucket, tmp_path, compose="objects compose")


def pump(source, target):
    while chunk := source.recv(1 << 16):
        target.sendall(chunk)
    target.close()


@pytest.fixture
def gsutil(own_server, tmp_path):
    """gsutil speaks TLS alone, so that something that does has to stand before the server."""
    if not shutil.which("gsutil"):
        pytest.skip("no gsutil")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout",
               str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]

    def serve(raw):
        try:
            client = context.wrap_socket(raw, server_side=True)
            server = socket.create_connection(("127.0.0.1", own_server.storage_port))
            threading.Thread(target=pump, args=(server, client), daemon=True).start()
            pump(client, server)
        except OSError:
            pass

    def accept():
        while True:
            try:
                raw, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(raw,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    base = f"http://127.0.0.1:{own_server.storage_port}"
    assert requests.put(f"{base}/_internal/config", json={"externalUrl": f"https://127.0.0.1:{port}"}).status_code == 200
    (tmp_path / "boto").write_text(
        "[Credentials]\n"
        f"gs_json_host = 127.0.0.1\ngs_json_port = {port}\n"
        "[Boto]\nhttps_validate_certificates = False\n"
        f"[GSUtil]\nprefer_api = json\ndefault_project_id = demo\nstate_dir = {tmp_path}\nusage_reporting = False\n"
        "software_update_check_period = 0\nparallel_process_count = 1\n")
    environment = {**os.environ, "BOTO_CONFIG": str(tmp_path / "boto"), "CLOUDSDK_CONFIG": str(tmp_path / "config"),
                   "CLOUDSDK_CORE_PASS_CREDENTIALS_TO_GSUTIL": "false"}

    def run(*arguments):
        result = subprocess.run(["gsutil", *arguments], env=environment, capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, result.stderr
        return result.stdout

    yield run
    listener.close()


@pytest.mark.long
def test_gsutil(gsutil, tmp_path):
    bucket = f"bkt-{uuid.uuid4().hex[:12]}"
    gsutil("mb", f"gs://{bucket}")
    run_tool(gsutil, bucket, tmp_path)
