"""Indexes that a server makes by itself: answers are the same before, while and after, and over a kill."""

import itertools
import sqlite3

import pytest
from servers import Database

GROUPS = 50


class Items:
    """Documents of one collection, here and in the database."""

    def __init__(self, address, project):
        self.database, self.numbers = Database(address, project), {}

    def commit(self, changes):
        """Takes numbers by id; `None` deletes."""
        writes = []
        for id, number in changes.items():
            name = f"{self.database.name}/documents/items/{id}"
            if number is None:
                self.numbers.pop(id, None)
                writes.append({"delete": name})
                continue
            self.numbers[id] = number
            fields = {"group": {"integerValue": number % GROUPS}, "n": {"integerValue": number}}
            writes.append({"update": {"name": name, "fields": fields}})
        assert self.database.documents("commit", {"writes": writes})[0] == 200

    def check(self):
        """Asks for the greatest five of a group."""
        condition = {"field": {"fieldPath": "group"}, "op": "EQUAL", "value": {"integerValue": 7}}
        query = {
            "from": [{"collectionId": "items"}],
            "where": {"fieldFilter": condition},
            "orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}],
            "limit": 5,
        }
        status, answer = self.database.documents("runQuery", {"structuredQuery": query})
        assert status == 200
        found = [row["document"]["name"].rsplit("/", 1)[1] for row in answer if "document" in row]
        of_group = [id for id, number in self.numbers.items() if number % GROUPS == 7]
        assert found == sorted(of_group, key=self.numbers.get, reverse=True)[:5]


def restart(server, items, project):
    """Kills the server and starts another; how many entries its indexes had."""
    server.process.kill()
    server.process.wait()
    with sqlite3.connect(server.folder / "store.sqlite") as store:
        count = store.execute("SELECT count(*) FROM space_8").fetchone()[0]
    store.close()
    server.start(*server.flags)
    items.database = Database(server.address, project)
    return count


def test_index(own_server, project):
    items = Items(own_server.address, project)
    for start in range(0, 2000, 500):
        items.commit({f"item{number}": number for number in range(start, start + 500)})
    items.check()
    assert restart(own_server, items, project) == 0
    numbers = iter(range(2000, 3000))
    for _ in range(10):
        for number in itertools.islice(numbers, 40):
            items.check()
            changes = {f"item{number % 300 * 7}": number, f"item{number % 700}": None}
            items.commit({**changes, f"new{number}": GROUPS * number + 7})
        if restart(own_server, items, project) == len(items.numbers):
            items.check()
            return
    pytest.fail("no index")
