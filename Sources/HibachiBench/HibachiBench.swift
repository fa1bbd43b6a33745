/// Measures a server: `hibachi-bench [flags] [benchmark…]`.
@main
enum HibachiBench {
  private static let usage = """
    Usage: hibachi-bench [flags] [benchmark…]

      --binary FILE       the server to start (hibachi beside this program)
      --peer HOST:PORT    measure a running server on the loopback address instead
      --peer-process ID   its process, to read its CPU and memory
      --ephemeral         keep documents in memory instead of in a new data folder
      --indexes WHEN      pass this on to the server
      --keep FOLDER       where million keeps its documents for the next run
      --json FILE         write the results there too
      --quick             a tenth of the load
      --help

    Needs h2load, nginx and nghttpd. Benchmarks:

    """

  static func main() throws {
    var plan = Plan(binary: programFolder() + "/hibachi")
    var chosen: [String] = []
    var file: String?
    var arguments = CommandLine.arguments.dropFirst()
    func value(of flag: String) throws -> String {
      guard let value = arguments.popFirst() else { throw BenchError("\(flag) needs a value") }
      return value
    }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--binary": plan.binary = try value(of: argument)
      case "--peer":
        guard let port = try value(of: argument).split(separator: ":").last.flatMap({ Int($0) })
        else { throw BenchError("--peer needs HOST:PORT") }
        plan.peer = (port, plan.peer?.processID)
      case "--peer-process":
        guard let processID = Int32(try value(of: argument)), let peer = plan.peer else {
          throw BenchError("--peer-process needs a number, after --peer")
        }
        plan.peer = (peer.port, processID)
      case "--indexes": plan.indexes = try value(of: argument)
      case "--keep": plan.folder = try value(of: argument)
      case "--json": file = try value(of: argument)
      case "--ephemeral": plan.isEphemeral = true
      case "--quick": plan.isQuick = true
      case "--help", "-h":
        print(usage + Plan.benchmarks.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
        return
      default: chosen.append(argument)
      }
    }
    try run(plan, chosen: chosen, file: file)
  }

  private static func run(_ plan: Plan, chosen: [String], file: String?) throws {
    if let unknown = chosen.first(where: { name in !Plan.benchmarks.contains { $0.name == name } })
    {
      throw BenchError("there is no benchmark \(unknown)")
    }
    var report = Report()
    for benchmark in Plan.benchmarks where chosen.isEmpty || chosen.contains(benchmark.name) {
      note("\(benchmark.name): \(benchmark.summary)…")
      do {
        report.add(benchmark.name, try benchmark.run(plan))
      } catch let error as BenchError {
        note("\(benchmark.name) failed: \(error)")
      }
    }
    print(report.table)
    if let file { try writeFile(file, Array(report.json.utf8)) }
  }
}
