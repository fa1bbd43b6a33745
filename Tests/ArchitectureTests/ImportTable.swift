/// What each target may import of this package: the table of the design, nothing more.
enum ImportTable {
  private static let wire: Set<String> = ["FirestoreProtocol", "FirestoreModel", "Coding"]
  private static let domain: Set<String> = ["FirestoreEngine", "FirestoreModel", "KeyValue"]

  static let allowed: [String: Set<String>] = [
    // Leaves
    "Coding": ["CCrypto", "CPlatform"],
    "Telemetry": [],
    "Threading": ["CThreads"],
    "SQLite": ["CSQLite"],
    "Compression": ["CZlib"],
    // Network
    "NetIO": ["CUV"],
    "HTTPServer": ["NetIO", "Coding", "Compression", "Telemetry", "CNGHTTP2"],
    "GRPC": ["HTTPServer", "Coding", "Compression"],
    "WebChannel": ["HTTPServer", "NetIO", "Coding"],
    // Domain
    "FirestoreModel": ["Coding"],
    "KeyValue": [],
    "FirestoreEngine": ["FirestoreModel", "KeyValue", "Coding"],
    "FirestoreListen": ["FirestoreEngine", "FirestoreModel", "Coding"],
    "SecurityRules": ["Coding", "Threading", "CRE2"],
    "ObjectStorage": ["KeyValue", "Coding"],
    // Adapter
    "KeyValueSQLite": ["SQLite", "KeyValue"],
    // Use cases
    "FirestoreService": domain.union([
      "FirestoreListen", "SecurityRules", "Coding", "Threading",
    ]),
    "StorageService": ["ObjectStorage", "SecurityRules", "KeyValue", "Coding"],
    // Wire, and the calls of the v1 API that the front ends share
    "FirestoreProtocol": ["Coding", "FirestoreModel"],
    "FirestoreAPI": wire.union(["FirestoreService", "FirestoreListen", "Threading"]),
    // Front ends
    "FirestoreGRPC": wire.union(["GRPC", "HTTPServer", "FirestoreAPI", "FirestoreService"]),
    "FirestoreREST": wire.union(["HTTPServer", "FirestoreAPI", "FirestoreService"]),
    "FirestoreWebChannel": wire.union([
      "WebChannel", "HTTPServer", "FirestoreAPI", "FirestoreService",
    ]),
    "StorageREST": ["HTTPServer", "StorageService", "ObjectStorage", "Compression", "Coding"],
    "AdminREST": wire.union([
      "HTTPServer", "FirestoreService", "StorageService", "SecurityRules", "Telemetry",
    ]),
    // Root: everything but the executables and what only an adapter may see
    "Hibachi": wire.union(domain).union([
      "AdminREST", "FirestoreREST", "FirestoreGRPC", "FirestoreWebChannel", "StorageREST",
      "FirestoreAPI", "FirestoreService", "StorageService", "FirestoreListen", "SecurityRules",
      "ObjectStorage", "KeyValueSQLite", "GRPC", "WebChannel", "HTTPServer", "NetIO", "Telemetry",
    ]),
    // Executables
    "HibachiCommand": ["Hibachi", "NetIO", "Coding"],
    "HibachiBench": ["Hibachi"],
    "Protogen": ["Coding"],
  ]

  /// Modules of the toolchain that any target may import.
  static let toolchain: Set<String> = ["Swift", "Synchronization"]

  /// Targets that may talk to the C library of the system: the edges of the process.
  static let system: [String: Set<String>] = [
    "NetIO": ["Glibc", "Darwin", "Musl"],
    "SQLite": ["Glibc", "Darwin", "Musl"],
    "KeyValueSQLite": ["Glibc", "Darwin", "Musl"],
    "HibachiCommand": ["Glibc", "Darwin", "Musl"],
    "HibachiBench": ["Glibc", "Darwin", "Musl"],
    "Protogen": ["Glibc", "Darwin", "Musl"],
  ]

  /// Whether `target` may import `module`.
  static func allows(_ module: String, in target: String) -> Bool {
    toolchain.contains(module) || allowed[target]?.contains(module) == true
      || system[target]?.contains(module) == true
  }
}
