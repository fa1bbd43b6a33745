internal import NetIO
internal import SecurityRules
internal import Telemetry

/// A file of security rules, compiled.
package struct RulesFile: Sendable {
  /// More than any ruleset that is deployed: production takes 256 KiB.
  private static let largest = 4 << 20

  let ruleset: Ruleset

  /// Reads and compiles a file.
  ///
  /// - Throws: `.rules` if it cannot be read.
  package init(reading path: String) throws(EmulatorError) {
    ruleset = Ruleset(name: path, content: try Self.text(of: path))
  }

  private static func text(of path: String) throws(EmulatorError) -> String {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.contents(of: path, limit: largest + 1)
    } catch {
      throw EmulatorError(.rules, "Cannot read the rules: \(error.message).")
    }
    guard bytes.count <= largest else {
      throw EmulatorError(.rules, "\(path) has more than \(largest) bytes.")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether it can be used.
  package var isValid: Bool { ruleset.isValid }

  /// What the compiler has to say, each a line as compilers of other languages write it: `FILE:LINE:COLUMN: error: TEXT`.
  package var lines: [String] {
    ruleset.issues.map { issue in
      let place = issue.range.map { ":\($0.line):\($0.column)" } ?? ""
      let severity = issue.severity.rawValue.lowercased()
      return "\(ruleset.name)\(place): \(severity): \(issue.description)"
    }
  }

  /// Logs what the compiler says.
  func log(to logger: Logger, _ consequence: String) {
    for line in lines {
      if isValid {
        logger.warning("rules", [.detail: .string(line)])
      } else {
        logger.error("rules have errors", [.detail: .string(line), .reason: .string(consequence)])
      }
    }
  }

  /// Calls `apply` with the file whenever its text changes, until the task is cancelled, unless it has errors: those before it stay
  /// in force.
  func watch(
    clock: some Clock<Duration>, _ logger: Logger, _ apply: @Sendable (Ruleset) -> Void
  ) async {
    var current = ruleset.content
    var last = current
    while (try? await clock.sleep(for: .milliseconds(500))) != nil {
      guard let text = try? Self.text(of: ruleset.name) else { continue }
      // Whoever writes the file may not have finished: it counts when it is the same twice.
      defer { last = text }
      guard text == last, text != current else { continue }
      current = text
      let file = RulesFile(ruleset: Ruleset(name: ruleset.name, content: text))
      file.log(to: logger, "the rules before stay in force")
      guard file.isValid else { continue }
      apply(file.ruleset)
      logger.info("rules read again", [.path: .string(ruleset.name)])
    }
  }

  private init(ruleset: Ruleset) {
    self.ruleset = ruleset
  }
}
