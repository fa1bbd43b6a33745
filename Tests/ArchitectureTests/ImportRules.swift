/// Rules about what imports what.
enum ImportRules {
  /// An `import` line of Swift.
  struct Import: Equatable {
    let line: Int
    let access: Substring?
    let module: String
  }

  static func imports(of file: SourceFile) -> [Import] {
    file.code.enumerated().compactMap { line, text in
      guard text.contains("import "),
        let match = text.firstMatch(
          of:
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
        )
      else { return nil }
      return Import(line: line, access: match.1, module: String(match.2))
    }
  }

  /// Imports that the table of the design does not allow.
  static func table(_ file: SourceFile) -> [Violation] {
    imports(of: file).filter { !ImportTable.allows($0.module, in: file.target) }.map {
      file.violation($0.line, "\(file.target) may not import \($0.module)")
    }
  }

  /// Dependencies in Package.swift that the table does not allow, and targets that it does not know.
  static func dependencies(_ package: SourceFile) -> [Violation] {
    targets(of: package).flatMap { target -> [Violation] in
      guard let allowed = ImportTable.allowed[target.name] else {
        return [package.violation(target.line, "\(target.name) is not in the table of targets")]
      }
      return target.dependencies.filter { !allowed.contains($0) }.map {
        package.violation(target.line, "\(target.name) may not depend on \($0)")
      }
    }
  }

  /// The calls of `library` and `executable` in Package.swift.
  static func targets(of package: SourceFile) -> [(
    name: String, dependencies: [String], line: Int
  )] {
    let text = package.lines.joined(separator: "\n")
    let call = /\n\s*(?:library|executable)\(\s*"(\w+)"((?:\s*,\s*"\w+")*)\s*,?\s*\)/
    return text.matches(of: call).map { match in
      (
        String(match.1), match.2.matches(of: /\w+/).map { String($0.output) },
        text[..<match.1.startIndex].count { $0 == "\n" }
      )
    }
  }

  /// C modules with several importers, or imported so that the importers of the importer see them.
  static func oneImporter(of modules: Set<String>, in files: [SourceFile]) -> [Violation] {
    var importers: [String: String] = [:]
    var violations: [Violation] = []
    for file in files {
      for found in imports(of: file) where modules.contains(found.module) {
        let first = importers[found.module, default: file.target]
        importers[found.module] = first
        if first != file.target {
          violations.append(
            file.violation(found.line, "\(found.module) is imported by \(first) already"))
        }
        if found.access == "public" || found.access == "package" {
          violations.append(file.violation(found.line, "import \(found.module) privately"))
        }
      }
    }
    return violations
  }
}
