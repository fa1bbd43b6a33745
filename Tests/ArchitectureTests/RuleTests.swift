import Testing

/// Every rule finds what it is there to find, and says where.
@Suite("Rules can fail")
struct RuleTests {
  private func source(_ target: String, _ text: String) -> SourceFile {
    SourceFile(path: "Sources/\(target)/Sample.swift", text: text)
  }

  @Test func importNotInTheTable() {
    let bad = source("KeyValue", "import Synchronization\n\npackage import Coding\n")
    #expect(
      ImportRules.table(bad).map(\.description)
        == ["Sources/KeyValue/Sample.swift:3: KeyValue may not import Coding"])
    #expect(ImportRules.table(source("FirestoreModel", "package import Coding")).isEmpty)
    #expect(ImportRules.table(source("Coding", "// import KeyValue")).isEmpty)
    #expect(ImportRules.table(source("Coding", "@testable import struct KeyValue.X")).count == 1)
    #expect(ImportRules.table(source("FirestoreREST", "import FirestoreGRPC")).count == 1)
  }

  @Test func dependencyNotInTheTable() {
    let package = SourceFile(
      path: "Package.swift",
      text: """
        [
            library("KeyValue", "Coding"),
            library(
              "GRPC", "HTTPServer",
              "Coding"),
            executable("Strange"),
            executable("HibachiCommand", "Hibachi"),
        ]
        """)
    #expect(
      ImportRules.dependencies(package).map(\.description) == [
        "Package.swift:2: KeyValue may not depend on Coding",
        "Package.swift:6: Strange is not in the table of targets",
      ])
  }

  @Test func cModuleWithTwoImporters() {
    let files = [source("NetIO", "private import CUV"), source("Telemetry", "import CUV")]
    #expect(ImportRules.oneImporter(of: ["CUV"], in: files).count == 1)
    #expect(ImportRules.oneImporter(of: ["CUV"], in: [files[0]]).isEmpty)
    #expect(
      ImportRules.oneImporter(of: ["CUV"], in: [source("NetIO", "public import CUV")]).count == 1)
  }

  @Test func longFiles() {
    let lines = String(repeating: "let x = 1\n", count: 601)
    #expect(LengthRules.fileLength(source("Coding", lines)).count == 1)
    #expect(LengthRules.fileLength(source("Coding", String(lines.dropLast(10)))).isEmpty)
    let generated = SourceFile(path: "Sources/FirestoreProtocol/Generated/A.swift", text: lines)
    #expect(LengthRules.fileLength(generated).isEmpty)
    #expect(LengthRules.fileLength(SourceFile(path: "Tests/A/B.swift", text: lines)).isEmpty)
  }

  @Test func longFunctions() {
    func file(_ head: String, _ count: Int) -> SourceFile {
      source(
        "Coding",
        "struct A {\n" + head + " {\n" + String(repeating: "    print(\"}\")\n", count: count)
          + "  }\n}\n")
    }
    for head in [
      "  func a()", "  func a(\n    _ b: Int\n  ) async throws -> Int", "  init?(_ a: Int)",
      "  subscript(_ i: Int) -> Int", "  func a<T>(b: T)\n  where T: Sendable,\n    T: Equatable",
    ] {
      #expect(LengthRules.functionLength(file(head, 59)).count == 1, "\(head)")
      #expect(LengthRules.functionLength(file(head, 50)).isEmpty, "\(head)")
    }
    let requirement = source(
      "Coding",
      "protocol A {\n  func a()\n}\nstruct B {\n" + String(repeating: "\n", count: 80) + "}")
    #expect(LengthRules.functionLength(requirement).isEmpty)
  }

  @Test func emptyNames() {
    #expect(TasteRules.names(source("Coding", "struct StringUtils {}")).count == 1)
    #expect(TasteRules.names(source("Coding", "final class BaseStore {}")).count == 1)
    #expect(TasteRules.names(source("Coding", "enum Base64 {}\nstruct Database {}")).isEmpty)
    #expect(
      TasteRules.names(SourceFile(path: "Sources/Coding/Common/A.swift", text: "")).count == 1)
    #expect(
      TasteRules.names(SourceFile(path: "Sources/Coding/A+Helpers.swift", text: "")).count == 1)
  }

  @Test(arguments: [
    "let x = try! f()", "let x = y as! Int", "fatalError(\"no\")", "import Foundation",
    "internal import FoundationEssentials", "DispatchQueue.main.async {}", "Thread.sleep(1)",
    "usleep(5)", "sleep(5)",
  ])
  func bannedConstruct(text: String) {
    #expect(TasteRules.constructs(source("Coding", "\n" + text)).count == 1)
    #expect(TasteRules.constructs(source("Coding", "// " + text)).isEmpty)
  }

  @Test func sleepOfAClockIsAllowed() {
    let text = "func sleep(until: Int) async {}\ntry await clock.sleep(until: deadline)"
    #expect(TasteRules.constructs(source("Coding", text)).isEmpty)
  }

  @Test func unsafeOutsideOfWrappers() {
    let text = "let p = unsafe pointer.pointee"
    #expect(TasteRules.unsafeWords(source("GRPC", text)).count == 1)
    #expect(TasteRules.unsafeWords(source("NetIO", text)).isEmpty)
    let http2 = SourceFile(path: "Sources/HTTPServer/HTTP2/Session.swift", text: text)
    #expect(TasteRules.unsafeWords(http2).isEmpty)
    #expect(TasteRules.unsafeWords(source("HTTPServer", text)).count == 1)
  }

  @Test func uncheckedPromises() {
    let text = "final class A: @unchecked Sendable { nonisolated(unsafe) var x = 1 }"
    #expect(TasteRules.unchecked(source("Coding", text)).count == 2)
    #expect(TasteRules.unchecked(source("SQLite", text)).isEmpty)
  }

  @Test(arguments: ["Task {", "let t = Task.immediate {", "_ = Task.detached(priority: .low) {"])
  func bareTask(text: String) {
    #expect(TasteRules.bareTasks(source("GRPC", "\n" + text)).count == 1)
    #expect(TasteRules.bareTasks(source("GRPC", "// The connection cancels it.\n" + text)).isEmpty)
  }

  @Test func otherUsesOfTask() {
    let text =
      "\nlet t: Task<Void, Never>\nawait withTaskGroup(of: Int.self) { _ in }\nTask.isCancelled"
    #expect(TasteRules.bareTasks(source("GRPC", text)).isEmpty)
  }

  @Test func publicOutsideOfTheLibrary() {
    #expect(TasteRules.access(source("Coding", "public struct A {}")).count == 1)
    #expect(TasteRules.access(source("Hibachi", "public struct A {}")).isEmpty)
  }

  @Test func pathsOfOneMachine() {
    func file(_ text: String) -> SourceFile { SourceFile(path: "README.md", text: text) }
    #expect(TasteRules.machinePaths(file("see /" + "work/main")).count == 1)
    #expect(TasteRules.machinePaths(file("cd /" + "root/x")).count == 1)
    #expect(TasteRules.machinePaths(file("https://example.com/" + "work/main")).isEmpty)
  }

  @Test func missingParagraph() {
    let empty = SourceFile(path: "Sources/A/A.docc/A.md", text: "# ``A``\n")
    let written = SourceFile(path: "Sources/B/B.docc/B.md", text: "# ``B``\n\nHolds things.\n")
    let cModule = SourceFile(path: "Sources/C/module.modulemap", text: "")
    #expect(
      TasteRules.paragraphs(of: ["A", "B", "C"], in: [empty, written, cModule]).map(\.description)
        == ["Sources/A/A.docc/A.md:1: A has no paragraph"])
  }

  @Test func blankingKeepsLinesAndCode() {
    let text = #"let a = "x \(f("y")) z" // try!"# + "\n/* try!\n*/ let b = #\"x\"#\nlet c = 1"
    let lines = SourceFile(path: "Sources/A/A.swift", text: text).code
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("let a = ") && !lines[0].contains("try!"))
    #expect(lines[3] == "let c = 1")
  }
}
