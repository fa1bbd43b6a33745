#!/usr/bin/env python3
"""The same random writes on two Firestore servers, listened to on both.

    listen_fuzz.py --reference HOST:PORT --subject HOST:PORT [--seed N] [--commits N]

Targets of documents and of random queries come and go while documents change. After each commit the subject has to
have told what its client then knows in one snapshot, not older than the commit; the client of the reference must come to
know the same. Now and then both connections are lost for some commits: the client of the subject goes on with its resume
tokens, that of the reference starts over.
"""

import argparse
import json
import queue
import random
import sys
import time

import grpc
from google.protobuf import json_format
from servers import Database
from streams import OWNER, Knowledge, Stream, holds

DOCUMENTS = [f"c/{id}" for id in ["a", "b", "d1", "d2", "d10", "日本", "한국", "Z"]] + ["c/a/s/x", "c/a/s/y", "c/b/s/x", "k/a"]
FIELDS = ["a", "b", "m.x"]
VALUES = [
    {"nullValue": None}, {"booleanValue": True}, {"integerValue": "1"}, {"integerValue": "2"}, {"integerValue": "3"},
    {"doubleValue": 1.0}, {"doubleValue": 2.5}, {"doubleValue": "NaN"}, {"stringValue": "a"}, {"stringValue": "日本"},
    {"arrayValue": {"values": [{"integerValue": "1"}, {"stringValue": "a"}]}}, {"timestampValue": "2020-01-01T00:00:00Z"},
    {"geoPointValue": {"latitude": 1.5, "longitude": 2.5}}, {"mapValue": {"fields": {"x": {"integerValue": "1"}}}},
]
SENTINEL = "sentinel/one"  # every commit changes it, and every client listens to it
PATIENCE = 10


class Generator:
    def __init__(self, seed, database):
        self.random, self.database = random.Random(seed), database

    def name(self, path):
        return f"{self.database}/documents/{path}"

    def fields(self):
        r = self.random
        fields = {name: r.choice(VALUES) for name in ("a", "b", "c") if r.random() < 0.7}
        if r.random() < 0.5:
            fields["m"] = {"mapValue": {"fields": {"x": r.choice(VALUES)}}}
        return fields

    def write(self):
        r = self.random
        name = self.name(r.choice(DOCUMENTS))
        if r.random() < 0.25:
            return {"delete": name}
        write = {"update": {"name": name, "fields": self.fields()}}
        if r.random() < 0.4:
            write["updateMask"] = {"fieldPaths": r.sample(["a", "b", "c", "m.x"], r.randint(0, 2))}
        if r.random() < 0.2:
            write["updateTransforms"] = [{"fieldPath": "a", "increment": {"integerValue": "1"}}]
        return write

    def writes(self):
        return [self.write() for _ in range(self.random.choice([1, 1, 1, 2, 3, 6]))]

    def filter(self, depth=0):
        r = self.random
        if depth < 2 and r.random() < 0.3:
            filters = [self.filter(depth + 1) for _ in range(r.randint(1, 3))]
            return {"compositeFilter": {"op": r.choice(["AND", "OR"]), "filters": filters}}
        field = {"fieldPath": r.choice(FIELDS)}
        if r.random() < 0.15:
            return {"unaryFilter": {"op": r.choice(["IS_NULL", "IS_NOT_NULL", "IS_NAN", "IS_NOT_NAN"]), "field": field}}
        operator = r.choice(["EQUAL", "NOT_EQUAL", "LESS_THAN", "GREATER_THAN_OR_EQUAL", "IN", "NOT_IN", "ARRAY_CONTAINS", "ARRAY_CONTAINS_ANY"])
        value = r.choice(VALUES[1:7] + VALUES[8:])
        if operator in ("IN", "NOT_IN", "ARRAY_CONTAINS_ANY"):
            value = {"arrayValue": {"values": [v for v in r.sample(VALUES[1:10], 3) if "arrayValue" not in v]}}
        return {"fieldFilter": {"field": field, "op": operator, "value": value}}

    def query(self):
        r = self.random
        source = r.choice([{"collectionId": "c"}, {"collectionId": "c"}, {"collectionId": "s", "allDescendants": True}])
        query = {"from": [source]}
        if r.random() < 0.7:
            query["where"] = self.filter()
        if r.random() < 0.6:
            query["orderBy"] = [
                {"field": {"fieldPath": field}, "direction": r.choice(["ASCENDING", "DESCENDING"])}
                for field in r.sample(FIELDS, r.randint(1, 2))
            ]
            if r.random() < 0.3:
                query["startAt"] = {"values": [r.choice(VALUES)], "before": r.choice([True, False])}
        if r.random() < 0.5:
            query["limit"] = r.randint(1, 4)
        return query

    def target(self):
        if self.random.random() < 0.25:
            return {"documents": {"documents": [self.name(path) for path in self.random.sample(DOCUMENTS, self.random.randint(1, 3))]}}
        return {"query": {"parent": f"{self.database}/documents", "structuredQuery": self.query()}}


class Known(Knowledge):
    """Also keeps tokens, read times, and targets whose documents cannot be told from a filter."""

    def __init__(self):
        super().__init__({})
        self.tokens, self.read_time, self.unclear = {}, "", []

    def told(self, answer, bloom=holds):
        super().told(answer, bloom)
        change = answer.get("targetChange", {})
        if change.get("resumeToken"):
            for number in change.get("targetIds") or list(self.targets):
                self.tokens[number] = change["resumeToken"]
        if "readTime" in change and not change.get("targetIds"):
            assert moment(change["readTime"]) >= moment(self.read_time), "time went back"
            self.read_time = change["readTime"]

    def filtered(self, told, holds):
        super().filtered(told, holds)
        if len(self.target(told["targetId"])["documents"]) != told.get("count", 0):
            self.unclear.append(told["targetId"])

    def plain(self):
        """By target: the fields of its documents, or how it ended."""
        known = {}
        for number, target in self.targets.items():
            documents = target.get("documents")
            known[number] = target if documents is None else {
                name: json.dumps(document.get("fields", {}), sort_keys=True) for name, document in documents.items()
            }
        return known


