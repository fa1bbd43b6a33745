internal import AdminREST
internal import FirestoreREST
internal import GRPC
internal import HTTPServer
internal import NetIO
internal import Telemetry
internal import WebChannel

/// Hands each request of the one port to the front end that it is for.
struct FrontDoor: HTTPHandler {
  private let grpc: GRPCHandler
  private let pages: CrossOrigin<ContentCoding<Pages>>
  private let channels: CrossOrigin<WebChannelHandler>
  private let logger: Logger

  init(
    grpc: GRPCHandler, rest: RESTHandler, channels: WebChannelHandler, admin: AdminHandler,
    logger: Logger
  ) {
    self.grpc = grpc
    self.channels = CrossOrigin(channels, exposing: WebChannelHandler.exposedFields)
    self.pages = CrossOrigin(ContentCoding(Pages(rest: rest, admin: admin)))
    self.logger = logger
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
    logger.debug(
      "request handled",
      [
        .method: .string(request.method), .path: .string(request.target),
        .durationMicroseconds: .int(Int(WallClock.microseconds - began)),
      ])
  }
}

/// Everything that browsers and other HTTP clients can ask for.
private struct Pages: HTTPHandler {
  let rest: RESTHandler
  let admin: AdminHandler

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
