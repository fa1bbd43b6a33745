import Testing

/// The rules of the code base, kept by every file of it.
@Suite("Rules of the repository")
struct RepositoryTests {
  let tree = SourceTree.repository

  private func expectNone(_ violations: [Violation]) {
    for violation in violations {
      Issue.record(Comment(rawValue: violation.description))
    }
  }

  @Test("there is something to look at")
  func foundFiles() {
    #expect(tree.sources.count > 10)
    #expect(tree.package.map { ImportRules.targets(of: $0).count > 10 } == true)
  }

  @Test("targets import what the design allows")
  func importTable() { expectNone(tree.sources.flatMap(ImportRules.table)) }

  @Test("the package declares what the design allows")
  func packageDependencies() throws {
    expectNone(ImportRules.dependencies(try #require(tree.package)))
  }

  @Test("a C module has one importer")
  func cModules() {
    let modules = Set(tree.files.filter { $0.path.hasSuffix("module.modulemap") }.map(\.target))
    expectNone(ImportRules.oneImporter(of: modules, in: tree.sources))
  }

  @Test("files are short")
  func fileLength() { expectNone((tree.sources + tree.tests).flatMap(LengthRules.fileLength)) }

  @Test("functions are short")
  func functionLength() {
    expectNone((tree.sources + tree.tests).flatMap(LengthRules.functionLength))
  }

  @Test("names say something")
  func names() { expectNone((tree.sources + tree.tests).flatMap(TasteRules.names)) }

  @Test("shipped code has no banned construct")
  func constructs() { expectNone(tree.sources.flatMap(TasteRules.constructs)) }

  @Test("unsafe stays in the wrappers of C")
  func unsafeWords() { expectNone(tree.sources.flatMap(TasteRules.unsafeWords)) }

  @Test("unchecked promises stay in NetIO and SQLite")
  func unchecked() { expectNone(tree.sources.flatMap(TasteRules.unchecked)) }

  @Test("a bare task says who cancels it")
  func bareTasks() { expectNone(tree.sources.flatMap(TasteRules.bareTasks)) }

  @Test("package is the widest level outside of the library")
  func access() { expectNone(tree.sources.flatMap(TasteRules.access)) }

  @Test("every target says what it is for")
  func paragraphs() { expectNone(TasteRules.paragraphs(of: tree.targets, in: tree.files)) }

  @Test("no path of one machine")
  func machinePaths() { expectNone(tree.files.flatMap(TasteRules.machinePaths)) }
}
