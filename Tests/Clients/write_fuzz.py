#!/usr/bin/env python3
"""The same random writes on two Firestore servers.

    write_fuzz.py --reference HOST:PORT --subject HOST:PORT [--seed N] [--commits N] [--messages]

Commits of one to four writes to a few documents, some of them to the same one: updates with and without masks, nested
and quoted paths, transforms of every kind, preconditions, verifications and deletions; batch writes; and the methods that
create, patch and delete one document. After each, status, results and all documents with their times must agree. Times
that a server made are compared by the commit that they come from. Where the servers differ on purpose (see
`testdata/divergences.md`) nothing is compared. After each disagreement both servers start over from no documents.
"""

import argparse
import base64
import json
import random
import re
import sys
import urllib.parse

from servers import Database

DOCUMENTS = ["c/a", "c/b", "c/日本", "c/a/s/x"]
PATHS = ["a", "b", "m", "m.x", "m.y", "m.x.z", "`odd field`", "`a.b`", "m.`k-1`", "tags", "`日本`", "a.x", "m.x.z.w"]
WRONG_PATHS = ["", "a..b", "`", "a.", "__x__", "1a", "m.__y__", "a b"]
TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
TIMES = ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z", "2262-01-01T00:00:00Z"]
COMMIT_TIMES = ["createTime", "updateTime", "commitTime"]
NUMBERS = [
    {"integerValue": str(n)} for n in (0, 1, 2, -1, 10, 2**53 + 1, 2**63 - 1, -(2**63))
] + [{"doubleValue": n} for n in (0.0, 1.0, 1.5, -2.5, 1e300, 9007199254740992.0, "NaN", "Infinity", "-Infinity")]

# What the official emulator says where we answer otherwise on purpose.
ON_PURPOSE = re.compile(r"Cannot \w+ then \w+ an entity in the same request|Cannot collapse mutations")


def encoded(parameters):
    """The official emulator does not read + as a space."""
    return urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote)


