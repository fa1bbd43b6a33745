/// A function or method of the language, named as its messages name it.
enum Builtin: String, CaseIterable, Sendable {
  case string, int, float, path, debug
  case get, exists, getAfter, existsAfter
  case firestoreGet = "firestore.get"
  case firestoreExists = "firestore.exists"
  case stringSize = "string.size"
  case stringLower = "string.lower"
  case stringUpper = "string.upper"
  case stringTrim = "string.trim"
  case stringMatches = "string.matches"
  case stringReplace = "string.replace"
  case stringSplit = "string.split"
  case stringToUTF8 = "string.toUtf8"
  case bytesSize = "bytes.size"
  case bytesToBase64 = "bytes.toBase64"
  case bytesToHexString = "bytes.toHexString"
  case listSize = "list.size"
  case listConcat = "list.concat"
  case listJoin = "list.join"
  case listHasAll = "list.hasAll"
  case listHasAny = "list.hasAny"
  case listHasOnly = "list.hasOnly"
  case listRemoveAll = "list.removeAll"
  case listToSet = "list.toSet"
  case setSize = "set.size"
  case setHasAll = "set.hasAll"
  case setHasAny = "set.hasAny"
  case setHasOnly = "set.hasOnly"
  case setUnion = "set.union"
  case setIntersection = "set.intersection"
  case setDifference = "set.difference"
  case mapSize = "map.size"
  case mapKeys = "map.keys"
  case mapValues = "map.values"
  case mapGet = "map.get"
  case mapDiff = "map.diff"
  case diffAddedKeys = "map_diff.addedKeys"
  case diffRemovedKeys = "map_diff.removedKeys"
  case diffChangedKeys = "map_diff.changedKeys"
  case diffAffectedKeys = "map_diff.affectedKeys"
  case diffUnchangedKeys = "map_diff.unchangedKeys"
  case pathBind = "path.bind"
  case timestampYear = "timestamp.year"
  case timestampMonth = "timestamp.month"
  case timestampDay = "timestamp.day"
  case timestampHours = "timestamp.hours"
  case timestampMinutes = "timestamp.minutes"
  case timestampSeconds = "timestamp.seconds"
  case timestampNanos = "timestamp.nanos"
  case timestampDayOfWeek = "timestamp.dayOfWeek"
  case timestampDayOfYear = "timestamp.dayOfYear"
  case timestampToMillis = "timestamp.toMillis"
  case timestampDateOf = "timestamp.date()"
  case timestampTime = "timestamp.time"
  case durationSeconds = "duration.seconds"
  case durationNanos = "duration.nanos"
  case latlngLatitude = "latlng.latitude"
  case latlngLongitude = "latlng.longitude"
  case latlngDistance = "latlng.distance"
  case constraintHasAny = "constraint.hasAny"
  case durationValue = "duration.value"
  case durationTime = "duration.time"
  case durationAbs = "duration.abs"
  case timestampDate = "timestamp.date"
  case timestampValue = "timestamp.value"
  case latlngValue = "latlng.value"
  case hashingMD5 = "hashing.md5"
  case hashingSHA256 = "hashing.sha256"
  case hashingCRC32 = "hashing.crc32"
  case hashingCRC32C = "hashing.crc32c"
  case mathAbs = "math.abs"
  case mathCeil = "math.ceil"
  case mathFloor = "math.floor"
  case mathRound = "math.round"
  case mathSqrt = "math.sqrt"
  case mathPow = "math.pow"
  case mathIsNaN = "math.isNaN"
}

/// How a function may be called and what it gives.
struct Signature: Sendable {
  /// The receiver of a method; `nil` for a function.
  var receiver: RulesType?
  /// The types of the arguments, one list for each way to call it. A float takes an integer too.
  var overloads: [[RulesType]]
  /// `nil` if it may be anything.
  var results: [RulesType]?

  /// A function.
  init(_ overloads: [[RulesType]], _ results: RulesType...) {
    self.overloads = overloads
    self.results = results.isEmpty ? nil : results
  }

