#!/usr/bin/env python3
"""The same random rulesets on two Firestore servers.

    rules_fuzz.py --reference HOST:PORT --subject HOST:PORT [--seed N] [--rulesets N]

Rulesets made from the grammar, and broken ones: a token taken out, doubled, exchanged or put in, or the end cut off. Both
servers must take or refuse each; of one that they take all issues must agree, of one that they refuse the place of the
first error.
"""

import argparse
import json
import random
import sys

from servers import Database

NAMES = ["a", "b", "id", "db", "x", "request", "resource", "f", "g", "zz", "$y", "_z"]
LITERALS = ["1", "0", "2.5", ".5", "5.", "true", "false", "null", "'s'", '"é"', "'日本'", "b'\\xff'", '"\\u00e9\\n"', "'\\\\d+'"]
BINARY = ["&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "in"]
TYPES = ["bool", "bytes", "float", "int", "list", "map", "number", "path", "string", "timestamp", "duration", "latlng", "set"]
METHODS = ["size", "keys", "hasAll", "matches", "split", "get", "diff", "toMillis", "lower", "foo", "concat", "data"]
CALLS = ["f", "g", "string", "int", "float", "exists", "get", "debug", "math.abs", "timestamp.value", "duration.value", "hashing.md5", "foo"]
FIELDS = ["data", "auth", "uid", "a", "size", "in", "match", "null", "token"]
SEGMENTS = ["/a", "/b", "/documents", "/a%20b", "/(default)", "/a.b-c"]
EXTRA = [
    "{", "}", "(", ")", "[", "]", ";", ",", ":", ".", "?", "!", "-", "/", "&", "=", "++", "@", "#", "\\", "é", "if", "allow", "match",
    "function", "return", "let", "service", "is", "in", "true", "017", "1e3", "99999999999999999999", "'", '"', "/*", "*/", "//",
    "/{x=**}", "/{x}", "/a/", "'unclosed", "import 'x';", "rules_version", "==", "**", "\ufeff", "a", "'\\q'", "\n",
]


class Generator:
    """Makes a ruleset as a list of tokens."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, *makers):
        return self.random.choice(makers)()

    def separated(self, make, least, most):
        parts = [make() for _ in range(self.random.randint(least, most))]
        return [token for index, part in enumerate(parts) for token in ([","] if index else []) + part]

    def expression(self, depth):
        r, inner = self.random, lambda: self.expression(depth - 1)
        if depth == 0:
            return [r.choice(LITERALS + NAMES)]
        return self.choose(
            lambda: inner() + [r.choice(BINARY)] + inner(),
            lambda: inner() + [r.choice(BINARY)] + inner(),
            lambda: inner() + ["is", r.choice(TYPES)],
            lambda: ["!"] + inner(),
            lambda: ["-", "("] + inner() + [")"],
            lambda: ["("] + inner() + [")"],
            lambda: inner() + ["?"] + inner() + [":"] + inner(),
            lambda: [r.choice(NAMES), ".", r.choice(FIELDS)],
            lambda: ["resource", ".", "data", ".", r.choice(FIELDS), ".", r.choice(METHODS), "("] + self.separated(inner, 0, 2) + [")"],
            lambda: [r.choice(CALLS), "("] + self.separated(inner, 0, 2) + [")"],
            lambda: ["["] + self.separated(inner, 0, 3) + ["]"],
            lambda: ["{"] + self.separated(lambda: ["'k'", ":"] + inner(), 0, 2) + ["}"],
            lambda: [r.choice(NAMES), "["] + inner() + ["]"],
            lambda: [r.choice(NAMES), "["] + inner() + [":"] + inner() + ["]"],
            lambda: [r.choice(SEGMENTS), "/$("] + inner() + [")", r.choice(SEGMENTS)],
            lambda: [self.random.choice(LITERALS + NAMES)],
        )

    def function(self, name):
        parameters = self.random.sample(["a", "b", "c"], self.random.randint(0, 2))
        tokens = ["function", name, "("] + self.separated(lambda: [parameters.pop()], 0, len(parameters)) + [")", "{"]
        for name in self.random.sample(["u", "v"], self.random.randint(0, 2)):
            tokens += ["let", name, "="] + self.expression(self.random.randint(0, 2)) + [";"]
        return tokens + ["return"] + self.expression(self.random.randint(0, 3)) + [";", "}"]

    def allow(self):
        methods = self.random.sample(["read", "write", "get", "list", "create", "update", "delete"], self.random.randint(1, 2))
        tokens = ["allow", methods[0]] + [token for method in methods[1:] for token in (",", method)]
        if self.random.random() < 0.9:
            tokens += [":", "if"] + self.expression(self.random.randint(0, 3))
        return tokens + ([";"] if self.random.random() < 0.9 else [])

    def match(self, depth):
        tokens = ["match"] + self.random.choice([["/t", "/{id}"], ["/{p=**}"], ["/c", "/d"], ["/{x}", "/{y=*}"], ["/t", "/{id}", "/s", "/{z}"]])
        tokens.append("{")
        for _ in range(self.random.randint(1, 2)):
            tokens += self.choose(self.allow, self.allow, lambda: self.match(depth - 1) if depth else self.allow(), lambda: self.function("f"))
        return tokens + ["}"]

    def ruleset(self):
        tokens = self.random.choice([["rules_version", "=", "'2'", ";"]] * 3 + [["rules_version", "=", "'1'", ";"], []])
        tokens = tokens + (self.function("g") if self.random.random() < 0.2 else [])
        tokens += ["service", "cloud.firestore", "{", "match", "/databases", "/{db}", "/documents", "{"]
        for _ in range(self.random.randint(1, 3)):
            tokens += self.choose(lambda: self.match(1), lambda: self.match(1), lambda: self.function(self.random.choice("fg")))
        return tokens + ["}", "}"]

    def broken(self, tokens):
        r, tokens = self.random, list(tokens)
        for _ in range(r.choice([1, 1, 1, 2])):
            index = r.randrange(len(tokens))
            kind = r.randrange(5)
            if kind == 0:
                del tokens[index]
            elif kind == 1:
                tokens.insert(index, r.choice(EXTRA))
            elif kind == 2:
                tokens[index] = r.choice(EXTRA + tokens)
            elif kind == 3:
                tokens.insert(index, tokens[index])
            else:
                del tokens[index:]
            if not tokens:
                return ["x"]
        return tokens

    def text(self):
        """A ruleset, every other one broken."""
        tokens = self.ruleset()
        if self.random.random() < 0.5:
            tokens = self.broken(tokens)
        text, path, service = "", False, False
        for token in tokens:
            # Between the segments of a path there are no blanks, in the head of a service no comments.
            glued = path and token.startswith("/")
            blanks = [" "] * 9 + ["\n", "\n  "] + ([] if service else [" /* c */ ", " // é\n"])
            text += ("" if glued else self.random.choice(blanks)) + token
            path = token.startswith("/") or token == ")"
            service = token == "service" or service and token != "{"
        return text.lstrip() + "\n"


class Server:
    """Judges the text of rulesets by setting them."""

    def __init__(self, address):
        self.database = Database(address, "rules-fuzz")

    def judge(self, text):
        """Whether it is taken, and the issues: severity, line, column, offset, last offset, text."""
        path = "/emulator/v1/projects/rules-fuzz:securityRules"
        body = {"rules": {"files": [{"content": text}]}}
        status, _ = self.database.call("PUT", path, body)
        _, answer = self.database.call("PUT", path, {**body, "ignore_errors": True})
        return status == 200, [self.issue(issue) for issue in (answer or {}).get("issues", [])]

    @staticmethod
    def issue(issue):
        place = issue.get("sourcePosition", {})
        return [issue["severity"]] + [place.get(key, 0) for key in ("line", "column", "currentOffset", "endOffset")] + [issue["description"]]


def errors(issues):
    return [issue[1:3] for issue in issues if issue[0] == "ERROR"]


def difference(expected, actual):
    """What two judgements disagree in; `None` if they agree."""
    if expected[0] != actual[0]:
        return "taken" if expected[0] else "refused"
    if expected[0]:
        return None if expected[1] == actual[1] else "issues"
    # The parser of the official emulator is generated and goes on after each error: ours must be one of its places.
    return None if errors(actual[1])[0] in (errors(expected[1]) or errors(actual[1])) else "place"


def compare(reference, subject, seed, rulesets, show=0):
    """How many rulesets the servers judge alike, and how many otherwise, by what they disagree in."""
    servers, counts, generator = (Server(reference), Server(subject)), {}, Generator(seed)
    for _ in range(rulesets):
        text = generator.text()
        expected, actual = (server.judge(text) for server in servers)
        found = difference(expected, actual)
        counts[found] = counts.get(found, 0) + 1
        if found and show:
            show -= 1
            print(json.dumps({"differs": found, "text": text, "reference": expected, "subject": actual}, ensure_ascii=False, indent=1))
    return counts.pop(None, 0), counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reference", required=True)
    parser.add_argument("--subject", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rulesets", type=int, default=500)
    parser.add_argument("--show", type=int, default=10)
    arguments = parser.parse_args()
    alike, counts = compare(arguments.reference, arguments.subject, arguments.seed, arguments.rulesets, arguments.show)
    print(alike, "alike,", counts or "none otherwise")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
