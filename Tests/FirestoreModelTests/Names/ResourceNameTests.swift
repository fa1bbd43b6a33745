import Coding
import FirestoreModel
import Testing

@Suite struct ResourceNameTests {
  static let root = "projects/demo/databases/(default)/documents"

  @Test(arguments: [
    "\(root)/c/d", "\(root)/c/d/e/f", "\(root)/c/____", "\(root)/c/__id7__", "\(root)/c/__id-7__",
    "\(root)/c/a:b", "\(root)/c\0/\0", "\(root)/__c/d__", "\(root)/c/é",
    "projects/example.com:demo/databases/X/documents/c/d",
    "projects/x/databases/a_b.c-1/documents/c/d",
    "\(root)/" + String(repeating: "a", count: 1500) + "/d",
    root + String(repeating: "/a/b", count: 100),
  ])
  func names(_ text: String) throws {
    #expect(try DocumentName(parsing: text).text == text)
    #expect(try ParentName(parsing: text).text == text)
  }

  static let wrongNames: [(String, String)] = [
    ("", "Document name \"\" lacks \"projects\" at index 0."),
    ("bad", "Document name \"bad\" lacks \"projects\" at index 0."),
    ("/\(root)/c/a", "Document name \"/\(root)/c/a\" lacks \"projects\" at index 0."),
    (
      "projects//databases/(default)/documents/c/a",
      "Document name \"projects//databases/(default)/documents/c/a\" lacks a project id at index 9."
    ),
    (
      "projects/abcdefghijklmnopq/databases//documents/c/a",
      "Document name \"projects/abcdefghijklmnopq/databases//documents/c/a\" lacks a database id at index 37."
    ),
    ("\(root)/c", "Document name \"\(root)/c\" lacks \"/\" at index \(root.count + 2)."),
    (root, "Document name \"\(root)\" lacks \"/\" at index \(root.count)."),
    ("\(root)/", "Document name \"\(root)/\" is invalid: Omit trailing \"/\"."),
    ("\(root)/😀/a/b", "Document name \"\(root)/😀/a/b\" lacks \"/\" at index \(root.count + 7)."),
    ("\(root)/c/.", "Document name \"\(root)/c/.\" contains a resource id \".\" at index 46."),
    ("\(root)/../d", "Document name \"\(root)/../d\" contains a collection id \"..\" at index 44."),
    ("\(root)/c/__x__", "Resource id \"__x__\" is invalid because it is reserved."),
    ("\(root)/c/_____", "Resource id \"_____\" is invalid because it is reserved."),
    ("\(root)/c/__idx__", "Resource id \"__idx__\" is invalid because it is reserved."),
    (
      "\(root)/c/__id99999999999999999999__",
      "Resource id \"__id99999999999999999999__\" is invalid because it is not a 64 bit integer."
    ),
    ("\(root)/__id5__/d", "Collection id \"__id5__\" is invalid because it is reserved."),
    (
      "\(root)/c/" + String(repeating: "é", count: 751),
      "The key path element name is longer than 1500 bytes."
    ),
    (
      "\(root)/" + String(repeating: "a", count: 1501) + "/d",
      "The key path element kind is longer than 1500 bytes."
    ),
    (
      root + String(repeating: "/a/b", count: 101),
      "Key path is too long. Cannot exceed 100 elements."
    ),
    ("projects/Bad_Proj/databases/x/documents/c/a", "Illegal string \"Bad_Proj\" in project."),
    ("projects/p/databases/(default/documents/c/a", "Illegal string \"(default\" in database."),
    ("projects/p/databases/BAD DB/documents/c/a", "Illegal string \"BAD DB\" in database."),
  ]

  @Test(arguments: wrongNames)
  func errors(_ text: String, _ message: String) {
    #expect(throws: FirestoreError(.invalidArgument, message)) { try DocumentName(parsing: text) }
  }

  @Test(arguments: [
    ("(default)", true), ("abcd", true), ("a-1b", true), ("ab--cd", true),
    ("a" + String(repeating: "1", count: 62), true),
    ("a" + String(repeating: "1", count: 63), false),
    ("abcdef01-2345-6789-abcd-ef0123456789", false),
    ("abcdefg1-2345-6789-abcd-ef0123456789", true), ("abc", false), ("Abcd", false),
    ("1abc", false), ("-abc", false), ("abc-", false), ("a_bc", false), ("a.bc", false),
  ])
  func newDatabases(_ id: String, isAllowed: Bool) {
    let name = DatabaseName(project: "p", database: UTF8String(id))
    let result = Result { () throws(FirestoreError) in try name.checkNew() }
    switch result {
    case .success: #expect(isAllowed)
    case .failure(let error): #expect(!isAllowed && error.code == .invalidArgument)
    }
  }

  @Test(arguments: [
    ("foo", "Resource name \"foo\" lacks \"projects\" at index 0."),
    ("/\(root)/c/b", "Database name \"/\(root)/c/b\" lacks \"/\" at index 1."),
    ("\(root)/c", "Resource name \"\(root)/c\" lacks \"/\" at index \(root.count + 2)."),
  ])
  func references(_ text: String, _ message: String) {
    #expect(throws: FirestoreError(.invalidArgument, message)) {
      try DocumentName(parsingReference: text)
    }
  }

  @Test(arguments: [
    ("a/b", "Collection id \"a/b\" is invalid because it contains \"/\"."),
    (".", "Collection id \".\" is invalid because it is reserved."),
    ("__c__", "Collection id \"__c__\" is invalid because it is reserved."),
  ])
  func singleCollections(_ id: String, _ message: String) {
    #expect(throws: FirestoreError(.invalidArgument, message)) {
      try ResourceID.checkSingleCollection(UTF8String(id))
    }
  }

  @Test(arguments: [
    ("a/b", "Resource id \"a/b\" is invalid because it contains \"/\"."),
    ("__a__", "Resource id \"__a__\" is invalid because it is reserved."),
  ])
  func singleDocuments(_ id: String, _ message: String) {
    #expect(throws: FirestoreError(.invalidArgument, message)) {
      try ResourceID.checkSingleDocument(UTF8String(id))
    }
  }

  @Test(arguments: ["__id07__", "__id-0__", "__id+7__", "__id__", "__id9223372036854775808__"])
  func otherSpellingsOfNumbers(_ id: String) {
    #expect(ResourceID.number(UTF8String(id)) == nil)
  }
}
