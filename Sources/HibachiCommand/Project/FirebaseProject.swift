import Coding
import Hibachi
import NetIO

/// What the Firebase files of an app, `firebase.json` and `.firebaserc`, say of its emulators.
struct FirebaseProject: Equatable {
  struct Endpoint: Equatable {
    var host: String?
    var port: UInt16?
  }

  /// The folder of `firebase.json`, if that names rules.
  var folder = ""
  /// `projects.default` of `.firebaserc`.
  var identifier: String?
  /// `emulators.firestore` and `emulators.storage`.
  var firestore = Endpoint()
  var storage = Endpoint()
  /// `emulators.singleProjectMode`.
  var isSingleProject = true
  /// `firestore.rules`, `firestore.indexes` and `storage.rules`: paths from the folder of `firebase.json`.
  var firestoreRules: String?
  var firestoreIndexes: String?
  var storageRules: String?

  /// What the user may expect of the files and does not get, a sentence each.
  var warnings: [String] {
    [storageRules].compactMap { $0 }.map {
      "The security rules in \($0) are not enforced: everybody may do everything."
    }
  }

  /// Sets what the files say.
  func apply(to configuration: inout HibachiConfiguration) {
    if let host = firestore.host { configuration.host = host }
    if let port = firestore.port { configuration.port = port }
    if let host = storage.host { configuration.storageHost = host }
    if let port = storage.port { configuration.storagePort = port }
    if isSingleProject, let identifier { configuration.project = identifier }
    if let firestoreRules {
      configuration.rulesFile =
        firestoreRules.hasPrefix("/") ? firestoreRules : folder + firestoreRules
    }
  }

  /// Reads the files of the nearest folder above and including `folder` that has a `firebase.json`; without one there is nothing
  /// to say. `contents` gives the bytes of a file, `nil` if it is missing.
  static func find(
    from folder: String, contents: (String) -> [UInt8]?
  ) throws(UsageError) -> FirebaseProject {
    var project = FirebaseProject()
    var folder = folder
    while true {
      let path = folder == "/" ? "/" : folder + "/"
      if let json = contents(path + "firebase.json") {
        try read(json, "firebase.json") { (reader) throws(JSONError) in
          try reader.readSettings(into: &project)
        }
        if project.firestoreRules != nil { project.folder = path }
        if let json = contents(path + ".firebaserc") {
          try read(json, ".firebaserc") { (reader) throws(JSONError) in
            try reader.readProjects(into: &project)
          }
        }
        return project
      }
      guard let slash = folder.lastIndex(of: "/"), folder != "/" else { return project }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
  }

  private static func read(
    _ json: [UInt8], _ name: String, _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(UsageError) {
    let plain = withoutComments(json)
    var reader = JSONReader(plain.span)
    do throws(JSONError) {
      try body(&reader)
      try reader.finish()
    } catch {
      let line = plain.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
      throw UsageError("\(name) cannot be read: line \(line) is not what it should be.", status: 1)
    }
  }

  /// The same text with blanks for `//` and `/* */`, which Firebase's own tool lets pass.
  static func withoutComments(_ json: [UInt8]) -> [UInt8] {
    enum Place { case outside, string, escape, lineComment, blockComment }
    let slash = UInt8(ascii: "/")
    let star = UInt8(ascii: "*")
    var place = Place.outside
    var result = json
    var index = 0
    while index < json.count {
      let pair = (json[index], index + 1 < json.count ? json[index + 1] : 0)
      var width = 1
      switch (place, pair) {
      case (.outside, (UInt8(ascii: "\""), _)): place = .string
      case (.string, (UInt8(ascii: "\""), _)): place = .outside
      case (.string, (UInt8(ascii: "\\"), _)): place = .escape
      case (.escape, _): place = .string
      case (.outside, (slash, slash)): place = .lineComment
      case (.outside, (slash, star)):
        place = .blockComment
        width = 2
      case (.lineComment, (UInt8(ascii: "\n"), _)): place = .outside
      case (.blockComment, (star, slash)):
        place = .outside
        result[index] = UInt8(ascii: " ")
        result[index + 1] = UInt8(ascii: " ")
        width = 2
      case (.outside, _), (.string, _), (.lineComment, _), (.blockComment, _): break
      }
      if place == .lineComment || place == .blockComment {
        for blank in index..<(index + width) where json[blank] != UInt8(ascii: "\n") {
          result[blank] = UInt8(ascii: " ")
        }
      }
      index += width
    }
    return result
  }
}

extension JSONReader {
  /// Calls `member` with each key of an object, which must read or skip the value. Anything but an object is passed over.
  private mutating func eachMember(
    _ member: (inout JSONReader, String) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .object else { return try skipValue() }
    try beginObject()
    while let key = try nextKey() { try member(&self, key) }
  }

  /// A text; `nil`, passed over, for anything else.
  private mutating func text() throws(JSONError) -> String? {
    if try peek() == .string { return try readString() }
    try skipValue()
    return nil
  }

  fileprivate mutating func readProjects(into project: inout FirebaseProject) throws(JSONError) {
    try eachMember { (reader, key) throws(JSONError) in
      guard key == "projects" else { return try reader.skipValue() }
      try reader.eachMember { (reader, key) throws(JSONError) in
        guard key == "default" else { return try reader.skipValue() }
        project.identifier = try reader.text()
      }
    }
  }

  fileprivate mutating func readSettings(into project: inout FirebaseProject) throws(JSONError) {
    try eachMember { (reader, key) throws(JSONError) in
      switch key {
      case "emulators": try reader.readEmulators(into: &project)
      case "firestore":
        try reader.eachMember { (reader, key) throws(JSONError) in
          switch key {
          case "rules": project.firestoreRules = try reader.text()
          case "indexes": project.firestoreIndexes = try reader.text()
          default: try reader.skipValue()
          }
        }
      case "storage":
        try reader.eachMember { (reader, key) throws(JSONError) in
          guard key == "rules" else { return try reader.skipValue() }
          project.storageRules = try reader.text()
        }
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readEmulators(into project: inout FirebaseProject) throws(JSONError) {
    try eachMember { (reader, key) throws(JSONError) in
      switch key {
      case "firestore": try reader.readEndpoint(into: &project.firestore)
      case "storage": try reader.readEndpoint(into: &project.storage)
      case "singleProjectMode":
        if try reader.peek() == .boolean {
          project.isSingleProject = try reader.readBool()
        } else {
          try reader.skipValue()
        }
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readEndpoint(
    into endpoint: inout FirebaseProject.Endpoint
  ) throws(JSONError) {
    try eachMember { (reader, key) throws(JSONError) in
      switch key {
      case "host": endpoint.host = try reader.text()
      case "port":
        // A number, which some write as a text.
        guard try reader.peek() == .number else {
          endpoint.port = try reader.text().flatMap { UInt16($0) }
          return
        }
        let digits = try reader.readNumber()
        endpoint.port = UInt16(String(decoding: Array(digits), as: UTF8.self))
      default: try reader.skipValue()
      }
    }
  }
}
