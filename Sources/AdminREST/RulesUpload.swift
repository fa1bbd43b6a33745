internal import Coding
internal import SecurityRules

/// An upload of rules: `{"rules":{"files":[{"name","content"}]},"ignore_errors"}`.
struct RulesUpload {
  /// More bytes than any ruleset that is deployed has: production takes 256 KiB.
  static let largest = 4 << 20

  struct File {
    var name = ""
    var content = ""
    /// The bucket that the file is for.
    var resource: String?
    /// Whether it has a name and a content.
    var isWhole = false
  }

  /// Of several files only the first counts.
  var files: [File] = []
  /// Whether rules with errors are put in force too.
  var ignoresErrors = false

  /// Other members are passed over.
  init(_ reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "ignore_errors", "ignoreErrors": ignoresErrors = try reader.readBool()
      case "rules":
        try reader.beginObject()
        while let key = try reader.nextKey() {
          if key == "files" {
            files = try Self.files(&reader)
          } else {
            try reader.skipValue()
          }
        }
      default: try reader.skipValue()
      }
    }
    try reader.finish()
  }

  private static func files(_ reader: inout JSONReader) throws(JSONError) -> [File] {
    var files: [File] = []
    try reader.beginArray()
    while try reader.nextElement() {
      var file = File()
      var keys: Set<String> = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        keys.insert(key)
        switch key {
        case "name": file.name = try reader.readString()
        case "content": file.content = try reader.readString()
        case "resource": file.resource = try reader.readString()
        default: try reader.skipValue()
        }
      }
      file.isWhole = keys.isSuperset(of: ["name", "content"])
      files.append(file)
    }
    return files
  }
}

extension Ruleset {
  /// What is in force before anyone sets rules.
  static let open = Ruleset(
    name: "OPEN_RULES",
    content: """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /{document=**} {
            allow read, write: if true;
          }
        }
      }
      """)
}

extension JSONWriter {
  /// Writes the answer that gives the rules back, with the issues of those that have errors.
  mutating func writeRules(_ ruleset: Ruleset) {
    beginObject()
    writeKey("rules")
    writeFiles(of: ruleset)
    if !ruleset.isValid { writeIssues(of: [ruleset]) }
    endObject()
  }

  /// Writes the file as the only one of a list.
  mutating func writeFiles(of ruleset: Ruleset) {
    beginObject()
    writeKey("files")
    beginArray()
    beginObject()
    writeKey("content")
    writeString(ruleset.content)
    writeKey("name")
    writeString(ruleset.name)
    endObject()
    endArray()
    endObject()
  }

  /// Writes the member `issues`, if there are any.
  mutating func writeIssues(of rulesets: [Ruleset]) {
    guard rulesets.contains(where: { !$0.issues.isEmpty }) else { return }
    writeKey("issues")
    beginArray()
    for ruleset in rulesets {
      for issue in ruleset.issues { write(issue, of: ruleset) }
    }
    endArray()
  }

  private mutating func write(_ issue: Issue, of ruleset: Ruleset) {
    beginObject()
    writeKey("description")
    writeString(issue.description)
    writeKey("severity")
    writeString(issue.severity.rawValue)
    writeKey("sourcePosition")
    writePosition(of: issue, in: ruleset)
    endObject()
  }

  /// Numbers that are 0 and a missing name are left out.
  private mutating func writePosition(of issue: Issue, in ruleset: Ruleset) {
    beginObject()
    issue.range?.writeMembers(to: &self)
    if !ruleset.name.isEmpty {
      writeKey("fileName")
      writeString(ruleset.name)
    }
    endObject()
  }
}
