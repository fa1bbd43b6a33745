#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Listeners to collections, on any number of connections, that follow what they are told.
final class Listeners {
  private struct Listener {
    /// Documents that were told since the last `expect`.
    var documents = 0
    var isShown = true
  }

  private var sockets: [GRPCSocket] = []
  private var polled: [pollfd] = []
  /// By connection and call.
  private var states: [[Int: Listener]] = []
  /// Listeners that wait for a snapshot, and the documents that it has to hold.
  private var waiting = 0
  private var wanted = 0

  private(set) var count = 0

  /// Opens connections, each with calls, each with one target for every one of its collections; returns when all are current.
  func add(_ port: Int, connections: Int, collections: (Int) -> [[String]]) throws {
    for number in 0..<connections {
      let socket = try GRPCSocket(port: port)
      var calls: [Int: Listener] = [:]
      for names in collections(number) {
        guard let first = names.first else { continue }
        let call = try socket.call("Listen", Self.target(1, first), isUnary: false)
        for (index, name) in names.enumerated().dropFirst() {
          try socket.send(Self.target(index + 1, name), on: call)
        }
        calls[call] = Listener(documents: 0, isShown: false)
        count += names.count
        // Each target shows itself with a snapshot of its own.
        try follow(socket, call, snapshots: names.count)
      }
      sockets.append(socket)
      states.append(calls.mapValues { _ in Listener() })
      polled.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0))
    }
  }

  private func follow(_ socket: GRPCSocket, _ call: Int, snapshots: Int) throws {
    var left = snapshots
    while left > 0 {
      try socket.receive { other, event in
        guard other == call else { return }
        guard case .message(let bytes) = event else { throw BenchError("a listener was ended") }
        if ListenAnswer(bytes) == .snapshot { left -= 1 }
      }
    }
  }

  private static func target(_ id: Int, _ collection: String) -> GRPCBody {
    var request = GRPCBody()
    request.text(1, Subject.database)
    request.message(2) { target in
      target.message(2) { query in
        query.text(1, "\(Subject.database)/documents")
        query.message(2) { structured in
          structured.message(2) { from in from.text(2, collection) }
        }
      }
      target.integer(5, id)
    }
    return request
  }

  /// Says that each listener is to be told of `documents` documents from now on.
  func expect(documents: Int) {
    wanted = documents
    waiting = 0
    for index in states.indices {
      waiting += states[index].count
      states[index] = states[index].mapValues { _ in Listener(documents: 0, isShown: false) }
    }
  }

  /// Reads until every listener has been shown what is expected.
  func waitForAll() throws {
    while waiting > 0 {
      // A look at every connection for each message would cost more than the messages.
      if waiting > 100 { pauseBriefly() }
      let ready = unsafe poll(&polled, nfds_t(polled.count), 10_000)
      guard ready > 0 else { throw BenchError("\(waiting) listeners were not told") }
      for index in polled.indices where polled[index].revents != 0 {
        try sockets[index].receive { call, event in
          guard case .message(let bytes) = event else { throw BenchError("a listener was ended") }
          take(ListenAnswer(bytes), index, call)
        }
      }
    }
  }

  private func take(_ answer: ListenAnswer, _ index: Int, _ call: Int) {
    guard var listener = states[index][call], !listener.isShown else { return }
    switch answer {
    case .document: listener.documents += 1
    case .snapshot:
      guard listener.documents >= wanted else { return }
      listener.isShown = true
      waiting -= 1
    case .other: return
    }
    states[index][call] = listener
  }
}

/// What a message of a Listen stream means to a listener.
enum ListenAnswer: Equatable {
  case document
  case snapshot
  case other

  /// Reads a `google.firestore.v1.ListenResponse` as far as it takes to tell.
  init(_ bytes: ArraySlice<UInt8>) {
    switch bytes.first {
    case 0x1A: self = .document
    case 0x12: self = Self.isSnapshot(bytes) ? .snapshot : .other
    default: self = .other
    }
  }

  /// Whether a target change names no kind and no targets, but a read time.
  private static func isSnapshot(_ bytes: ArraySlice<UInt8>) -> Bool {
    // The length of a short message is one byte.
    var rest = bytes.dropFirst(2)
    while let tag = rest.first {
      switch tag {
      case 0x32: return true
      case 0x22: rest = rest.dropFirst(2 + Int(rest.dropFirst().first ?? 0))
      default: return false
      }
    }
    return false
  }
}
