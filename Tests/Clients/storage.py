"""Cloud Storage over HTTP, spelt as the SDKs for the web, iOS and Android do."""

import http.client
import json
import urllib.parse
import uuid

OWNER = {"Authorization": "Bearer owner"}


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.fields = response.headers
        self.names = {name for name, _ in response.getheaders()}
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def upload_status(self):
        return self.fields["X-Goog-Upload-Status"]

    @property
    def received(self):
        return self.fields["X-Goog-Upload-Size-Received"]


class Bucket:
    """One bucket over one connection."""

    def __init__(self, server):
        self.name = f"demo-{uuid.uuid4().hex[:8]}.appspot.com"
        self.connection = http.client.HTTPConnection(server.host, server.storage_port, timeout=60)

    def __call__(self, method, path, body=None, fields={}, owner=True):
        fields = (OWNER if owner else {}) | fields
        self.connection.request(method, path, body, fields)
        return Answer(self.connection.getresponse())

    def url(self, name=None, **query):
        path = f"/v0/b/{self.name}/o"
        if name is not None:
            path += "/" + urllib.parse.quote(name, safe="")
        return path + ("?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote) if query else "")

    def put(self, name, content=b"hello", **metadata):
        """As the web SDK uploads small files: the closing delimiter has no end of line."""
        boundary = "3141592653589793"
        body = (
            f"--{boundary}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
            f"{json.dumps({'name': name} | metadata)}\r\n--{boundary}\r\n"
            f"Content-Type: {metadata.get('contentType', 'text/plain')}\r\n\r\n"
        ).encode() + content + f"\r\n--{boundary}--".encode()
        fields = {"X-Goog-Upload-Protocol": "multipart", "Content-Type": f"multipart/related; boundary={boundary}"}
        return self("POST", self.url() + f"?name={urllib.parse.quote(name, safe='')}", body, fields)

    def get(self, name, fields={}, **query):
        return self("GET", self.url(name, alt="media", **query), fields=fields)

    def metadata(self, name):
        return self("GET", self.url(name))


class Upload:
    """A resumable upload, spelt as one of the SDKs does."""

    def __init__(self, bucket, name, sdk, size, body=None, **fields):
        self.bucket, self.sdk = bucket, sdk
        quoted = urllib.parse.quote(name, safe="")
        url, fields = {
            "web": (f"{bucket.url()}?name={quoted}", {"X-Goog-Upload-Header-Content-Length": str(size)}),
            "ios": (f"{bucket.url(name)}?uploadType=resumable&name={quoted}", {"X-Goog-Upload-Content-Length": str(size)}),
            "android": (f"{bucket.url()}?name={quoted}&uploadType=resumable", {}),
        }[sdk]
        fields |= {"X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"}
        if sdk == "web":
            fields["X-Goog-Upload-Header-Content-Type"] = "text/plain"
        self.start = bucket("POST", url, body, fields)
        assert self.start.status == 200 and self.start.body == b"", self.start.body
        assert "X-Goog-Upload-URL" in self.start.names and self.start.upload_status == "active"
        self.url = self.start.fields["X-Goog-Upload-URL"]

    def __call__(self, command, content=b"", offset=None):
        fields = {"X-Goog-Upload-Command": command}
        if offset is not None:
            fields["X-Goog-Upload-Offset"] = str(offset)
        if self.sdk == "ios":
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        else:
            fields["X-Goog-Upload-Protocol"] = "resumable"
        path = self.url.split("/", 3)[3]
        method = "PUT" if self.sdk == "ios" else "POST"
        return self.bucket(method, "/" + path, content, fields, owner=self.sdk != "ios")
