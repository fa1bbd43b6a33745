/// One thing to measure.
protocol Benchmark {
  /// The name on the command line.
  static var name: String { get }
  /// What it measures, in a few words.
  static var summary: String { get }
  static func run(_ plan: Plan) throws -> [Measurement]
}

/// What a run measures.
struct Plan {
  /// The binary of the server that runs start.
  var binary: String
  /// A running server to measure instead: its port, and its process if its CPU is to be read.
  var peer: (port: Int, processID: Int32?)?
  /// Documents are kept in memory only, instead of in a data folder.
  var isEphemeral = false
  /// When queries of the server get indexes; what it does by itself for `nil`.
  var indexes: String?
  /// Where the million documents are kept for other runs; made anew each time for `nil`.
  var folder: String?
  /// Less load, for a first look.
  var isQuick = false

  /// The number of requests for a measurement that takes `count` in full.
  func requests(_ count: Int) -> Int { isQuick ? count / 10 : count }

  /// Every benchmark, in the order in which they run.
  static var benchmarks: [any Benchmark.Type] {
    [
      StartBenchmark.self, IdleBenchmark.self, RESTGetBenchmark.self, GRPCGetBenchmark.self,
      CommitBenchmark.self, RaceBenchmark.self, BatchBenchmark.self, ClearBenchmark.self,
      MemoryBenchmark.self,
      CountBenchmark.self, QueryBenchmark.self, MillionBenchmark.self, LargeBenchmark.self,
      ListenBenchmark.self, IdleListenBenchmark.self, ChannelBenchmark.self,
      StorageBenchmark.self, RulesBenchmark.self,
    ]
  }
}
