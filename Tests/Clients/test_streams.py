"""Recorded streams and streams of our own, played over gRPC and as browsers do."""

import json
import pathlib
import re

import pytest
from streams import Player

DATA = pathlib.Path(__file__).parents[2] / "testdata"
RECORDED = json.loads((DATA / "conformance/streams/listen_streams.json").read_text())
OURS = json.loads((DATA / "conformance/streams/ours.json").read_text())
DIFFERENT = set(re.findall(r"^\| `(streams/[^`]+)`", (DATA / "divergences.md").read_text(), re.M))
QUIET = 0.15


def check(case, server, project, is_browser):
    for number, (expected, answered) in enumerate(Player(server.address, project, is_browser).play(case, QUIET)):
        assert answered == expected, f"collect {number}"


WAYS = pytest.mark.parametrize("is_browser", [False, True], ids=["grpc", "webchannel"])


@WAYS
@pytest.mark.parametrize("case", [c for c in RECORDED if c["name"] not in DIFFERENT], ids=lambda c: c["name"])
def test_recorded(case, server, project, is_browser):
    check(case, server, project, is_browser)


@WAYS
@pytest.mark.parametrize("case", OURS, ids=lambda c: c["name"])
def test_ours(case, server, project, is_browser):
    check(case, server, project, is_browser)


def test_every_defect_has_a_right_answer():
    assert {c["name"] for c in RECORDED if "quirk" in c} <= DIFFERENT == {c["name"] for c in OURS}
