"""Data folders that cannot be opened: the process says why in one sentence and ends."""

import os
import subprocess

import pytest

pytestmark = pytest.mark.skipif("HIBACHI_BINARY" not in os.environ, reason="no binary to start")


def ended(folder):
    """What a server that cannot serve writes to standard error."""
    command = [os.environ["HIBACHI_BINARY"], "start", "--port", "0", "--data-dir", str(folder)]
    process = subprocess.run(command, capture_output=True, text=True, timeout=10)
    assert process.returncode == 1
    return process.stderr


def test_folder_of_another_server(durable_server):
    folder = durable_server.folder
    assert ended(folder) == f"Another server uses the data folder {folder}.\n"


@pytest.mark.parametrize(
    "name, text, sentence",
    [
        ("format", "99\n", "has format 99; this server knows"),
        ("format", "what\n", "can't be read"),
        ("store.sqlite", "no database " * 5000, "The store failed"),
    ],
)
def test_unreadable_folder(tmp_path, name, text, sentence):
    (tmp_path / name).write_text(text)
    message = ended(tmp_path)
    assert sentence in message and message.count("\n") == 1, message


def test_what_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("")
    assert ended(tmp_path / "file").count("\n") == 1
