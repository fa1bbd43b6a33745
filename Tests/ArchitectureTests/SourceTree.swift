import Foundation

/// One file of the repository with its text and, for Swift, the text without comments and literals.
struct SourceFile: Sendable {
  /// Path from the root of the repository, with slashes.
  let path: String
  /// The lines as written.
  let lines: [String]
  /// The lines of Swift with the bytes of comments and of string literals blanked.
  let code: [String]
  /// The words of the code: what rules look for before they look closer.
  let words: Set<String>
  /// The text as written.
  let bytes: [UInt8]

  init(path: String, text: String) { self.init(path: path, bytes: Array(text.utf8)) }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    let blanked = path.hasSuffix(".swift") ? Blanking.code(of: bytes) : bytes
    lines = Self.lines(bytes)
    code = path.hasSuffix(".swift") ? Self.lines(blanked) : lines
    words = Set(
      blanked.split { !Self.isWord($0) }.map { String(decoding: $0, as: UTF8.self) })
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }

  /// The target or test target that the file belongs to: the second part of its path.
  var target: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : ""
  }

  /// Written by a generator: a folder `Generated` on the way.
  var isGenerated: Bool { path.contains("/Generated/") }

  var isSource: Bool { path.hasPrefix("Sources/") && path.hasSuffix(".swift") }
  var isTest: Bool { path.hasPrefix("Tests/") && path.hasSuffix(".swift") }

  /// A message that points at a line; `index` counts from 0.
  func violation(_ index: Int, _ what: String) -> Violation {
    Violation(description: "\(path):\(index + 1): \(what)")
  }
}

/// A broken rule: file, line and what is wrong.
struct Violation: CustomStringConvertible, Equatable, Sendable {
  let description: String
}

/// The files of the repository that the rules look at.
struct SourceTree: Sendable {
  let root: URL
  let files: [SourceFile]

  var sources: [SourceFile] { files.filter(\.isSource) }
  var tests: [SourceFile] { files.filter(\.isTest) }
  var package: SourceFile? { files.first { $0.path == "Package.swift" } }

  /// The repository that this file lies in, read once.
  static let repository = SourceTree(
    root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent())

  init(root: URL) {
    self.root = root
    var files: [SourceFile] = []
    let enumerator = FileManager.default.enumerator(atPath: root.path)
    while let path = enumerator?.nextObject() as? String {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if Self.skippedFolders.contains(name) || path == "testdata/conformance" {
        enumerator?.skipDescendants()
        continue
      }
      guard let data = FileManager.default.contents(atPath: root.path + "/" + path),
        data.count < 4 << 20
      else { continue }
      files.append(SourceFile(path: path, bytes: Array(data)))
    }
    self.files = files.sorted { $0.path < $1.path }
  }

  private static let skippedFolders: Set<String> = [
    ".build", ".git", ".hibachi", ".swiftpm", "__pycache__", "node_modules",
  ]

  /// The folders directly in `Sources`, one a target.
  var targets: [String] {
    Set(files.filter { $0.path.hasPrefix("Sources/") }.map(\.target)).subtracting([""]).sorted()
  }
}