class Client:
    """A server and a client that listens to it."""

    def __init__(self, address, project, resumes):
        self.database, self.resumes = Database(address, project), resumes
        self.database.clear()
        self.channel = grpc.insecure_channel(address)
        sentinel = {"documents": {"documents": [f"{self.database.name}/documents/{SENTINEL}"]}}
        self.targets, self.known, self.stream = {1: sentinel}, Known(), None
        self.connect()

    def connect(self):
        # The official emulator takes the database from this field alone.
        metadata = [*OWNER, ("google-cloud-resource-prefix", self.database.name)]
        self.stream = Stream(self.channel, "Listen", metadata)
        old, self.known = self.known, Known()
        for number, target in self.targets.items():
            token = old.tokens.get(number)
            if self.resumes and token:
                self.known.remembered[number] = old.targets[number]["documents"]
                self.known.tokens[number] = token
                target = target | {"resumeToken": token}
            self.send({"addTarget": target | {"targetId": number}})

    def disconnect(self):
        self.stream.call.cancel()

    def send(self, message):
        self.known.asked(message)
        self.stream.outgoing.put(json_format.ParseDict({"database": self.database.name, **message}, self.stream.request()))

    def add(self, number, target):
        self.targets[number] = target
        self.send({"addTarget": target | {"targetId": number}})

    def remove(self, number):
        del self.targets[number]
        self.known.tokens.pop(number, None)
        self.send({"removeTarget": number})

    def hear(self, deadline):
        """Takes one message in; whether one came."""
        try:
            answer = self.stream.answers.get(timeout=max(0.001, deadline - time.monotonic()))
        except queue.Empty:
            return False
        if answer.get("ended") == "INTERNAL" and not self.resumes:
            # The official emulator sends a message that is none, now and then.
            self.connect()
            return True
        assert "ended" not in answer, f"{self.database.address} ended the stream: {answer}, {self.targets}"
        self.known.told(answer)
        for number in self.known.unclear:
            self.send({"removeTarget": number})
            self.send({"addTarget": self.targets[number] | {"targetId": number}})
        self.known.unclear.clear()
        return True

    def settled(self, commit_time):
        """Whether all targets are current, at the commit or later."""
        targets = self.known.targets
        current = all(targets.get(number, {}).get("current") or "removed" in targets.get(number, {}) for number in self.targets)
        return current and moment(self.known.read_time) >= moment(commit_time)


def moment(text):
    """A time that compares, whatever the number of its digits."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    return whole, fraction.ljust(9, "0")


def compare(reference, subject, seed, commits, show=5):
    """How many commits left both clients with the same knowledge, and how many did not."""
    project = f"demo-listen-{seed}"
    clients = [Client(reference, project, False), Client(subject, project, True)]
    generator = Generator(seed, clients[0].database.name)
    passed = failed = number = count = 0
    commit_time = ""
    for round in range(commits):
        change(generator, clients, number := number + 2)
        lost = generator.random.random() < 0.06
        if lost:
            for client in clients:
                client.disconnect()
        for _ in range(generator.random.randint(1, 5) if lost else 1):
            writes = generator.writes()
            count += 1
            sentinel = {"name": generator.name(SENTINEL), "fields": {"n": {"integerValue": str(count)}}}
            for client in clients:
                status, answer = client.database.documents("commit", {"writes": writes + [{"update": sentinel}]})
                assert status == 200, answer
            commit_time = answer["commitTime"]
        if lost:
            for client in clients:
                client.connect()
        problem = settle(clients, commit_time)
        passed, failed = passed + (problem is None), failed + (problem is not None)
        if problem and failed <= show:
            print(f"--- commit {round} (seed {seed}): {problem}\n{json.dumps(writes, ensure_ascii=False)}")
    for client in clients:
        client.disconnect()
        client.channel.close()
    return passed, failed


def change(generator, clients, number):
    """Adds a target or removes one, at times."""
    targets = clients[0].targets
    if len(targets) < 4 or len(targets) < 9 and generator.random.random() < 0.2:
        target = generator.target()
        query = {"structuredQuery": target["query"]["structuredQuery"]} if "query" in target else None
        if query is None or all(client.database.documents("runQuery", query)[0] == 200 for client in clients):
            for client in clients:
                client.add(number, target)
    elif generator.random.random() < 0.1:
        gone = generator.random.choice([n for n in targets if n != 1])
        for client in clients:
            client.remove(gone)


def settle(clients, commit_time):
    """What is wrong, if anything."""
    reference, subject = clients
    deadline = time.monotonic() + PATIENCE
    while not subject.settled(commit_time):
        if not subject.hear(deadline):
            return f"no snapshot came for the commit at {commit_time}; the client knows {subject.known.read_time}"
    known = wanted(subject)
    deadline = time.monotonic() + PATIENCE
    while wanted(reference) != known:
        if not reference.hear(deadline):
            pairs = {n: (wanted(reference).get(n), known.get(n), subject.targets[n]) for n in known}
            return json.dumps({n: pair for n, pair in pairs.items() if pair[0] != pair[1]}, ensure_ascii=False)
    return None


def wanted(client):
    plain = client.known.plain()
    return {number: plain.get(number) for number in client.targets}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--subject", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commits", type=int, default=300)
    options = parser.parse_args()
    passed, failed = compare(options.reference, options.subject, options.seed, options.commits)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
