internal import AdminREST
internal import HTTPServer
internal import NetIO
internal import ObjectStorage
internal import StorageREST
internal import StorageService

/// Hands each request of the storage port to the front end that it is for.
struct StorageDoor: HTTPHandler {
  /// What pages of other origins may read of an answer.
  private static let exposedFields = [
    "Content-Type", "Content-Length", "Content-Range", "Content-Encoding", "Content-Disposition",
    "ETag", "Date", "Last-Modified", "X-Firebase-Storage-Version", "X-Goog-Upload-URL",
    "X-Goog-Upload-Status", "X-Goog-Upload-Size-Received", "X-Goog-Upload-Command",
    "X-Goog-Upload-Chunk-Granularity", "X-Goog-Upload-Control-URL", "X-Goog-Upload-Protocol",
    "X-Goog-Upload-Header-Content-Length", "X-Goog-Upload-Header-Content-Type",
    "X-GUploader-UploadID", "X-GUpload-UploadID", "X-Goog-Hash", "X-Goog-Generation",
    "X-Goog-Metageneration", "X-Goog-Stored-Content-Length", "X-Goog-Stored-Content-Encoding",
    "Location", "Range",
  ]

  private let objects: CrossOrigin<StoragePages>
  private let control: StorageControl
  private let log: RequestLog

  init(
    _ operations: StorageOperations, account: SigningAccount?, rules: StorageRulesHandler,
    control: StorageControl,
    log: RequestLog
  ) {
    let pages = StoragePages(
      rules: rules,
      firebase: StorageHandler(operations) { log.failed($0, $1) },
      cloudStorage: CloudStorageHandler(operations) { log.failed($0, $1) },
      xml: XMLHandler(
        operations, account: account, now: { WallClock.microseconds / 1_000_000 }
      ) { log.failed($0, $1) })
    objects = CrossOrigin(pages, exposing: Self.exposedFields, keptSeconds: 3600)
    self.control = control
    self.log = log
  }

  func handle(_ exchange: HTTPExchange) async {
    let began = WallClock.microseconds
    if exchange.request.target.hasPrefix(StorageControl.prefix) {
      await control.handle(exchange)
    } else {
      await objects.handle(exchange.with(request: control.addressed(exchange.request)))
    }
    log.handled(exchange.request, since: began, mayLast: true)
  }
}

private struct StoragePages: HTTPHandler {
  let rules: StorageRulesHandler
  let firebase: StorageHandler
  let cloudStorage: CloudStorageHandler
  let xml: XMLHandler

  func handle(_ exchange: HTTPExchange) async {
    let path = exchange.request.target.prefix { $0 != "?" }
    if path == "/", ["GET", "HEAD"].contains(exchange.request.method),
      !xml.isAtBucket(exchange.request)
    {
      try? await exchange.response.respond(200, text: "Ok\n")
    } else if StorageRulesHandler.handles(exchange.request) {
      await rules.handle(exchange)
    } else if path == "/v0" || path.hasPrefix("/v0/") || path.hasPrefix("/internal/") {
      await firebase.handle(exchange)
    } else if CloudStorageHandler.handles(exchange.request) {
      await cloudStorage.handle(exchange)
    } else {
      await xml.handle(exchange)
    }
  }
}