class Generator:
    def __init__(self, seed, database):
        self.random, self.database = random.Random(seed), database

    def scalar(self):
        r = self.random
        return r.choice([
            {"nullValue": None}, {"booleanValue": r.random() < 0.5}, r.choice(NUMBERS), r.choice(NUMBERS),
            {"timestampValue": r.choice(TIMES)}, {"stringValue": r.choice(["", "a", "é", "日本", "😀", "a\0b"])},
            {"bytesValue": base64.b64encode(r.choice([b"", b"\0", b"a\xff"])).decode()},
            {"referenceValue": f"{self.database}/documents/{r.choice(DOCUMENTS)}"},
            {"geoPointValue": {"latitude": r.choice([0, 1.5, 90]), "longitude": r.choice([0, -180])}},
        ])

    def elements(self):
        """Of an array: there is no array among them."""
        r = self.random
        made = [self.scalar() for _ in range(r.randint(0, 3))]
        if r.random() < 0.2:
            made.append({"mapValue": {"fields": {"x": self.scalar()}}})
        return made

    def value(self, depth=0):
        roll = self.random.random()
        if roll < 0.12:
            return {"arrayValue": {"values": self.elements()}}
        if roll < 0.3 and depth < 3:
            return {"mapValue": {"fields": self.fields(["x", "y", "z", "k-1"], depth + 1, 0.5)}}
        return self.scalar()

    def fields(self, names=("a", "b", "m", "odd field", "a.b", "tags", "日本"), depth=0, share=0.5):
        r = self.random
        return {name: self.value(depth) for name in names if r.random() < share}

    def document(self):
        fields = self.fields()
        if self.random.random() < 0.5:
            fields["m"] = {"mapValue": {"fields": self.fields(["x", "y", "k-1"], 1)}}
        return fields

    def path(self):
        return self.random.choice(WRONG_PATHS if self.random.random() < 0.01 else PATHS)

    def mask(self):
        return [self.path() for _ in range(self.random.choice([0, 1, 1, 2, 2, 3, 4]))]

    def transform(self):
        r = self.random
        kind = r.choice(["setToServerValue", "increment", "increment", "maximum", "minimum", "appendMissingElements", "removeAllFromArray"])
        if kind == "setToServerValue":
            argument = "REQUEST_TIME"
        elif kind in ("increment", "maximum", "minimum"):
            argument = r.choice(NUMBERS) if r.random() < 0.97 else self.scalar()
        else:
            argument = {"values": self.elements()}
        return {"fieldPath": self.path(), kind: argument}

    def transforms(self):
        return [self.transform() for _ in range(self.random.choice([1, 1, 2, 3]))]

    def precondition(self, document):
        """Times stand as the document whose they are and which of them: each server has its own."""
        r = self.random
        roll = r.random()
        if roll < 0.6:
            return {"exists": r.random() < 0.7}
        if roll < 0.65:
            return {"updateTime": r.choice(TIMES[:2] + ["2250-01-01T00:00:00Z"])}
        return {"updateTime": {"of": document, "back": r.choice([0, 0, 0, 1, 2])}}

    def write(self, kinds=("update", "update", "update", "delete", "transform", "verify")):
        r = self.random
        path = r.choice(DOCUMENTS)
        name = f"{self.database}/documents/{path}"
        kind = r.choice(kinds)
        if kind == "update":
            write = {"update": {"name": name, "fields": self.document()}}
            if r.random() < 0.5:
                write["updateMask"] = {"fieldPaths": self.mask()}
            if r.random() < 0.35:
                write["updateTransforms"] = self.transforms()
        elif kind == "transform":
            write = {"transform": {"document": name, "fieldTransforms": self.transforms()}}
        else:
            write = {kind: name}
        if r.random() < (0.95 if kind == "verify" else 0.25):
            write["currentDocument"] = self.precondition(path)
        if r.random() < 0.01 and "updateMask" not in write:
            write |= self.fault()
        return write

    def fault(self):
        """Members that make a write wrong, or odd."""
        r = self.random
        name = f"{self.database}/documents/"
        return r.choice([
            {"update": {"name": name + r.choice(["", "c", "c/", "c/..", "c/__x__", "c//a", "c/a/b"]), "fields": {}}},
            {"update": {"name": name + "c/a", "fields": {r.choice(["", "__x__", "__name__", "x" * 1501]): {"nullValue": None}}}},
            {"transform": {"document": name + "c/a", "fieldTransforms": []}}, {"currentDocument": {}}, {"updateMask": {}},
            {"updateTransforms": [{"fieldPath": "a"}]},
            {"updateTransforms": [{"fieldPath": "a", "setToServerValue": "SERVER_VALUE_UNSPECIFIED"}]}, {"delete": name + "c/a"},
        ])

    def request(self):
        """A method, a path and a body; or a verb in the place of the method."""
        r = self.random
        roll = r.random()
        if roll < 0.65:
            return "commit", "", {"writes": [self.write() for _ in range(r.choice([0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4]))]}
        if roll < 0.8:
            kinds = ("update", "update", "delete", "transform")
            return "batchWrite", "", {"writes": [self.write(kinds) for _ in range(r.choice([1, 2, 2, 3]))]}
        path = r.choice(DOCUMENTS)
        parameters = []
        if roll < 0.85:
            collection, id = path.rsplit("/", 1)
            return "POST", f"/{collection}?" + encoded({"documentId": id}), {"fields": self.document()}
        if r.random() < 0.4:
            parameters.append(("currentDocument.exists", r.choice(["true", "false"])))
        if roll < 0.9:
            return "DELETE", f"/{path}?" + encoded(parameters), None
        if r.random() < 0.6:
            parameters += [("updateMask.fieldPaths", path) for path in self.mask()]
        if r.random() < 0.2:
            parameters += [("mask.fieldPaths", path) for path in self.mask()]
        return "PATCH", f"/{path}?" + encoded(parameters), {"fields": self.document()}


