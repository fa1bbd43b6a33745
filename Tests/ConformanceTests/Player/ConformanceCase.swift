import Foundation
import Testing

/// One recorded case: what was sent and what came back.
struct ConformanceCase: Sendable, CustomTestStringConvertible {
  /// The file that it is written in, without its folder.
  let file: String
  let name: String
  let steps: [JSON]
  /// Why the recording shows a defect.
  let quirk: String?

  var testDescription: String { name }
}

/// What `testdata/conformance` holds.
struct ConformanceSuite: Sendable {
  /// Recorded cases that this product answers as recorded.
  let recorded: [ConformanceCase]
  /// Cases that it does not answer yet.
  let open: [ConformanceCase]
  /// Our own cases, among them the right answers in place of recorded defects.
  let ours: [ConformanceCase]
  /// Every recorded case.
  let all: [ConformanceCase]
  /// Names in the list of differences.
  let divergences: Set<String>

  static let shared = ConformanceSuite()

  private init() {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "testdata")
    let folder = root.appending(path: "conformance")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    func text(_ url: URL) -> String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }
    func names(_ url: URL) -> Set<String> {
      Set(
        text(url).split(separator: "\n").compactMap {
          $0.firstMatch(of: /^(?:- |\| )`([^`\/]+\/[^`]+)`/).map { String($0.1) }
        })
    }
    all =
      files.filter { $0.hasSuffix(".json") && $0 != "ours.json" }.sorted()
      .flatMap { Self.cases(in: folder.appending(path: $0)) }
    // Streams are played by the client tests.
    let divergences = names(root.appending(path: "divergences.md"))
      .filter { !$0.hasPrefix("streams/") }
    self.divergences = divergences
    let openNames = names(folder.appending(path: "open.md"))
    let played = all.filter { !divergences.contains($0.name) }
    let ownCases = Self.cases(in: folder.appending(path: "ours.json"))
    ours = ownCases.filter { !openNames.contains($0.name) }
    recorded = played.filter { !openNames.contains($0.name) }
    open = (played + ownCases).filter { openNames.contains($0.name) }
  }

  private static func cases(in file: URL) -> [ConformanceCase] {
    guard let data = try? Data(contentsOf: file),
      let items = JSONReader.read(Array(data))?.array
    else { return [] }
    return items.compactMap { item in
      guard let name = item["name"]?.string, let steps = item["steps"]?.array else { return nil }
      return ConformanceCase(
        file: file.lastPathComponent, name: name, steps: steps, quirk: item["quirk"]?.string)
    }
  }
}
