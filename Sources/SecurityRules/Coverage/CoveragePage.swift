internal import Coding

/// The report for people: the source with colours, and the values of an expression where one points at it.
struct CoveragePage {
  private let source: [Unicode.Scalar]
  private var offset = 0
  private var html = ""

  /// The page for a ruleset.
  static func html(of ruleset: Ruleset, _ coverage: Coverage?) -> String {
    var page = CoveragePage(source: Array(ruleset.content.unicodeScalars))
    let nodes = (coverage?.nodes ?? []).sorted { SourceRange.precedes($0.range, $1.range) }
    for node in nodes { page.append(node) }
    page.append(through: page.source.count)
    return head + "<h1>\(escaped(ruleset.name))</h1><pre>" + page.html + "</pre>\n"
  }

  private static let head = """
    <!doctype html><meta charset="utf-8"><title>Rule coverage</title><style>
    body { font-family: sans-serif; margin: 2em } pre { line-height: 1.5; tab-size: 2 }
    span { border-radius: 3px } .evaluated { background: #d9f2d9 } .failed { background: #f9d6d5 }
    .skipped { background: #fff3c4 } .never { background: #e4e4e4 }
    @media (prefers-color-scheme: dark) { body { background: #1b1b1b; color: #ddd }
      .evaluated { background: #1f4a1f } .failed { background: #5c2523 }
      .skipped { background: #574a17 } .never { background: #3a3a3a } }
    </style><p>Point at an expression for its values. <span class="evaluated">evaluated</span>
    <span class="failed">failed at times</span> <span class="skipped">decided before</span>
    <span class="never">never reached</span></p>

    """

  private init(source: [Unicode.Scalar]) {
    self.source = source
  }

  private mutating func append(_ node: CoverageNode) {
    guard node.range.offset >= offset else { return }
    append(through: node.range.offset)
    let title = node.entries.map { "\($0.outcome.text) × \($0.count)" }.joined(separator: "\n")
    html += "<span class=\"\(Self.style(node.entries))\" title=\"\(Self.escaped(title))\">"
    for child in node.children { append(child) }
    append(through: node.range.endOffset + 1)
    html += "</span>"
  }

  /// The source up to `end`.
  private mutating func append(through end: Int) {
    let end = min(end, source.count)
    guard offset < end else { return }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: source[offset..<end])
    html += Self.escaped(String(text))
    offset = end
  }

  private static func style(_ entries: [CoverageRecord.Entry]) -> String {
    var style = "never"
    for entry in entries {
      switch entry.outcome {
      case .failed(let failure) where failure.cause != nil: return "failed"
      case .value: style = "evaluated"
      case .failed, .skipped: if style == "never" { style = "skipped" }
      }
    }
    return style
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}

extension ServiceRules {
  /// A page that shows what was evaluated.
  package func coveragePage(of ruleset: Ruleset) -> String {
    CoveragePage.html(of: ruleset, coverage)
  }
}

extension CoverageRecord.Outcome {
  /// For people.
  var text: String {
    switch self {
    case .value(let value): value.text
    case .failed(let failure): failure.cause ?? "not known without the document"
    case .skipped: "decided before"
    }
  }
}

extension RulesValue {
  /// The value as rules would write it; what is long is cut.
  package var text: String {
    guard size(upTo: 1_001) <= 1_000 else { return "a long \(typeName)" }
    return fullText
  }

  private var fullText: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .int(let number): String(number)
    case .float(let number): number.javaText
    case .string(let text): "\"\(text)\""
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .list(let values): "[" + Self.text(of: values) + "]"
    case .set(let values): "set of [" + Self.text(of: values) + "]"
    case .vector(let numbers): "vector of \(numbers.count) numbers"
    case .map(let map):
      "{"
        + map.entries.prefix(20).map { "\"\($0.key)\": \($0.value.fullText)" }
        .joined(separator: ", ") + "}"
    case .mapDiff(let diff):
      "difference {"
        + diff.entries.prefix(20).map { "\($0.key): \($0.status)" }
        .joined(separator: ", ") + "}"
    case .path(let path): path.description
    case .timestamp(let time): time.rfc3339
    case .duration(let duration): duration.text
    case .latlng(let latitude, let longitude): "(\(latitude), \(longitude))"
    case .constraint(let constraints):
      "a value that the filter only bounds ("
        + constraints.map { "\($0.comparator.rawValue) \($0.value.fullText)" }
        .joined(separator: ", ") + ")"
    case .unknown: "unknown"
    }
  }

  private static func text(of values: [RulesValue]) -> String {
    values.prefix(20).map(\.fullText).joined(separator: ", ")
  }
}
