// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
  ] + (Context.environment["HIBACHI_STRICT"] == "1" ? [.treatAllWarnings(as: .error)] : [])

#if os(Linux)
  let libuv = "libuv-static"  // Debian's archive is libuv_a, and only this name says so
  let re2: String? = nil  // Debian's description asks for flags that SwiftPM refuses
#else
  let libuv = "libuv"
  let re2: String? = "re2"
#endif

func library(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func executable(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: settings,
    linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))])
}

func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "hibachi",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "Hibachi", targets: ["Hibachi"]),
    .executable(name: "hibachi", targets: ["HibachiCommand"]),
    .executable(name: "hibachi-bench", targets: ["HibachiBench"]),
  ],
  targets: [
    // C
    .systemLibrary(
      name: "CUV", pkgConfig: libuv, providers: [.apt(["libuv1-dev"]), .brew(["libuv"])]),
    .systemLibrary(
      name: "CNGHTTP2", pkgConfig: "libnghttp2",
      providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "RE2", pkgConfig: re2, providers: [.apt(["libre2-dev"]), .brew(["re2"])]),
    .target(
      name: "CRE2", dependencies: ["RE2"],
      linkerSettings: [
        .linkedLibrary("re2", .when(platforms: [.linux])),
        .linkedLibrary("stdc++", .when(platforms: [.linux])),
        .linkedLibrary("c++", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "CPlatform", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    .target(name: "CThreads"),
    // Leaves
    library("Coding", "CCrypto", "CPlatform"),
    library("Compression", "CZlib"),
    library("Telemetry"),
    library("Threading", "CThreads"),
    library("SQLite", "CSQLite"),
    // Network
    library("NetIO", "CUV"),
    library("HTTPServer", "NetIO", "Coding", "Compression", "Telemetry", "CNGHTTP2"),
    library("GRPC", "HTTPServer", "Coding", "Compression"),
    library("WebChannel", "HTTPServer", "NetIO", "Coding"),
    // Domain
    library("FirestoreModel", "Coding"),
    library("KeyValue"),
    library("FirestoreEngine", "FirestoreModel", "KeyValue", "Coding"),
    library("FirestoreListen", "FirestoreEngine", "FirestoreModel", "Coding"),
    library("SecurityRules", "Coding", "Threading", "CRE2"),
    library("ObjectStorage", "KeyValue", "Coding"),
    // Adapter
    library("KeyValueSQLite", "SQLite", "KeyValue"),
    // Use case
    library(
      "FirestoreService", "FirestoreListen", "FirestoreEngine", "FirestoreModel",
      "SecurityRules", "Coding", "Threading"),
    library("StorageService", "ObjectStorage", "SecurityRules", "Coding"),
    // Wire
    library("FirestoreProtocol", "Coding", "FirestoreModel"),
    library(
      "FirestoreAPI", "FirestoreProtocol", "FirestoreService", "FirestoreListen",
      "FirestoreModel", "Coding", "Threading"),
    // Front ends
    library(
      "FirestoreGRPC", "GRPC", "HTTPServer", "FirestoreAPI", "FirestoreService",
      "FirestoreProtocol", "FirestoreModel", "Coding"),
    library(
      "FirestoreREST", "HTTPServer", "FirestoreAPI", "FirestoreService", "FirestoreProtocol",
      "FirestoreModel", "Coding"),
    library(
      "FirestoreWebChannel", "WebChannel", "HTTPServer", "FirestoreAPI", "FirestoreService",
      "FirestoreProtocol", "FirestoreModel", "Coding"),
    library(
      "StorageREST", "HTTPServer", "StorageService", "ObjectStorage", "Compression", "Coding"),
    library(
      "AdminREST", "HTTPServer", "FirestoreService", "FirestoreProtocol", "FirestoreModel",
      "StorageService", "SecurityRules", "Coding", "Telemetry"),
    // Root
    library(
      "Hibachi", "AdminREST", "FirestoreREST", "FirestoreGRPC", "FirestoreWebChannel",
      "FirestoreAPI", "FirestoreService", "WebChannel",
      "FirestoreListen", "FirestoreProtocol", "FirestoreEngine", "FirestoreModel", "StorageREST",
      "StorageService", "SecurityRules", "ObjectStorage", "KeyValue", "KeyValueSQLite", "GRPC",
      "HTTPServer",
      "NetIO", "Telemetry", "Coding"),
    // Executables
    executable("HibachiCommand", "Hibachi", "NetIO", "Coding"),
    executable("HibachiBench"),
    .executableTarget(
      name: "Protogen", dependencies: ["Coding"], exclude: ["Schema", "regenerate"],
      swiftSettings: settings),
    // Tests
    tests("CodingTests", "Coding", "CPlatform", "HibachiTesting"),
    tests(
      "FirestoreProtocolTests", "HibachiTesting", "FirestoreProtocol", "FirestoreModel", "Coding"),
    tests("ArchitectureTests"),
    tests("ThreadingTests", "Threading"),
    tests("CompressionTests", "Compression", "HibachiTesting"),
    tests("NetIOTests", "NetIO"),
    tests(
      "HTTPServerTests", "HTTPServer", "NetIO", "CNGHTTP2", "Compression", "HibachiTesting"),
    tests("WebChannelTests", "WebChannel", "HTTPServer", "Coding", "HibachiTesting"),
    tests("FirestoreWebChannelTests", "Hibachi", "HibachiTesting"),
    tests("GRPCTests", "GRPC", "HTTPServer", "Coding", "Compression"),
    tests("FirestoreModelTests", "FirestoreModel", "Coding"),
    tests("ConformanceTests", "Hibachi"),
    tests("TelemetryTests", "Telemetry"),
    .target(
      name: "HibachiTesting", dependencies: ["KeyValue"], path: "Tests/HibachiTesting",
      swiftSettings: settings),
    tests("KeyValueTests", "KeyValue", "HibachiTesting"),
    tests(
      "FirestoreEngineTests", "FirestoreEngine", "FirestoreModel", "KeyValue", "KeyValueSQLite",
      "Coding", "HibachiTesting"),
    tests(
      "FirestoreServiceTests", "FirestoreService", "FirestoreListen", "FirestoreEngine",
      "FirestoreModel", "SecurityRules", "KeyValue", "KeyValueSQLite", "Coding", "HibachiTesting"),
    tests(
      "FirestoreListenTests", "FirestoreListen", "FirestoreEngine", "FirestoreModel", "KeyValue",
      "Coding", "HibachiTesting"),
    tests("SecurityRulesTests", "SecurityRules", "Coding", "HibachiTesting"),
    tests("ObjectStorageTests", "ObjectStorage", "KeyValue", "Coding"),
    tests("KeyValueSQLiteTests", "KeyValueSQLite", "KeyValue", "HibachiTesting"),
    tests("SQLiteTests", "SQLite"),
    tests(
      "FirestoreAPITests", "FirestoreAPI", "FirestoreService", "FirestoreProtocol",
      "FirestoreListen", "FirestoreModel", "Coding"),
    tests(
      "FirestoreRESTTests", "FirestoreREST", "FirestoreProtocol", "FirestoreModel", "HTTPServer",
      "Coding"),
    tests("AdminRESTTests", "AdminREST", "HTTPServer"),
    tests("StorageRESTTests", "Hibachi", "Compression", "HibachiTesting"),
    tests(
      "HibachiTests", "Hibachi", "FirestoreEngine", "FirestoreModel", "KeyValueSQLite", "KeyValue",
      "Coding", "HibachiTesting"),
    tests("HibachiCommandTests", "HibachiCommand", "Hibachi"),
  ],
  cxxLanguageStandard: .cxx17
)
