"""Kills a server under four writers, again and again, and looks for what it had answered.

    kill.py BINARY [ROUNDS]

Every writer commits one document that is always the same, with a number that rises, and two that
are new, in one commit. After each kill, the new server has to show every commit that was answered,
all of a commit or nothing, and has to give later versions than any before.
"""

import http.client
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

DATABASE = "projects/demo-kill/databases/(default)"
WRITERS = 4


class Server:
    def __init__(self, binary, folder, port=0):
        command = [binary, "start", "--port", str(port), "--storage-port", "0", "--data-dir", folder, "--log-level", "error"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = next((line for line in self.process.stdout if line.startswith("API endpoint: http://")), None)
        assert line, "the server did not start"
        self.port = int(line.rsplit(":", 1)[1])
        self.connection = self.connect()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.connection.close()

    def call(self, operation, body, connection=None):
        connection = connection or self.connection
        connection.request("POST", f"/v1/{DATABASE}/documents:{operation}", json.dumps(body).encode())
        response = connection.getresponse()
        answer = json.loads(response.read())
        assert response.status == 200, answer
        return answer


def name(path):
    return f"{DATABASE}/documents/{path}"


def number(document):
    return int(document["fields"]["n"]["integerValue"])


class Writer:
    def __init__(self, index):
        self.index = index
        self.sent = 0  # the number of the last commit that was sent
        self.answered = 0  # of the last that was answered
        self.newest = ""  # the version of that one

    def commit(self, server, connection):
        self.sent += 1
        fields = {"n": {"integerValue": str(self.sent)}, "pad": {"stringValue": "x" * random.randrange(3000)}}
        paths = [f"last/w{self.index}", f"left/w{self.index}-{self.sent}", f"right/w{self.index}-{self.sent}"]
        writes = [{"update": {"name": name(path), "fields": fields}} for path in paths]
        answer = server.call("commit", {"writes": writes}, connection)
        self.answered = self.sent
        self.newest = answer["commitTime"]

    def run(self, server):
        connection = server.connect()
        try:
            while True:
                self.commit(server, connection)
        except (OSError, http.client.HTTPException):
            pass  # killed
        finally:
            connection.close()


def whole(server, collection):
    """The numbers of a collection by document id."""
    query = {"from": [{"collectionId": collection}], "select": {"fields": [{"fieldPath": "n"}]}}
    answers = server.call("runQuery", {"structuredQuery": query})
    found = [answer["document"] for answer in answers if "document" in answer]
    return {document["name"].rsplit("/", 1)[1]: number(document) for document in found}


def counted(server, collection):
    query = {"structuredQuery": {"from": [{"collectionId": collection}]}, "aggregations": [{"alias": "n", "count": {}}]}
    answer = server.call("runAggregationQuery", {"structuredAggregationQuery": query})
    return int(answer[0]["result"]["aggregateFields"]["n"]["integerValue"])


def check(server, writers):
    left, right, last = (whole(server, collection) for collection in ("left", "right", "last"))
    assert left == right, "half of a commit is there"
    assert counted(server, "left") == counted(server, "right") == len(left), "a count is wrong"
    for writer in writers:
        kept = last.get(f"w{writer.index}", 0)
        assert writer.answered <= kept <= writer.sent, f"answered {writer.answered}, found {kept}"
        numbers = {n for key, n in left.items() if key.startswith(f"w{writer.index}-")}
        assert numbers == set(range(1, kept + 1)), "commits are missing in the middle"
        writer.sent = writer.answered = kept
    newest = max(writer.newest for writer in writers)
    writers[0].commit(server, server.connection)
    assert writers[0].newest > newest, f"the version went back: {writers[0].newest} after {newest}"


def main(binary, rounds=10):
    random.seed(1)
    writers = [Writer(index) for index in range(WRITERS)]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(binary, folder)
        for _ in range(rounds):
            threads = [threading.Thread(target=writer.run, args=(server,)) for writer in writers]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.05, 0.6))
            server.kill()
            for thread in threads:
                thread.join()
            server = Server(binary, folder)
            check(server, writers)
        server.kill()
    commits = sum(writer.answered for writer in writers)
    print(f"{rounds} kills, {commits} commits of 3 documents, none lost, none torn")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
