import Foundation

/// Rules about names, constructs and what stands beside the code.
enum TasteRules {
  // Put together here, so that this file does not break its own rule.
  private static let bannedWords: Set<String> = [
    "Manager", "Managers", "Helper", "Helpers", "Util", "Utils", "Base", "Impl", "Common",
  ]

  /// Types, files and folders named after nothing.
  static func names(_ file: SourceFile) -> [Violation] {
    let parts = file.path.split(whereSeparator: { $0 == "/" || $0 == "." || $0 == "+" })
    let ofPath = parts.filter { banned(in: $0) != nil }.map {
      file.violation(0, "the name \($0) says nothing")
    }
    return ofPath
      + file.code.enumerated().flatMap { line, text -> [Violation] in
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return zip(words, words.dropFirst()).filter {
          declarations.contains(String($0)) && banned(in: $1) != nil
        }.map { file.violation(line, "the name \($1) says nothing") }
      }
  }

  private static let declarations: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  private static func banned(in name: Substring) -> String? {
    name.matches(of: /[A-Z][a-z]*\d*/).map { String($0.output) }.first(where: bannedWords.contains)
  }

  /// What shipped code does without.
  static func constructs(_ file: SourceFile) -> [Violation] {
    let banned: [Pattern] = [
      ("try", /\btry!/, "try! traps"), ("as", /\bas!/, "as! traps"),
      ("fatalError", /\bfatalError\(/, "fatalError traps"),
      ("import", /\bimport\s+Foundation/, "no Foundation in shipped targets"),
      ("DispatchQueue", /\bDispatchQueue\b/, "no dispatch queues"),
      ("DispatchSemaphore", /\bDispatchSemaphore\b/, "no semaphores"),
      ("usleep", /\busleep\(/, "no sleeping"), ("nanosleep", /\bnanosleep\(/, "no sleeping"),
      ("sleep", /\bThread\.sleep/, "no sleeping"),
      ("sleep", /(?:^\s*|[=;\x7B(]\s*|\btry |\bawait )sleep\(/, "no sleeping"),
    ]
    return matches(of: banned, in: file)
  }

  private static let unsafeTargets: Set<String> = [
    "SQLite", "KeyValueSQLite", "Compression", "Coding", "NetIO", "CPlatform",
  ]
  /// Folders and files elsewhere that wrap C.
  private static let unsafePlaces = [
    "Sources/HTTPServer/HTTP2/", "Sources/HibachiBench/Processes/",
    "Sources/SecurityRules/RegularExpression.swift",
  ]

  /// The word `unsafe` outside the wrappers of C.
  static func unsafeWords(_ file: SourceFile) -> [Violation] {
    guard !unsafeTargets.contains(file.target),
      !unsafePlaces.contains(where: file.path.hasPrefix)
    else { return [] }
    return matches(of: [("unsafe", /\bunsafe\b/, "unsafe belongs to the wrappers of C")], in: file)
  }

  /// Promises about threads that the compiler does not check.
  static func unchecked(_ file: SourceFile) -> [Violation] {
    guard file.target != "NetIO", file.target != "SQLite" else { return [] }
    return matches(
      of: [
        ("unchecked", /@unchecked\s+Sendable/, "@unchecked Sendable belongs to NetIO and SQLite"),
        ("nonisolated", /nonisolated\(unsafe\)/, "nonisolated(unsafe) belongs to NetIO and SQLite"),
      ], in: file)
  }

  /// Tasks without a comment that names who cancels them.
  static func bareTasks(_ file: SourceFile) -> [Violation] {
    guard file.words.contains("Task") else { return [] }
    return file.code.enumerated().filter { line, text in
      text.contains(/(?:^|[^.\w])Task(?:\.(?:immediate|detached))?\s*[(\x7B]/)
        && (line == 0 || !file.lines[line - 1].contains("//"))
    }.map { line, _ in
      file.violation(line, "a bare task needs a comment above that names who cancels it")
    }
  }

  /// `public` outside of the library that users embed.
  static func access(_ file: SourceFile) -> [Violation] {
    guard file.target != "Hibachi" else { return [] }
    return matches(
      of: [
        ("public", /\bpublic\s+(?!import)\w+/, "package is the widest level here"),
        ("open", /\bopen\s+(?:class|func|var)\b/, "package is the widest level here"),
      ], in: file)
  }

  /// Paths of one machine.
  static func machinePaths(_ file: SourceFile) -> [Violation] {
    let folders = ["work", "root", "home"].map { "/\($0)/" }
    let bytes = Data(file.bytes)
    guard folders.contains(where: { bytes.range(of: Data($0.utf8)) != nil }) else { return [] }
    return file.lines.enumerated().flatMap { line, text in
      folders.filter { folder in
        text.ranges(of: folder).contains { range in
          // Part of a longer path or address otherwise.
          range.lowerBound == text.startIndex
            || !(text[text.index(before: range.lowerBound)].isLetter
              || text[text.index(before: range.lowerBound)].isNumber
              || "-_.})".contains(text[text.index(before: range.lowerBound)]))
        }
      }.map { file.violation(line, "\($0) is a path of one machine") }
    }
  }

  /// Targets without the paragraph that says what they are for; C modules have none.
  static func paragraphs(of targets: [String], in files: [SourceFile]) -> [Violation] {
    let cModules = Set(files.filter { $0.path.hasSuffix("module.modulemap") }.map(\.target))
    return targets.filter { !cModules.contains($0) }.compactMap { target in
      let path = "Sources/\(target)/\(target).docc/\(target).md"
      let text = files.first { $0.path == path }?.lines ?? []
      let said = text.contains { !$0.hasPrefix("#") && !$0.isEmpty }
      return said ? nil : Violation(description: "\(path):1: \(target) has no paragraph")
    }
  }

  /// A word that has to be in the file, what it looks like where it is wrong, and why it is.
  private typealias Pattern = (word: String, shape: Regex<Substring>, reason: String)

  private static func matches(of patterns: [Pattern], in file: SourceFile) -> [Violation] {
    let near = patterns.filter { file.words.contains($0.word) }
      .map { ($0.shape.wordBoundaryKind(.simple), $0.reason) }
    guard !near.isEmpty else { return [] }
    return file.code.enumerated().flatMap { line, text in
      near.filter { text.contains($0.0) }.map { file.violation(line, $0.1) }
    }
  }
}
