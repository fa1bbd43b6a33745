import Foundation
import Hibachi

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The path of the default database of a project.
let documents = "/v1/projects/p/databases/(default)/documents"

/// An answer over HTTP.
struct Answer {
  var status: Int
  var text: String
  fileprivate var response: HTTPURLResponse

  /// The text as JSON; `NSNull` if it is none.
  var json: Any {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
      ?? NSNull()
  }

  func field(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }

  /// The member of an object that is the answer.
  subscript(_ name: String) -> Any? { (json as? [String: Any])?[name] }
}

/// Runs `body` with an emulator on a free port, and stops that in the end.
func withEmulator(
  _ change: (inout HibachiConfiguration) -> Void = { _ in },
  _ body: (Emulator) async throws -> Void
) async throws {
  var configuration = HibachiConfiguration()
  configuration.port = 0
  configuration.storagePort = 0
  configuration.logLevel = .error
  change(&configuration)
  let emulator = Emulator(configuration)
  try await emulator.start()
  try await stop(emulator, after: body)
}

/// Runs `body` with an emulator that serves, and stops that in the end.
func stop(_ emulator: Emulator, after body: (Emulator) async throws -> Void) async throws {
  do {
    try await body(emulator)
  } catch {
    await emulator.stop()
    throw error
  }
  await emulator.stop()
}

/// What an administrator sends; some calls are for nobody else.
let owner = ["Authorization": "Bearer owner"]

func send(
  _ method: String, _ path: String, to emulator: Emulator, fields: [String: String] = [:],
  body: String? = nil
) async throws -> Answer {
  guard let url = URL(string: "http://\(emulator.address)\(path)") else {
    throw URLError(.badURL)
  }
  var request = URLRequest(url: url)
  request.httpMethod = method
  request.httpBody = body.map { Data($0.utf8) }
  if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
  for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
  let (data, response) = try await URLSession.shared.data(for: request)
  guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
  return Answer(
    status: answer.statusCode, text: String(decoding: data, as: UTF8.self), response: answer)
}