class Server:
    """One of the two, and the times that it made, by the commit that they come from."""

    def __init__(self, address, project):
        self.database = Database(address, project)
        self.start_over()

    def start_over(self):
        self.database.clear()
        self.commits, self.updates = {}, {path: [] for path in DOCUMENTS}

    def resolved(self, node):
        """The request with its times filled in."""
        if isinstance(node, list):
            return [self.resolved(item) for item in node]
        if not isinstance(node, dict):
            return node
        if node.keys() == {"of", "back"}:
            times = self.updates[node["of"]]
            return times[-1 - node["back"]] if node["back"] < len(times) else TIMES[0]
        return {key: self.resolved(item) for key, item in node.items()}

    def send(self, number, request):
        """What came back and what the documents are then, in a form that is the same for equal servers."""
        verb, path, body = request
        if verb in ("commit", "batchWrite"):
            status, answer = self.database.documents(verb, self.resolved(body))
        else:
            url = f"/v1/{self.database.name}/documents{urllib.parse.quote(path, safe='/:?&=%+')}"
            status, answer = self.database.call(verb, url, body)
        names = [f"{self.database.name}/documents/{path}" for path in DOCUMENTS]
        _, found = self.database.documents("batchGet", {"documents": names})
        documents = {}
        for item in found:
            if "found" in item:
                document = item["found"]
                path = document["name"].split("/documents/", 1)[1]
                documents[path] = document
                self.learn(number, document["updateTime"], path)
        if status == 200:
            self.learn_answer(number, verb, answer)
        message = None
        if status != 200:
            error = (answer[0] if isinstance(answer, list) else answer)["error"]
            message, answer = error["message"], error["status"]
        if verb == "batchWrite" and status == 200:
            message = [item.pop("message", None) for item in answer["status"]]
        if verb in ("commit", "batchWrite") and status == 200:
            self.drop_times_of_missing(body["writes"], answer, documents)
        return status, self.plain(answer), self.plain(documents), message

    def drop_times_of_missing(self, writes, answer, documents):
        """The official emulator has an update time for a missing document that was verified."""
        for write, result in zip(writes, answer.get("writeResults", [])):
            if write.get("verify", "").split("/documents/")[-1] not in documents and "verify" in write:
                result.pop("updateTime", None)

    def learn(self, number, time, path=None):
        self.commits.setdefault(time, number)
        if path is not None and self.updates[path][-1:] != [time]:
            self.updates[path].append(time)

    def learn_answer(self, number, verb, answer):
        if verb == "commit" and "commitTime" in answer:
            self.learn(number, answer["commitTime"])

    def plain(self, node, key=None):
        """Times of documents by the commit that they come from, those in fields by who made them; -0.0 as 0.0."""
        if isinstance(node, list):
            return [self.plain(item) for item in node]
        if isinstance(node, dict):
            return {key: self.plain(item, key) for key, item in sorted(node.items())}
        if isinstance(node, str) and TIME.match(node) and node not in TIMES:
            return f"commit {self.commits[node]}" if key in COMMIT_TIMES and node in self.commits else "server time"
        return 0.0 if isinstance(node, float) and node == 0 else node


def difference(result, other):
    """What a result has other than the other one."""
    documents = {path: document for path, document in result[2].items() if other[2].get(path) != document}
    return *result[:2], documents, result[3]


def differs_on_purpose(result):
    messages = result[3] if isinstance(result[3], list) else [result[3]]
    return any(message and ON_PURPOSE.match(message) for message in messages)


def compare(reference, subject, seed, commits, messages=False, show=10):
    """How many agree, disagree, differ on purpose, and differ in the text of an error only."""
    servers = [Server(address, f"demo-writes-{seed}") for address in (reference, subject)]
    generator = Generator(seed, servers[0].database.name)
    passed = failed = purpose = texts = 0
    for number in range(commits):
        request = generator.request()
        results = [server.send(number, request) for server in servers]
        if differs_on_purpose(results[0]):
            purpose += 1
        elif results[0][:3] == results[1][:3]:
            passed += 1
            if results[0][3] != results[1][3]:
                texts += 1
                if messages and texts <= show:
                    print(f"--- commit {number} (seed {seed}): {results[0][3]!r}, we say {results[1][3]!r}")
            continue
        else:
            failed += 1
            if failed <= show:
                print(f"--- commit {number} disagrees (seed {seed})\n{json.dumps(request, ensure_ascii=False)}")
                for label, result, other in zip(("reference", "subject"), results, reversed(results)):
                    print(f"{label}: {json.dumps(difference(result, other), ensure_ascii=False)}")
        for server in servers:
            server.start_over()
    return passed, failed, purpose, texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--subject", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--commits", type=int, default=1000)
    parser.add_argument("--messages", action="store_true", help="show different texts of errors too")
    options = parser.parse_args()
    passed, failed, purpose, texts = compare(
        options.reference, options.subject, options.seed, options.commits, options.messages)
    print(f"{passed} passed ({texts} with another text), {failed} failed, {purpose} differ on purpose")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
