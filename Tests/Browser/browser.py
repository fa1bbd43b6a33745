"""Headless Chromium by the DevTools protocol, and the origin that serves the pages."""

import contextlib
import functools
import http.server
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import threading
import urllib.parse
import urllib.request

import websocket

HERE = pathlib.Path(__file__).parent


def chromium():
    """The browser: the one that is named, or Debian's."""
    return os.environ.get("HIBACHI_CHROMIUM") or shutil.which("chromium")


class Pages(http.server.SimpleHTTPRequestHandler):
    """The folder of the tests, and that of the SDK at /sdk, whose parts then find each other there."""

    sdk = os.environ.get("HIBACHI_WEB_SDK")

    def do_GET(self):
        path = urllib.parse.urlparse(self.path).path
        if not (self.sdk and path.startswith("/sdk/")):
            return super().do_GET()
        text = (pathlib.Path(self.sdk) / pathlib.PurePath(path).name).read_text()
        for line in set(part.split('"')[0] for part in text.split('"https://www.gstatic.com/firebasejs/')[1:]):
            text = text.replace(f"https://www.gstatic.com/firebasejs/{line}", "/sdk/" + line.rsplit("/", 1)[1])
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def origin():
    """Another origin than that of the server under test."""
    handler = functools.partial(Pages, directory=str(HERE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@contextlib.contextmanager
def browser(folder):
    command = [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={folder}", "about:blank"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        for line in process.stderr:
            if "DevTools listening on" in line:
                break
        else:
            raise RuntimeError("the browser does not start")
        # Nobody reads what else it says.
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield Browser(line.split()[-1].split("/")[2])
    finally:
        process.terminate()
        process.wait(timeout=20)


class Browser:
    def __init__(self, address):
        self.address = address

    @contextlib.contextmanager
    def tab(self, origin, server):
        url = f"{origin}/page.html?{urllib.parse.urlencode({'server': f'http://{server}'})}"
        request = urllib.request.Request(f"http://{self.address}/json/new?{urllib.parse.quote(url, safe='')}", method="PUT")
        target = json.load(urllib.request.urlopen(request))
        tab = Tab(websocket.create_connection(target["webSocketDebuggerUrl"], timeout=60))
        try:
            tab.wait()
            yield tab
        finally:
            tab.socket.close()
            urllib.request.urlopen(f"http://{self.address}/json/close/{target['id']}").read()


class Tab:
    def __init__(self, socket):
        self.socket = socket
        self.numbers = itertools.count(1)

    def evaluate(self, expression):
        """The value of an expression, that of a promise when it is there."""
        answer = self.ask(expression)
        result = answer["result"]
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return result["result"].get("value")

    def ask(self, expression):
        number = next(self.numbers)
        parameters = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        self.socket.send(json.dumps({"id": number, "method": "Runtime.evaluate", "params": parameters}))
        while (answer := json.loads(self.socket.recv())).get("id") != number:
            pass
        return answer

    def wait(self):
        """Waits until the page has loaded; asked while it comes, the browser may answer that the one before is gone."""
        while "result" not in self.ask("new Promise((resolve) => { const look = () => window.flows ? resolve() : setTimeout(look, 10); look(); })"):
            pass

    def flow(self, name, *arguments):
        return self.evaluate(f"window.flows.{name}(...{json.dumps(arguments)})")
