internal import Coding

/// One file of a set of rules.
struct RulesFile: Hashable, Sendable {
  var name: String
  var content: String

  /// What is in force before anyone sets rules.
  static let openRules = RulesFile(
    name: "OPEN_RULES",
    content: """
      rules_version = '2';
      service cloud.firestore {
        match /databases/{database}/documents {
          match /{path=**} {
            allow read, write;
          }
        }
      }

      """)
}

extension JSONReader {
  /// Reads the body of an upload, `{"rules":{"files":[{"name","content"}]}}`; other members are passed over.
  mutating func readRulesUpload() throws(JSONError) -> [RulesFile] {
    var files: [RulesFile] = []
    try beginObject()
    while let key = try nextKey() {
      guard key == "rules" else {
        try skipValue()
        continue
      }
      try beginObject()
      while let key = try nextKey() {
        guard key == "files" else {
          try skipValue()
          continue
        }
        files = try readRulesFiles()
      }
    }
    try finish()
    return files
  }

  private mutating func readRulesFiles() throws(JSONError) -> [RulesFile] {
    var files: [RulesFile] = []
    try beginArray()
    while try nextElement() {
      var file = RulesFile(name: "", content: "")
      try beginObject()
      while let key = try nextKey() {
        switch key {
        case "name": file.name = try readString()
        case "content": file.content = try readString()
        default: try skipValue()
        }
      }
      files.append(file)
    }
    return files
  }
}

extension JSONWriter {
  /// Writes the answer that gives the rules back.
  mutating func writeRules(_ files: [RulesFile]) {
    beginObject()
    writeKey("rules")
    beginObject()
    writeKey("files")
    beginArray()
    for file in files {
      beginObject()
      writeKey("content")
      writeString(file.content)
      writeKey("name")
      writeString(file.name)
      endObject()
    }
    endArray()
    endObject()
    endObject()
  }
}
