// What pages do; the driver calls these.

import { Channel } from "./channel.js";

const server = new URLSearchParams(location.search).get("server");

const databaseOf = (project) => `projects/${project}/databases/(default)`;

const query = (database, collection, targetId, more = {}) => ({
  database,
  addTarget: { query: { structuredQuery: { from: [{ collectionId: collection }] }, parent: `${database}/documents` }, targetId, ...more },
});

/// Waits for what other code brings about.
class Condition {
  waiting = [];

  notify() {
    this.waiting.splice(0).forEach((resolve) => resolve());
  }

  async until(test, seconds = 20) {
    const deadline = performance.now() + seconds * 1000;
    while (!test()) {
      if (performance.now() > deadline) throw new Error(`never: ${test}`);
      await Promise.race([new Promise((resolve) => this.waiting.push(resolve)), new Promise((resolve) => setTimeout(resolve, 500))]);
    }
  }
}

/// A collection that is shown as it is, over as many channels as it takes.
class Listener extends Condition {
  documents = {};
  snapshots = 0;
  channels = 0;
  token = null;

  constructor(project, collection, transport) {
    super();
    Object.assign(this, { database: databaseOf(project), collection, transport });
  }

  async start() {
    this.channel = new Channel(server, "Listen", this.database, this.transport);
    const resume = this.token && { resumeToken: this.token, expectedCount: Object.keys(this.documents).length };
    await this.channel.connect(query(this.database, this.collection, 1002 + 2 * this.channels, resume || {}));
    this.channels++;
    this.loop = this.channel.listen((message) => this.take(message), (error) => this.lost(error));
    return this;
  }

  take(message) {
    const { documentChange, documentDelete, targetChange } = message;
    if (documentChange) this.documents[documentChange.document.name.split("/").pop()] = documentChange.document.fields ?? {};
    if (documentDelete) delete this.documents[documentDelete.document.split("/").pop()];
    if (targetChange?.targetChangeType === "RESET") this.documents = {};
    if (targetChange?.readTime && !targetChange.targetIds) {
      this.token = targetChange.resumeToken;
      this.snapshots++;
    }
    this.notify();
  }

