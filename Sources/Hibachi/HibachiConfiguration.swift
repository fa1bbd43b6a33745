/// How an emulator is set up. The defaults are those of `hibachi start`, but for the documents, which stay in memory.
public struct HibachiConfiguration: Hashable, Sendable {
  /// Where documents are kept.
  public enum Storage: Hashable, Sendable {
    /// Nowhere: they end with the process.
    case memory
    /// In a folder, which is made if it is missing.
    case folder(String, Durability)
  }

  /// What a commit that was answered survives.
  public enum Durability: String, CaseIterable, Sendable {
    /// The end of the process.
    case normal
    /// A power cut too, at one `fsync` for each group of commits.
    case full
  }

  /// When queries get indexes; the answers are the same.
  public enum Indexes: String, CaseIterable, Sendable {
    /// Once they pay.
    case adaptive
    /// Every query builds those that serve it first; for tests.
    case always
    /// Never: every query goes over its collection.
    case never
  }

  /// Whose ways Cloud Storage has where those of others differ.
  public enum StorageStyle: Hashable, Sendable {
    /// The official emulator's: an upload makes the bucket that it names.
    case firebase
    /// Those of fake-gcs-server: buckets are made by themselves alone, and go with all generations that are not current.
    case fakeGCSServer
  }

  /// The least that is logged.
  public enum LogLevel: String, CaseIterable, Sendable {
    case trace, debug, info, warning, error
  }

  /// How log lines are written to standard error.
  public enum LogFormat: String, CaseIterable, Sendable {
    case text, json
  }

  /// How transactions are kept apart that do not say it themselves.
  public enum Concurrency: String, CaseIterable, Sendable {
    /// What a transaction has read is locked, as in production.
    case pessimistic
    /// Nothing is locked; a commit fails if what its transaction has read has changed.
    case optimistic
  }

  /// Whether the limits of production hold that the official emulator does not have.
  public enum Limits: String, CaseIterable, Sendable {
    case on, off
  }

  /// Where the security rules of Cloud Storage are.
  public enum StorageRules: Hashable, Sendable {
    /// A file for all buckets.
    case file(String)
    /// A file for each of some buckets; requests for others are refused.
    case files([String: String])
  }

  /// An address or a name; only this machine can reach the default.
  public var host = "127.0.0.1"
  /// 0 takes any free port.
  public var port: UInt16 = 8080
  /// The port of Cloud Storage; 0 takes any free port, `nil` leaves Cloud Storage out.
  public var storagePort: UInt16? = 9199
  /// The address of Cloud Storage where it differs from `host`.
  public var storageHost: String?
  public var storageStyle = StorageStyle.firebase
  /// Where clients are told that Cloud Storage is, `http://HOST:PORT`; `nil` tells them what they themselves say.
  public var storageURL: String?
  /// The key of a service account, as Google gives it out in JSON: its signatures of URLs and policies are the ones that count. `nil`
  /// takes any.
  public var storageKeyFile: String?
  /// A folder whose folders are buckets from the start, and the files in those objects.
  public var storageSeed: String?
  /// The project that requests are expected to name. `nil` expects none.
  public var project: String?
  /// Refuses requests for another project than `project`; else they are served, and the first for each is warned of.
  public var refusesOtherProjects = false
  public var storage = Storage.memory
  public var indexes = Indexes.adaptive
  /// How long old states of documents can be read.
  public var retention = Duration.seconds(3_600)
  public var concurrency = Concurrency.pessimistic
  /// How long the first transaction in the line for a document waits before it shares it with the one that holds it.
  public var lockGrace = Duration.milliseconds(200)
  /// How long a transaction that holds a lock may be idle while others wait.
  public var lockWait = Duration.seconds(2)
  public var limits = Limits.on
  /// A file of security rules of Firestore that are in force from the start, for all databases; `nil` allows everything until
  /// somebody sets rules.
  public var rulesFile: String?
  /// Files of rules for single databases by their ids, such as `(default)`; a database with neither this nor `rulesFile` allows
  /// everything.
  public var databaseRules: [String: String] = [:]
  /// The same for Cloud Storage.
  public var storageRules: StorageRules?
  /// Origins of pages that may use the control endpoints, beside loopback ones: `https://app.example`.
  public var allowedOrigins: [String] = []
  public var logLevel = LogLevel.info
  public var logFormat = LogFormat.text

  public init() {}

  /// On free ports of this machine, with everything in memory, and quiet: for one test or one run of a test suite.
  public static var ephemeral: HibachiConfiguration {
    var configuration = HibachiConfiguration()
    configuration.port = 0
    configuration.storagePort = 0
    configuration.logLevel = .warning
    return configuration
  }
}
