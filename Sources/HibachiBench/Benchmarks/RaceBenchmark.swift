/// Transactions of many clients that all read one document, and then write it.
enum RaceBenchmark: Benchmark {
  static let name = "race"
  static let summary = "16 racing transactions on one document, first Begin to last Commit"

  private static let clients = 16
  private static let document = "bench/raced"

  static func run(_ plan: Plan) throws -> [Measurement] {
    let subject = try Subject(plan)
    let racers = try (0..<clients).map { _ in Racer(try GRPCSocket(port: subject.port)) }
    _ = try racers[0].socket.exchange("Commit", .increments(of: [document]))
    var times: [Double] = []
    for _ in 0..<plan.requests(100) {
      let start = ContinuousClock.now
      try race(racers)
      times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    return [
      Measurement("median", median(times), "ms"),
      Measurement("slowest", times.max() ?? 0, "ms", .atMost(150)),
    ]
  }

  /// One transaction of each; fails if one of them is aborted.
  private static func race(_ racers: [Racer]) throws {
    for racer in racers { try racer.begin() }
    let sockets = racers.map(\.socket)
    while racers.contains(where: { !$0.isDone }) {
      let ready = GRPCSocket.waitForInput(sockets)
      guard !ready.isEmpty else { throw BenchError("a transaction waits for 10 s") }
      for index in ready { try racers[index].receive() }
    }
  }

  /// A client with a transaction.
  private final class Racer {
    private enum Step {
      case beginning, reading, committing, done
    }

    let socket: GRPCSocket
    private var step = Step.done
    private var call = 0
    private var answer: [UInt8]?
    private var transaction: [UInt8] = []

    init(_ socket: GRPCSocket) {
      self.socket = socket
    }

    var isDone: Bool { step == .done }

    func begin() throws {
      var request = GRPCBody()
      request.text(1, Subject.database)
      call = try socket.call("BeginTransaction", request, isUnary: true)
      step = .beginning
    }

    /// Takes what has come, and goes on to the next call when one is over.
    func receive() throws {
      var isOver = false
      try socket.receive { other, event in
        guard other == call else { return }
        switch event {
        case .message(let bytes): answer = Array(bytes)
        case .end: isOver = true
        }
      }
      guard isOver else { return }
      guard let answer else { throw BenchError("a call failed while \(step)") }
      self.answer = nil
      switch step {
      case .beginning:
        transaction = Array(answer.dropFirst(2))
        var request = GRPCBody()
        request.text(1, Subject.database)
        request.text(2, "\(Subject.database)/documents/\(RaceBenchmark.document)")
        request.data(4, transaction)
        call = try socket.call("BatchGetDocuments", request, isUnary: true)
        step = .reading
      case .reading:
        var request = GRPCBody.increments(of: [RaceBenchmark.document])
        request.data(3, transaction)
        call = try socket.call("Commit", request, isUnary: true)
        step = .committing
      case .committing, .done: step = .done
      }
    }
  }
}
