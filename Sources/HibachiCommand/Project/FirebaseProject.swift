import Coding
import Hibachi
import NetIO

/// What the Firebase files of an app, `firebase.json` and `.firebaserc`, say of its emulators.
struct FirebaseProject: Equatable {
  struct Endpoint: Equatable {
    var host: String?
    var port: UInt16?
  }

  /// Rules of Cloud Storage: for all buckets, for one, or for those of a target.
  struct StorageRules: Equatable {
    var path: String?
    var bucket: String?
    var target: String?
  }

  /// Rules of one database of Firestore, or of those of a target.
  struct DatabaseRules: Equatable {
    var path: String?
    var database: String?
    var target: String?
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
  /// `firestore.rules`, `firestore.indexes`: paths from the folder of `firebase.json`.
  var firestoreRules: String?
  var firestoreIndexes: String?
  /// `firestore`, if it is a list.
  var databaseRules: [DatabaseRules] = []
  /// `storage`, an object or a list of them.
  var storageRules: [StorageRules] = []
  /// `targets` of `.firebaserc`: by project, the databases and the buckets that targets stand for.
  var firestoreTargets: [String: [String: [String]]] = [:]
  var storageTargets: [String: [String: [String]]] = [:]

  /// Sets what the files say, but for rules that may be for targets.
  func apply(to configuration: inout HibachiConfiguration) {
    if let host = firestore.host { configuration.host = host }
    if let port = firestore.port { configuration.port = port }
    if let host = storage.host { configuration.storageHost = host }
    if let port = storage.port { configuration.storagePort = port }
    if isSingleProject, let identifier { configuration.project = identifier }
    if let firestoreRules { configuration.rulesFile = whole(firestoreRules) }
  }

  /// Sets what the files say of rules of databases and buckets; what targets are depends on the project, which must be known by now.
  ///
  /// - Throws: if a target stands for nothing, unless the project is only a demonstration, as Firebase's own tool does.
  func applyTargets(to configuration: inout HibachiConfiguration) throws(UsageError) {
    let name = configuration.project ?? identifier
    if configuration.rulesFile == nil {
      let targets = name.flatMap { firestoreTargets[$0] } ?? [:]
      for rules in databaseRules {
        guard let path = rules.path.map(whole) else { continue }
        if let target = rules.target {
          let databases = try members(of: target, targets, "databases", name)
          for database in databases { configuration.databaseRules[database] = path }
        } else if let database = rules.database {
          configuration.databaseRules[database] = path
        }
      }
    }
    if configuration.storageRules == nil, configuration.storagePort != nil {
      configuration.storageRules = try rulesOfBuckets(name)
    }
  }

  /// Everything is allowed if a target of a demonstration stands for nothing.
  private func rulesOfBuckets(
    _ name: String?
  ) throws(UsageError) -> HibachiConfiguration.StorageRules? {
    let targets = name.flatMap { storageTargets[$0] } ?? [:]
    var files: [String: String] = [:]
    for rules in storageRules {
      guard let path = rules.path.map(whole) else { continue }
      if let bucket = rules.bucket {
        files[bucket] = path
      } else if let target = rules.target {
        let buckets = try members(of: target, targets, "buckets", name)
        guard !buckets.isEmpty else { return nil }
        for bucket in buckets { files[bucket] = path }
      } else {
        return .file(path)
      }
    }
    return files.isEmpty ? nil : .files(files)
  }

  private func members(
    of target: String, _ targets: [String: [String]], _ kind: String, _ project: String?
  ) throws(UsageError) -> [String] {
    if let members = targets[target], !members.isEmpty { return members }
    guard let project, !project.hasPrefix("demo-") else { return [] }
    throw UsageError(
      "firebase.json has rules for the target \"\(target)\", for which .firebaserc names no \(kind) of the project \(project).",
      status: 1)
  }

  private func whole(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }

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
        let hasRules =
          project.firestoreRules != nil || !project.databaseRules.isEmpty
          || !project.storageRules.isEmpty
        if hasRules { project.folder = path }
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
      switch key {
      case "projects":
        try reader.eachMember { (reader, key) throws(JSONError) in
          guard key == "default" else { return try reader.skipValue() }
          project.identifier = try reader.text()
        }
      case "targets":
        try reader.eachMember { (reader, name) throws(JSONError) in
          try reader.eachMember { (reader, key) throws(JSONError) in
            switch key {
            case "storage": project.storageTargets[name] = try reader.targets()
            case "firestore": project.firestoreTargets[name] = try reader.targets()
            default: try reader.skipValue()
            }
          }
        }
      default: try reader.skipValue()
      }
    }
  }

  /// Names of targets, each with a list of texts.
  private mutating func targets() throws(JSONError) -> [String: [String]] {
    var targets: [String: [String]] = [:]
    try eachMember { (reader, target) throws(JSONError) in
      try reader.eachElement { (reader) throws(JSONError) in
        if let bucket = try reader.text() { targets[target, default: []].append(bucket) }
      }
    }
    return targets
  }

  /// Calls `element` at each element of a list, which must read or skip it. Anything but a list is passed over.
  private mutating func eachElement(
    _ element: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try peek() == .array else { return try skipValue() }
    try beginArray()
    while try nextElement() { try element(&self) }
  }

  fileprivate mutating func readSettings(into project: inout FirebaseProject) throws(JSONError) {
    try eachMember { (reader, key) throws(JSONError) in
      switch key {
      case "emulators": try reader.readEmulators(into: &project)
      case "firestore":
        if try reader.peek() == .array {
          try reader.eachElement { (reader) throws(JSONError) in
            try reader.readDatabaseRules(into: &project)
          }
        } else {
          try reader.eachMember { (reader, key) throws(JSONError) in
            switch key {
            case "rules": project.firestoreRules = try reader.text()
            case "indexes": project.firestoreIndexes = try reader.text()
            default: try reader.skipValue()
            }
          }
        }
      case "storage":
        if try reader.peek() == .array {
          try reader.eachElement { (reader) throws(JSONError) in
            try reader.readStorageRules(into: &project)
          }
        } else {
          try reader.readStorageRules(into: &project)
        }
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readDatabaseRules(into project: inout FirebaseProject) throws(JSONError) {
    var rules = FirebaseProject.DatabaseRules()
    try eachMember { (reader, key) throws(JSONError) in
      switch key {
      case "rules": rules.path = try reader.text()
      case "database": rules.database = try reader.text()
      case "target": rules.target = try reader.text()
      default: try reader.skipValue()
      }
    }
    if rules.path != nil { project.databaseRules.append(rules) }
  }

  private mutating func readStorageRules(into project: inout FirebaseProject) throws(JSONError) {
    var rules = FirebaseProject.StorageRules()
    try eachMember { (reader, key) throws(JSONError) in
      switch key {
      case "rules": rules.path = try reader.text()
      case "bucket": rules.bucket = try reader.text()
      case "target": rules.target = try reader.text()
      default: try reader.skipValue()
      }
    }
    if rules.path != nil { project.storageRules.append(rules) }
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
