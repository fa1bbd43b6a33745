/// What `X-Goog-Upload-Command` asks for.
struct UploadCommand: Hashable {
  var isStart = false
  var isUpload = false
  var isFinalize = false
  var isQuery = false
  var isCancel = false

  init(isStart: Bool) {
    self.isStart = isStart
  }

  /// Words separated by commas, in any case. Those that are unknown mean nothing.
  init(_ text: String) {
    for word in text.split(separator: ",") {
      switch word.trimmed.lowercased() {
      case "start": isStart = true
      case "upload": isUpload = true
      case "finalize": isFinalize = true
      case "query": isQuery = true
      case "cancel": isCancel = true
      default: break
      }
    }
  }
}