  /// A method.
  init(_ receiver: RulesType, _ overloads: [[RulesType]], _ results: RulesType...) {
    self.receiver = receiver
    self.overloads = overloads
    self.results = results.isEmpty ? nil : results
  }
}

extension Builtin {
  private static let numbers: [[RulesType]] = [[.int], [.float]]
  private static let bytesOrString: [[RulesType]] = [[.bytes], [.string]]
  private static let listOrSet: [[RulesType]] = [[.list], [.set]]

  /// Of every function and method.
  private static let signatures: [Builtin: Signature] = [
    .string: Signature([[.int], [.float], [.null], [.string], [.bool], [.path]], .string),
    .int: Signature([[.int], [.float], [.string]], .int),
    .float: Signature([[.int], [.float], [.string]], .float),
    .path: Signature([[.string]], .path), .debug: Signature([[.any]]),
    .get: Signature([[.path]]), .getAfter: Signature([[.path]]),
    .firestoreGet: Signature([[.path]]), .exists: Signature([[.path]]),
    .existsAfter: Signature([[.path]]), .firestoreExists: Signature([[.path]]),
    .durationValue: Signature([[.int, .string]], .duration),
    .durationTime: Signature([[.int, .int, .int, .int]], .duration),
    .durationAbs: Signature([[.duration]], .duration),
    .timestampDate: Signature([[.int, .int, .int]], .timestamp),
    .timestampValue: Signature([[.int], [.string]], .timestamp),
    .latlngValue: Signature([[.float, .float]], .latlng),
    .hashingMD5: Signature(bytesOrString, .bytes),
    .hashingSHA256: Signature(bytesOrString, .bytes),
    .hashingCRC32: Signature(bytesOrString, .bytes),
    .hashingCRC32C: Signature(bytesOrString, .bytes),
    .mathAbs: Signature(numbers, .int, .float), .mathCeil: Signature(numbers, .float),
    .mathFloor: Signature(numbers, .float), .mathSqrt: Signature(numbers, .float),
    .mathRound: Signature(numbers, .int), .mathPow: Signature([[.float, .float]], .float),
    .mathIsNaN: Signature(numbers, .bool),
    .stringSize: Signature(.string, [[]], .int), .stringLower: Signature(.string, [[]], .string),
    .stringUpper: Signature(.string, [[]], .string),
    .stringTrim: Signature(.string, [[]], .string),
    .stringMatches: Signature(.string, [[.string]], .bool),
    .stringReplace: Signature(.string, [[.string, .string]], .string),
    .stringSplit: Signature(.string, [[.string]], .list),
    .stringToUTF8: Signature(.string, [[]], .bytes),
    .bytesSize: Signature(.bytes, [[]], .int), .bytesToBase64: Signature(.bytes, [[]], .string),
    .bytesToHexString: Signature(.bytes, [[]], .string),
    .listSize: Signature(.list, [[]], .int), .listConcat: Signature(.list, [[.list]], .list),
    .listJoin: Signature(.list, [[.string]], .string),
    .listHasAll: Signature(.list, [[.list]], .bool),
    .listHasAny: Signature(.list, [[.list]], .bool),
    .listHasOnly: Signature(.list, [[.list]], .bool),
    .listRemoveAll: Signature(.list, [[.list]], .list), .listToSet: Signature(.list, [[]], .set),
    .setSize: Signature(.set, [[]], .int), .setHasAll: Signature(.set, listOrSet, .bool),
    .setHasAny: Signature(.set, listOrSet, .bool), .setHasOnly: Signature(.set, listOrSet, .bool),
    .setUnion: Signature(.set, [[.set]], .set), .setIntersection: Signature(.set, [[.set]], .set),
    .setDifference: Signature(.set, [[.set]], .set),
    .mapSize: Signature(.map, [[]], .int), .mapKeys: Signature(.map, [[]], .list),
    .mapValues: Signature(.map, [[]], .list),
    .mapGet: Signature(.map, [[.string, .any], [.list, .any]]),
    .mapDiff: Signature(.map, [[.map]], .mapDiff),
    .diffAddedKeys: Signature(.mapDiff, [[]], .set),
    .diffRemovedKeys: Signature(.mapDiff, [[]], .set),
    .diffChangedKeys: Signature(.mapDiff, [[]], .set),
    .diffAffectedKeys: Signature(.mapDiff, [[]], .set),
    .diffUnchangedKeys: Signature(.mapDiff, [[]], .set),
    .pathBind: Signature(.path, [[.map]], .path),
    .timestampYear: Signature(.timestamp, [[]], .int),
    .timestampMonth: Signature(.timestamp, [[]], .int),
    .timestampDay: Signature(.timestamp, [[]], .int),
    .timestampHours: Signature(.timestamp, [[]], .int),
    .timestampMinutes: Signature(.timestamp, [[]], .int),
    .timestampSeconds: Signature(.timestamp, [[]], .int),
    .timestampNanos: Signature(.timestamp, [[]], .int),
    .timestampDayOfWeek: Signature(.timestamp, [[]], .int),
    .timestampDayOfYear: Signature(.timestamp, [[]], .int),
    .timestampToMillis: Signature(.timestamp, [[]], .int),
    .timestampDateOf: Signature(.timestamp, [[]], .timestamp),
    .timestampTime: Signature(.timestamp, [[]], .duration),
    .durationSeconds: Signature(.duration, [[]], .int),
    .durationNanos: Signature(.duration, [[]], .int),
    .latlngLatitude: Signature(.latlng, [[]], .float),
    .latlngLongitude: Signature(.latlng, [[]], .float),
    .latlngDistance: Signature(.latlng, [[.latlng]], .float),
    .constraintHasAny: Signature(.constraint, [[.list]], .bool),
  ]

