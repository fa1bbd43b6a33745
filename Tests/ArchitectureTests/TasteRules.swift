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
    let declaration = /\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)/
      .wordBoundaryKind(.simple)
    return ofPath
      + file.code.enumerated().flatMap { line, text in
        text.matches(of: declaration).filter { banned(in: $0.1) != nil }.map {
          file.violation(line, "the name \($0.1) says nothing")
        }
      }
  }

  private static func banned(in name: Substring) -> String? {
    name.matches(of: /[A-Z][a-z]*\d*/).map { String($0.output) }.first(where: bannedWords.contains)
  }

  /// What shipped code does without.
  static func constructs(_ file: SourceFile) -> [Violation] {
    let banned: [(Regex<Substring>, String)] = [
      (/\btry!/, "try! traps"), (/\bas!/, "as! traps"), (/\bfatalError\(/, "fatalError traps"),
      (/\bimport\s+Foundation/, "no Foundation in shipped targets"),
      (/\bDispatchQueue\b/, "no dispatch queues"), (/\bDispatchSemaphore\b/, "no semaphores"),
      (/\bThread\.sleep|\b(?:u|nano)sleep\(/, "no sleeping"),
      (/(?:^\s*|[=;{(]\s*|\btry |\bawait )sleep\(/, "no sleeping"),
    ]
    return matches(of: banned, in: file)
  }

  private static let unsafeTargets: Set<String> = [
    "SQLite", "KeyValueSQLite", "Compression", "Coding", "NetIO", "CPlatform",
  ]
  /// Folders and files elsewhere that wrap C.
  private static let unsafePlaces = [
    "Sources/HTTPServer/HTTP2/", "Sources/HibachiBench/Processes/",
  ]

  /// The word `unsafe` outside the wrappers of C.
  static func unsafeWords(_ file: SourceFile) -> [Violation] {
    guard !unsafeTargets.contains(file.target),
      !unsafePlaces.contains(where: file.path.hasPrefix)
    else { return [] }
    return matches(of: [(/\bunsafe\b/, "unsafe belongs to the wrappers of C")], in: file)
  }

  /// Promises about threads that the compiler does not check.
  static func unchecked(_ file: SourceFile) -> [Violation] {
    guard file.target != "NetIO", file.target != "SQLite" else { return [] }
    return matches(
      of: [
        (/@unchecked\s+Sendable/, "@unchecked Sendable belongs to NetIO and SQLite"),
        (/nonisolated\(unsafe\)/, "nonisolated(unsafe) belongs to NetIO and SQLite"),
      ], in: file)
  }

  /// Tasks without a comment that names who cancels them.
  static func bareTasks(_ file: SourceFile) -> [Violation] {
    file.code.enumerated().filter { line, text in
      text.contains(/(?:^|[^.\w])Task(?:\.(?:immediate|detached))?\s*[({]/)
        && (line == 0 || !file.lines[line - 1].contains("//"))
    }.map { line, _ in
      file.violation(line, "a bare task needs a comment above that names who cancels it")
    }
  }

  /// `public` outside of the library that users embed.
  static func access(_ file: SourceFile) -> [Violation] {
    guard file.target != "Hibachi" else { return [] }
    return matches(
      of: [(/\b(?:public|open)\s+(?!import)\w+/, "package is the widest level here")], in: file)
  }

  /// Paths of one machine.
  static func machinePaths(_ file: SourceFile) -> [Violation] {
    let folders = ["work", "root", "home"].map { "/\($0)/" }
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

  private static func matches(
    of banned: [(Regex<Substring>, String)], in file: SourceFile
  ) -> [Violation] {
    file.code.enumerated().flatMap { line, text in
      banned.filter { text.contains($0.0.wordBoundaryKind(.simple)) }.map {
        file.violation(line, $0.1)
      }
    }
  }
}
