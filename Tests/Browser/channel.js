// WebChannel as the web SDK speaks it to a server: handshake, POSTs, a back channel that is streamed or polled.

const headers = "X-Goog-Api-Client:gl-js/ fire/12\r\nContent-Type:text/plain\r\nAuthorization:Bearer owner\r\n";

/// Takes pieces apart: a length as JavaScript counts it, a line feed, JSON.
class Frames {
  rest = "";

  *feed(text) {
    this.rest += text;
    for (let end; (end = this.rest.indexOf("\n")) >= 0;) {
      const length = Number(this.rest.slice(0, end));
      if (Number.isNaN(length)) throw new Error(`bad length ${this.rest.slice(0, 80)}`);
      if (this.rest.length < end + 1 + length) return;
      yield JSON.parse(this.rest.slice(end + 1, end + 1 + length));
      this.rest = this.rest.slice(end + 1 + length);
    }
  }
}

export class Channel {
  sid = null;
  newest = 0;
  sent = 0;
  rid = Math.floor(Math.random() * 100000);
  requests = 0;
  firstBytes = [];
  isOver = false;

  /// `transport` is "fetch", "xhr" or "poll".
  constructor(server, kind, database, transport = "fetch") {
    Object.assign(this, { server, kind, database, transport });
  }

  url(parameters) {
    const query = new URLSearchParams({ VER: 8, database: this.database, ...parameters, zx: Math.random().toString(36).slice(2), t: 1 });
    return `${this.server}/google.firestore.v1.Firestore/${this.kind}/channel?${query}`;
  }

  async send(parameters, messages, fields = {}) {
    const body = new URLSearchParams({ ...fields, count: messages.length, ofs: this.sent });
    messages.forEach((message, index) => body.set(`req${index}___data__`, JSON.stringify(message)));
    this.sent += messages.length;
    const response = await fetch(this.url(parameters), { method: "POST", body, credentials: "include" });
    const text = await response.text();
    if (response.status !== 200) throw Object.assign(new Error(text), { status: response.status });
    return { pieces: [...new Frames().feed(text)], session: response.headers.get("X-HTTP-Session-Id") };
  }

  async connect(...messages) {
    const began = performance.now();
    const { pieces, session } = await this.send({ RID: this.rid++, CVER: 22, "X-HTTP-Session-Id": "gsessionid" }, messages, { headers });
    this.roundTrip = performance.now() - began;
    if (pieces.length !== 1 || pieces[0][0][1][0] !== "c") throw new Error("no handshake");
    this.sid = pieces[0][0][1][1];
    this.session = session;
    return this;
  }

  async post(...messages) {
    return (await this.send({ gsessionid: this.session, SID: this.sid, RID: this.rid++, AID: this.newest }, messages)).pieces[0];
  }

  /// One response of the back channel; gives each new message to `take`. Rejects as requests of browsers fail.
  async back(take) {
    this.requests++;
    const url = this.url({ gsessionid: this.session, RID: "rpc", SID: this.sid, AID: this.newest, CI: this.transport === "poll" ? 1 : 0, TYPE: "xmlhttp" });
    const frames = new Frames();
    const began = performance.now();
    let isFirst = true;
    const feed = (text) => {
      if (isFirst && text) this.firstBytes.push(performance.now() - began), (isFirst = false);
      for (const piece of frames.feed(text)) {
        for (const [id, content] of piece) {
          if (id <= this.newest) continue;
          if (id !== this.newest + 1) throw new Error(`${id} after ${this.newest}`);
          this.newest = id;
          if (content[0] !== "noop") content.forEach(take);
        }
      }
    };
    if (this.transport === "fetch") await this.fetchBack(url, feed);
    else await this.requestBack(url, feed);
    if (frames.rest) throw new Error(`cut off: ${frames.rest}`);
  }

  async fetchBack(url, feed) {
    this.abortion = new AbortController();
    const response = await fetch(url, { credentials: "include", signal: this.abortion.signal });
    if (response.status !== 200) throw Object.assign(new Error(await response.text()), { status: response.status });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let part; !(part = await reader.read()).done;) feed(decoder.decode(part.value, { stream: true }));
  }

  requestBack(url, feed) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      this.abortion = request;
      let seen = 0;
      request.open("GET", url);
      request.withCredentials = true;
      request.onreadystatechange = () => {
        if (request.readyState < 3 || request.status !== 200) return;
        try {
          const text = request.responseText.slice(seen);
          seen += text.length;
          feed(text);
        } catch (error) {
          reject(error);
        }
      };
      request.onload = () => (request.status === 200 ? resolve() : reject(Object.assign(new Error(request.responseText), { status: request.status })));
      request.onerror = () => reject(new Error("network"));
      request.onabort = () => reject(Object.assign(new Error("aborted"), { name: "AbortError" }));
      request.send();
    });
  }

  /// Keeps a back channel open until `stop`; `failed` is called with what is no loss of the connection.
  async listen(take, failed = (error) => { throw error; }) {
    while (!this.isOver) {
      try {
        await this.back(take);
      } catch (error) {
        if (this.isOver) return;
        if (error.name !== "AbortError") return failed(error);
      }
    }
  }

  /// Loses the connection of the back channel.
  drop() {
    this.abortion.abort();
  }

  /// Says good-bye as a page does that may be gone before an answer comes.
  terminate() {
    this.isOver = true;
    this.abortion?.abort();
    return navigator.sendBeacon(this.url({ SID: this.sid, RID: this.rid++, TYPE: "terminate" }), "");
  }
}