  /// The session is gone or the server cannot be reached: begins anew with the token.
  async lost(error) {
    this.lostWith = error.status ?? 0;
    for (;;) {
      try {
        return await this.start();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  stop() {
    this.channel.terminate();
  }
}

class Writer extends Condition {
  answers = [];

  async start(project, transport) {
    this.database = databaseOf(project);
    this.channel = new Channel(server, "Write", this.database, transport);
    await this.channel.connect({ database: this.database });
    this.loop = this.channel.listen((message) => {
      this.answers.push(message);
      this.notify();
    });
    await this.until(() => this.answers.length === 1);
    return this;
  }

  /// The answer to one write.
  async write(path, fields, more = {}) {
    const index = this.answers.length;
    await this.channel.post({ streamToken: this.answers.at(-1).streamToken, writes: [{ update: { name: `${this.database}/documents/${path}`, fields }, ...more }] });
    await this.until(() => this.answers.length > index);
    return this.answers[index];
  }

  stop() {
    this.channel.terminate();
  }
}

const flows = {
  /// A page hears what it writes itself, through two channels.
  async listenAndWrite(project, transport) {
    const listener = await new Listener(project, "rooms", transport).start();
    await listener.until(() => listener.snapshots === 1);
    const writer = await new Writer().start(project, transport);
    const answer = await writer.write("rooms/a", { text: { stringValue: "héllo 😀" } }, { updateTransforms: [{ fieldPath: "t", setToServerValue: "REQUEST_TIME" }] });
    await listener.until(() => listener.documents.a);
    const result = {
      text: listener.documents.a.text.stringValue,
      transforms: answer.writeResults[0].transformResults.length,
      session: Boolean(listener.channel.session),
      isStreaming: transport === "poll" || listener.channel.firstBytes[0] < 4 * Math.max(listener.channel.roundTrip, 10),
    };
    const refused = await writer.write("rooms/none", {}, { currentDocument: { exists: true } });
    result.refusal = refused.error.status;
    listener.stop();
    writer.stop();
    return result;
  },

  /// The connection is lost again and again while somebody writes.
  async loseBackChannel(project, transport) {
    const listener = await new Listener(project, "rooms", transport).start();
    await listener.until(() => listener.snapshots === 1);
    const writer = await new Writer().start(project, transport);
    for (let number = 0; number < 20; number++) {
      if (number % 3 === 0) listener.channel.drop();
      await writer.write(`rooms/r${number}`, { n: { integerValue: number } });
      if (number % 4 === 0) listener.channel.drop();
    }
    await listener.until(() => Object.keys(listener.documents).length === 20);
    const result = { channels: listener.channels, requests: listener.channel.requests > 5 };
    listener.stop();
    writer.stop();
    return result;
  },

  /// For a page that another one, or the driver, works with.
  async open(project, transport) {
    window.listener = await new Listener(project, "rooms", transport).start();
    await window.listener.until(() => window.listener.snapshots === 1);
  },

  async hears(ids) {
    await window.listener.until(() => ids.every((id) => window.listener.documents[id]));
    return { channels: window.listener.channels, lostWith: window.listener.lostWith ?? null, documents: Object.keys(window.listener.documents).sort() };
  },

  async writes(project, id, transport) {
    const writer = await new Writer().start(project, transport);
    await writer.write(`rooms/${id}`, { n: { integerValue: 1 } });
    writer.stop();
  },

  /// After the good-bye the session is unknown, and a page of another origin can read that.
  async terminates(project) {
    const channel = await new Channel(server, "Listen", databaseOf(project)).connect();
    channel.isOver = false;
    if (!channel.terminate()) throw new Error("no beacon");
    for (let attempt = 0; attempt < 100; attempt++) {
      const response = await fetch(channel.url({ SID: channel.sid, RID: "rpc", AID: 0, CI: 1, TO: 5000, TYPE: "xmlhttp" }), { credentials: "include" });
      const text = await response.text();
      if (response.status === 400) return text;
    }
    return "still there";
  },

  /// Calls of the SDK that are no streams, with the fields that make browsers ask first.
  async unary(project) {
    const database = databaseOf(project);
    const call = async (verb, body) => {
      const response = await fetch(`${server}/v1/${database}/documents:${verb}?key=k`, {
        method: "POST",
        credentials: "include",
        headers: { "Content-Type": "text/plain", Authorization: "Bearer owner", "google-cloud-resource-prefix": database, "x-goog-api-client": "gl-js/ fire/12", "x-goog-request-params": `project_id=${project}`, "x-firebase-gmpid": "1:2:web:3", "x-goog-api-key": "k" },
        body: JSON.stringify(body),
      });
      return [response.status, await response.json()];
    };
    const name = `${database}/documents/rooms/a`;
    const committed = await call("commit", { writes: [{ update: { name, fields: { n: { integerValue: "1" } } } }] });
    const found = await call("batchGet", { documents: [name, `${name}none`] });
    const counted = await call("runAggregationQuery", { structuredAggregationQuery: { aggregations: [{ alias: "aggregate_0", count: {} }], structuredQuery: { from: [{ collectionId: "rooms" }] } } });
    const refused = await call("commit", { writes: [{ update: { name, fields: {} }, currentDocument: { exists: false } }] });
    return {
      committed: committed[0],
      found: found[1].map((answer) => Object.keys(answer)[0]),
      count: counted[1][0].result.aggregateFields.aggregate_0.integerValue,
      refused: [refused[0], refused[1].error.status],
    };
  },

  /// The real SDK, from a folder that the driver serves.
  async sdk(project, settings) {
    const { initializeApp, deleteApp } = await import("/sdk/firebase-app.js");
    const firestore = await import("/sdk/firebase-firestore.js");
    const app = initializeApp({ projectId: project, apiKey: "k" }, project);
    const database = firestore.initializeFirestore(app, settings);
    const { hostname, port } = new URL(server);
    firestore.connectFirestoreEmulator(database, hostname, Number(port));
    const seen = new Condition();
    const rooms = firestore.collection(database, "rooms");
    const stop = firestore.onSnapshot(rooms, (snapshot) => {
      seen.snapshot = snapshot;
      seen.notify();
    });
    const room = firestore.doc(rooms, "a");
    await firestore.setDoc(room, { text: "héllo 😀", at: firestore.serverTimestamp(), list: firestore.arrayUnion(1) });
    await seen.until(() => seen.snapshot?.docs[0]?.data().at && !seen.snapshot.metadata.hasPendingWrites);
    await firestore.runTransaction(database, async (transaction) => {
      const old = await transaction.get(room);
      transaction.update(room, { n: (old.data().n ?? 0) + 1 });
    });
    const count = await firestore.getCountFromServer(rooms);
    const got = await firestore.getDocFromServer(room);
    stop();
    await firestore.terminate(database);
    await deleteApp(app);
    return { text: got.data().text, n: got.data().n, count: count.data().count };
  },
};

window.flows = flows;
