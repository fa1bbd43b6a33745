import Coding
import NetIO

/// Deletes all documents of a database.
nonisolated func clear(_ location: ServerLocation, _ database: String) async throws {
  guard let project = location.project else {
    throw UsageError("clear needs --project ID: neither .firebaserc nor GCLOUD_PROJECT names one.")
  }
  let path = [project, database].map { PercentCoding.encode($0) }
  let answer = try await ask(
    "DELETE", "/emulator/v1/projects/\(path[0])/databases/\(path[1])/documents", location)
  guard answer.status == 200 else {
    let text = String(decoding: answer.body, as: UTF8.self)
    throw UsageError("The server refused: \(text)", status: 1)
  }
}

/// Prints what a running server says of itself.
nonisolated func status(_ location: ServerLocation) async throws {
  let answer = try await ask("GET", "/emulator/v1/status", location)
  guard answer.status == 200 else {
    throw UsageError(
      "What listens at \(location.host):\(location.port) is no Hibachi.", status: 1)
  }
  StandardStream.output.write(String(decoding: answer.body, as: UTF8.self))
}

/// Ends without a word if a server answers.
nonisolated func healthcheck(_ location: ServerLocation) async throws {
  let answer = try await ask("GET", "/", location)
  guard answer.status == 200 else {
    throw UsageError("The server answered \(answer.status).", status: 1)
  }
}

nonisolated private func ask(
  _ method: String, _ path: String, _ location: ServerLocation
) async throws(UsageError) -> ControlClient.Answer {
  do throws(NetIOError) {
    return try await ControlClient.send(method, path, to: location)
  } catch {
    throw UsageError(
      "No server answers at \(location.host):\(location.port): \(error.message).", status: 1)
  }
}
