/// A query over REST for documents that `BatchBenchmark.batch` makes.
struct QueryWorkload {
  let name: String
  private let method: String
  private let body: String

  private init(_ name: String, _ query: String) {
    self.name = name
    self.method = "runQuery"
    self.body = "{\"structuredQuery\":{\(query)}}"
  }

  private init(_ name: String, _ query: String, aggregations: String) {
    self.name = name
    self.method = "runAggregationQuery"
    self.body = """
      {"structuredAggregationQuery":{"structuredQuery":{\(query)},"aggregations":[\(aggregations)]}}
      """
  }

  /// Sends the query; nobody has to read the answer.
  func begin(_ socket: HTTPSocket) throws {
    try socket.begin("POST", "/v1/\(Subject.database)/documents:\(method)", body: body)
  }

  /// Sends the query many times, over many connections at once.
  func load(_ subject: Subject, requests: Int, in folder: TemporaryFolder) throws -> Load {
    let upload = folder.path + "/query"
    try writeFile(upload, Array(body.utf8))
    return try Load.run(
      "http://127.0.0.1:\(subject.port)/v1/\(Subject.database)/documents:\(method)",
      requests: requests, http1: true, upload: upload,
      headers: ["authorization: Bearer owner", "content-type: application/json"])
  }

  /// Sends the query and waits for the whole answer.
  func ask(_ socket: HTTPSocket) throws -> [UInt8] {
    let answer = try socket.exchange(
      "POST", "/v1/\(Subject.database)/documents:\(method)", body: body)
    guard answer.status == 200 else {
      throw BenchError("\(name) was answered \(answer.status)")
    }
    return answer.body
  }

  static func all(in collection: String, group: String) -> [QueryWorkload] {
    let from = "\"from\":[{\"collectionId\":\"\(collection)\"}]"
    let equal = "\"where\":" + comparison("group", "EQUAL", 7)
    let range = """
      "where":{"compositeFilter":{"op":"AND","filters":[\
      \(comparison("number", "GREATER_THAN_OR_EQUAL", 300)),\(comparison("number", "LESS_THAN", 400))]}}
      """
    let order = "\"orderBy\":[{\"field\":{\"fieldPath\":\"shuffled\"}}],\"limit\":20"
    let count = "{\"alias\":\"count\",\"count\":{}}"
    let number = "{\"field\":{\"fieldPath\":\"number\"}}"
    return [
      QueryWorkload("whole collection", from),
      QueryWorkload("equality", "\(from),\(equal)"),
      QueryWorkload("equality, order, limit 20", "\(from),\(equal),\(order)"),
      QueryWorkload("range of 100", "\(from),\(range)"),
      QueryWorkload("order, limit 20", "\(from),\(order)"),
      QueryWorkload(
        "collection group, equality",
        "\"from\":[{\"collectionId\":\"\(group)\",\"allDescendants\":true}],\(equal)"),
      QueryWorkload("count", from, aggregations: count),
      QueryWorkload(
        "count, range",
        "\(from),\"where\":" + comparison("number", "GREATER_THAN_OR_EQUAL", 0),
        aggregations: count),
      QueryWorkload("count, equality", "\(from),\(equal)", aggregations: count),
      QueryWorkload(
        "sum and average", from,
        aggregations: "{\"alias\":\"sum\",\"sum\":\(number)},{\"alias\":\"avg\",\"avg\":\(number)}"),
    ]
  }

  private static func comparison(_ field: String, _ operation: String, _ value: Int) -> String {
    """
    {"fieldFilter":{"field":{"fieldPath":"\(field)"},"op":"\(operation)",\
    "value":{"integerValue":"\(value)"}}}
    """
  }
}
