extension HTTPResponseWriter {
  /// Answers with a short plain text. The official emulator gives these no content type; neither do we.
  package func respond(_ status: Int, text: String) async throws(HTTPStreamError) {
    try await respond(HTTPResponseHead(status: status), body: Array(text.utf8))
  }

  /// Answers that there is nothing at this path.
  package func respondNotFound() async throws(HTTPStreamError) {
    try await respond(404, text: "Not Found\n")
  }
}
