/// Requests made by h2load, which reports what came back.
struct Load {
  /// Answers a second.
  let rate: Double
  /// Bytes of the bodies of all answers.
  let bodyBytes: Int

  /// Sends `requests` to a URL and fails unless every one succeeds.
  ///
  /// `upload` is a file to send as body of a POST; `http1` keeps to HTTP/1.1.
  static func run(
    _ url: String, requests: Int, http1: Bool = false, connections: Int = 16, streams: Int = 32,
    upload: String? = nil, headers: [String] = []
  ) throws -> Load {
    var command = ["h2load", "-n\(requests)", "-c\(connections)", "-t1"]
    command.append(http1 ? "--h1" : "-m\(streams)")
    if let upload { command += ["-d", upload] }
    for header in headers { command += ["-H", header] }
    let output = try ChildProcess.run(command + [url])
    guard let line = output.firstMatch(of: /(\d+) succeeded, (\d+) failed, (\d+) errored/),
      let rate = output.firstMatch(of: /, ([\d.]+) req\/s/).flatMap({ Double($0.1) }),
      let data = output.firstMatch(of: /\((\d+)\) data/).flatMap({ Int($0.1) })
    else { throw BenchError("h2load printed something else: \(output)") }
    guard Int(line.1) == requests else { throw BenchError("requests failed: \(output)") }
    return Load(rate: rate, bodyBytes: data)
  }
}
