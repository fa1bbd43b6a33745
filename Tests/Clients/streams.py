"""Plays cases of streams over gRPC or WebChannel and says what their clients know after each step.

A server may send a whole result again or only what changed; what counts is what a client has in the end: its documents,
which targets are current, and how targets and streams ended. Steps and placeholders are described in
`testdata/conformance/README.md`.
"""

import base64
import hashlib
import json
import queue
import re
import threading
import urllib.request
from datetime import datetime, timedelta, timezone

import grpc
import webchannel
from google.cloud.firestore_v1.types import firestore as messages
from google.protobuf import json_format

SERVICE = "/google.firestore.v1.Firestore/"
OWNER = [("authorization", "Bearer owner")]
TIME = re.compile(r'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"')
PATIENCE = 5


def unsigned_token(claims):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    return part({"alg": "none", "typ": "JWT"}) + "." + part(claims) + "."


def request_type(method):
    return getattr(messages, method + "Request").pb()


class Answers:
    """The answers of a stream, which gather."""

    def __init__(self, method):
        self.method = method
        self.answers = queue.Queue()

    def take(self, wanted, quiet):
        """What has come, after a quiet time behind the number of messages that must come."""
        taken = []
        while not taken or "ended" not in taken[-1]:
            try:
                taken.append(self.answers.get(timeout=PATIENCE if len(taken) < wanted else quiet))
            except queue.Empty:
                break
        return taken


class Stream(Answers):
    """A call over gRPC."""

    def __init__(self, channel, method, metadata=OWNER):
        super().__init__(method)
        self.request = request_type(method)
        self.outgoing = queue.Queue()
        response = getattr(messages, method + "Response").pb()
        open_call = channel.stream_stream(
            SERVICE + method, request_serializer=self.request.SerializeToString, response_deserializer=response.FromString)
        self.call = open_call(iter(self.outgoing.get, None), metadata=metadata)
        threading.Thread(target=self.gather, daemon=True).start()

    def gather(self):
        try:
            for answer in self.call:
                self.answers.put(json_format.MessageToDict(answer))
            self.answers.put({"ended": "OK"})
        except grpc.RpcError as error:
            self.answers.put({"ended": error.code().name})

    def send(self, message):
        self.outgoing.put(json_format.ParseDict(message, self.request()))

    def close(self):
        self.outgoing.put(None)

    def cancel(self):
        self.call.cancel()


class BrowserStream(Answers):
    """A session of WebChannel. It has no half-close: the good-bye ends it."""

    def __init__(self, player, method, authorization):
        super().__init__(method)
        self.session = webchannel.Channel(player.address, method, player.project, authorization).connect()
        self.send = self.session.post
        threading.Thread(target=self.gather, daemon=True).start()

    def gather(self):
        try:
            while True:
                with self.session.stream() as stream:
                    for answer in stream:
                        if answer == "close" or "error" in answer:
                            return self.answers.put({"ended": "OK" if answer == "close" else answer["error"]["status"]})
                        self.answers.put(answer)
        except webchannel.Unknown:
            self.answers.put({"ended": "OK"})

    def close(self):
        self.session.terminate()

    cancel = close


class Knowledge:
    """What a client of one stream has put together from its answers."""

    def __init__(self, remembered):
        self.targets, self.remembered = {}, remembered

    def asked(self, message):
        target = message.get("addTarget")
        if target:
            resumes = "resumeToken" in target or "readTime" in target
            number = target.get("targetId", 0)
            self.targets[number] = {"documents": dict(self.remembered.get(number, {})) if resumes else {}}
        self.targets.pop(message.get("removeTarget"), None)

    def target(self, number):
        return self.targets.setdefault(number, {"documents": {}})

    def told(self, answer, bloom):
        if "ended" in answer:
            self.targets["ended"] = answer["ended"]
        change = answer.get("targetChange", {})
        kind = change.get("targetChangeType")
        for number in change.get("targetIds", []):
            if kind == "RESET":
                self.target(number).update(documents={}, current=False)
            elif kind == "CURRENT":
                self.target(number)["current"] = True
            elif kind == "REMOVE":
                self.targets[number] = {"removed": change.get("cause", {}).get("code")}
        for key in ("documentChange", "documentDelete", "documentRemove"):
            self.document(answer.get(key, {}))
        if "filter" in answer:
            self.filtered(answer["filter"], bloom)
        for number, target in self.targets.items():
            if "documents" in target:
                self.remembered[number] = target["documents"]

    def document(self, change):
        document = change.get("document")
        name = document["name"] if isinstance(document, dict) else document
        for number in change.get("targetIds", []):
            self.target(number)["documents"][name] = document
        for number in change.get("removedTargetIds", []):
            self.targets.get(number, {}).get("documents", {}).pop(name, None)

    def filtered(self, told, holds):
        target = self.target(told["targetId"])
        if len(target["documents"]) != told.get("count", 0):
            target["documents"] = {n: d for n, d in target["documents"].items() if holds(told.get("unchangedNames"), n)}


