internal import AdminREST
internal import FirestoreREST
internal import GRPC
internal import HTTPServer
internal import NetIO
internal import WebChannel

/// Hands each request of the one port to the front end that it is for.
///
/// Like the handlers behind it a reference, since each request would copy a value with all that it refers to.
final class FrontDoor: HTTPHandler {
  private let grpc: GRPCHandler
  private let pages: CrossOrigin<ContentCoding<Pages>>
  private let channels: CrossOrigin<WebChannelHandler>
  private let log: RequestLog

  init(
    grpc: GRPCHandler, rest: RESTHandler, channels: WebChannelHandler, admin: AdminHandler,
    log: RequestLog
  ) {
    self.grpc = grpc
    self.channels = CrossOrigin(channels, exposing: WebChannelHandler.exposedFields)
    self.pages = CrossOrigin(ContentCoding(Pages(rest: rest, admin: admin)))
    self.log = log
  }

  func handle(_ exchange: HTTPExchange) async {
    let began = WallClock.microseconds
    let request = exchange.request
    if GRPCHandler.isCall(request) {
      await grpc.handle(exchange)
    } else if request.target.utf8.starts(with: "/google.firestore.".utf8) {
      await channels.handle(exchange)
    } else {
      await pages.handle(exchange)
    }
    log.handled(request, since: began, mayLast: Self.mayLast(request.target))
  }

  /// Whether a request stays open as long as its client wants: the streams of listening and writing.
  private static func mayLast(_ target: String) -> Bool {
    target.hasSuffix("/Listen") || target.hasSuffix("/Write") || target.contains("/channel")
  }
}

/// Everything that browsers and other HTTP clients can ask for.
private final class Pages: HTTPHandler {
  private let rest: RESTHandler
  private let admin: AdminHandler

  init(rest: RESTHandler, admin: AdminHandler) {
    self.rest = rest
    self.admin = admin
  }

  func handle(_ exchange: HTTPExchange) async {
    let target = exchange.request.target.utf8
    if target.count == 1 || target.starts(with: "/?".utf8), target.first == UInt8(ascii: "/"),
      ["GET", "HEAD"].contains(exchange.request.method)
    {
      try? await exchange.response.respond(200, text: "Ok\n")
    } else if Self.isAdministrative(target) {
      await admin.handle(exchange)
    } else {
      await rest.handle(exchange)
    }
  }

  private static func isAdministrative(_ target: String.UTF8View) -> Bool {
    target.starts(with: "/emulator/".utf8)
      || target.starts(with: "/shutdown".utf8)
        && target.dropFirst("/shutdown".utf8.count).first.map { $0 == UInt8(ascii: "?") } ?? true
  }
}
