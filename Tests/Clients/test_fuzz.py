"""The same random work here and on the official emulator, where that is installed."""

import listen_fuzz
import pytest
import rules_fuzz
import write_fuzz
from servers import official_binary, official_emulator


@pytest.fixture(scope="module")
def reference():
    if official_binary() is None:
        pytest.skip("the official emulator is not installed")
    with official_emulator() as address:
        yield address


@pytest.mark.parametrize("seed", [1, 2])
def test_writes(reference, server, seed):
    passed, failed, _, _ = write_fuzz.compare(reference, server.address, seed, commits=200)
    assert failed == 0 and passed > 150


def test_listeners(reference, server):
    assert listen_fuzz.compare(reference, server.address, seed=1, commits=60) == (60, 0)


def test_rulesets(reference, server):
    alike, otherwise = rules_fuzz.compare(reference, server.address, seed=1, rulesets=300)
    # What is written behind `service`, and characters that no token has, are told elsewhere.
    assert alike >= 290 and otherwise.keys() <= {"place"}