def holds(names, name):
    """Whether a bloom filter of a server holds the name."""
    bits = (names or {}).get("bits", {})
    bitmap = base64.b64decode(bits.get("bitmap", ""))
    size = 8 * len(bitmap) - bits.get("padding", 0)
    halves = [int.from_bytes(half, "little") for half in (lambda d: (d[:8], d[8:]))(hashlib.md5(name.encode()).digest())]
    places = [(halves[0] + i * halves[1]) % 2**64 % size for i in range((names or {}).get("hashCount", 0))] if size else []
    return bool(places) and all(bitmap[place // 8] >> place % 8 & 1 for place in places)


def with_places(node):
    """The text of a value with its times numbered in order."""
    seen = {}
    return re.sub(r"\{t[^}]*\}", lambda m: seen.setdefault(m.group(), "{t%d}" % (len(seen) + 1)), json.dumps(node, sort_keys=True, default=str))


class Player:
    def __init__(self, address, project, is_browser=False):
        self.address, self.project, self.is_browser = address, project, is_browser
        self.database = f"projects/{project}/databases/(default)"
        self.streams, self.latest = {}, {}

    def open(self, channel, method, who):
        """`who` is `owner`, None, or the claims of an unsigned token."""
        authorization = f"Bearer {unsigned_token(who) if isinstance(who, dict) else who}" if who else ""
        if self.is_browser:
            return BrowserStream(self, method, authorization)
        return Stream(channel, method, [("authorization", authorization)] if authorization else [])

    def fill(self, node):
        text = json.dumps(node).replace("{db}", self.database).replace("{project}", self.database.split("/")[1])
        for key, value in self.latest.items():
            text = text.replace("{%s}" % key, value)
        return json.loads(text)

    def plain(self, answer):
        """An answer with placeholders for what differs from run to run."""

        def time(match):
            when = datetime.fromisoformat(match.group(1)[:19] + "+00:00")
            recent = abs(datetime.now(timezone.utc) - when) < timedelta(hours=1)
            return '"{t%s}"' % match.group(1) if recent else match.group()

        text = TIME.sub(time, json.dumps(answer)).replace(": -0.0", ': "{minus zero}"')
        text = re.sub(r'("doubleValue": -?\d+)\.0\b', r"\1", text)
        return json.loads(text.replace(self.database, "{db}"))

    def note(self, answer):
        for part in answer.values():
            if not isinstance(part, dict):
                continue
            if part.get("resumeToken") and part["resumeToken"] != self.latest.get("resume"):
                self.latest["resume2"] = self.latest.get("resume", part["resumeToken"])
                self.latest["resume"] = part["resumeToken"]
            if part.get("readTime"):
                self.latest["read_time"] = part["readTime"]
        if answer.get("streamToken"):
            self.latest["stream_token"] = answer["streamToken"]

    def play(self, case, quiet):
        """For each step that collects: what the recording says, and what was answered."""
        ours, theirs, pairs = {}, {}, []
        remembered = ({}, {})
        with grpc.insecure_channel(self.address) as channel:
            for step in case["steps"]:
                if "commit" in step:
                    self.commit(channel, step["commit"])
                elif "http" in step:
                    url = f"http://{self.address}{self.fill(step['path'])}"
                    body = json.dumps(self.fill(step["body"])).encode() if "body" in step else None
                    headers = {"Authorization": "Bearer owner", "Content-Type": "application/json"}
                    urllib.request.urlopen(urllib.request.Request(url, body, headers, method=step["http"])).close()
                elif "open" in step:
                    self.streams[step["open"]] = self.open(channel, step["method"], step.get("auth", "owner"))
                    ours[step["open"]], theirs[step["open"]] = Knowledge(remembered[0]), Knowledge(remembered[1])
                elif "send" in step:
                    stream = self.streams[step["stream"]]
                    for knowledge in (ours, theirs):
                        knowledge[step["stream"]].asked(step["send"])
                    stream.send({"database": self.database, **self.fill(step["send"])})
                elif "close" in step:
                    self.streams[step["close"]].close()
                else:
                    pairs.append(self.collect(step, ours, theirs, quiet))
            for stream in self.streams.values():
                stream.cancel()
        return pairs

    def commit(self, channel, writes):
        commit = channel.unary_unary(
            SERVICE + "Commit", request_serializer=request_type("Commit").SerializeToString, response_deserializer=messages.CommitResponse.pb().FromString)
        commit(json_format.ParseDict({"database": self.database, "writes": self.fill(writes)}, request_type("Commit")()), metadata=OWNER, timeout=15)

    def collect(self, step, ours, theirs, quiet):
        name, wanted = step["collect"], step["expect"]
        stream = self.streams[name]
        needed = len([m for m in wanted if m.get("targetChange", {}).get("targetChangeType") != "RESET"]) if stream.method == "Write" else min(len(wanted), 1)
        answers = stream.take(needed, quiet)
        for answer in answers:
            self.note(answer)
        plain = [self.plain(answer) for answer in answers]
        if stream.method == "Write":
            strip = [({"ended": m["ended"]} if "ended" in m else {k: v for k, v in m.items() if k not in ("streamId", "streamToken")}) for m in wanted]
            given = [{k: v for k, v in m.items() if k not in ("streamId", "streamToken")} for m in plain]
            return with_places(strip), with_places(given)
        for message in wanted:
            theirs[name].told(message, lambda names, n: n.split("/documents/")[1] in (names or {}).get("holds", []))
        for message in plain:
            ours[name].told(message, lambda names, n: holds(names, n.replace("{db}", self.database)))
        return tuple(with_places({str(k): v for k, v in known[name].targets.items()}) for known in (theirs, ours))