  var signature: Signature { Self.signatures[self] ?? Signature([]) }

  /// The type whose method this is.
  var receiver: RulesType? { signature.receiver }

  /// The name in messages: `list.hasAny`, `math.abs`, `get`.
  var shownName: String {
    self == .timestampDateOf ? "timestamp.date" : rawValue
  }

  /// `f(int), f(float)`
  var expected: String {
    signature.overloads.map { "\(shownName)(\($0.map(\.name).joined(separator: ", ")))" }
      .joined(separator: ", ")
  }

  /// The functions by their names, and the methods of each name.
  static let tables: (functions: [String: Builtin], methods: [String: [Builtin]]) = {
    var functions: [String: Builtin] = [:]
    var methods: [String: [Builtin]] = [:]
    for builtin in allCases {
      if builtin.receiver == nil {
        functions[builtin.rawValue] = builtin
      } else {
        let name = builtin.shownName.split(separator: ".").last.map(String.init) ?? ""
        methods[name, default: []].append(builtin)
      }
    }
    return (functions, methods)
  }()

  /// Functions that read Firestore's documents from its own rules.
  static let lookups: Set<Builtin> = [.get, .exists, .getAfter, .existsAfter]
}

extension RulesType {
  /// Whether a value of `type` may stand where this one is expected.
  func accepts(_ type: RulesType) -> Bool {
    self == .any || self == type || self == .float && type == .int
  }
}

extension BinaryOperator {
  /// The sides that the operator takes, and what it gives.
  var overloads: [(left: RulesType, right: RulesType, result: RulesType)] {
    let numbers: [(left: RulesType, right: RulesType, result: RulesType)] = [
      (.int, .int, .int), (.float, .float, .float),
    ]
    switch self {
    case .add:
      return numbers + [
        (.string, .string, .string), (.duration, .duration, .duration),
        (.duration, .timestamp, .timestamp), (.timestamp, .duration, .timestamp),
      ]
    case .subtract:
      return numbers + [
        (.duration, .duration, .duration), (.timestamp, .duration, .timestamp),
        (.timestamp, .timestamp, .duration),
      ]
    case .multiply, .divide, .remainder:
      return numbers
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let sides: [RulesType] = [.string, .bytes, .int, .float, .duration, .timestamp]
      return sides.map { ($0, $0, .bool) }
        + [(.constraint, .any, .bool), (.any, .constraint, .bool)]
    case .equal, .notEqual, .contained:
      return []
    }
  }
}
