import Foundation
import Testing

/// Recorded and own cases, played over HTTP/1.1.
@Suite("Conformance")
struct ConformanceTests {
  static let suite = ConformanceSuite.shared

  /// Cases wait for sockets, so they run on threads that no task needs, a few at a time.
  private static let threads: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 8
    return queue
  }()

  static func play(_ played: ConformanceCase, _ place: Place) async throws -> [String] {
    let subject = try await Subject.shared(place)
    return await withCheckedContinuation { continuation in
      threads.addOperation {
        continuation.resume(returning: Player.play(played, to: subject))
      }
    }
  }

  private func record(_ differences: [String]) {
    for difference in differences { Issue.record(Comment(rawValue: difference)) }
  }

  @Test("answers as recorded", arguments: suite.recorded, Subject.places)
  func recorded(_ played: ConformanceCase, _ place: Place) async throws {
    record(try await Self.play(played, place))
  }

  @Test(
    "open cases still differ; one that passes is to be taken from the list",
    arguments: suite.open, Subject.places)
  func stillOpen(_ played: ConformanceCase, _ place: Place) async throws {
    #expect(!(try await Self.play(played, place)).isEmpty)
  }

  @Test(
    "answers as documented", .enabled(if: Subject.external == nil),
    arguments: suite.ours, Subject.places)
  func ours(_ played: ConformanceCase, _ place: Place) async throws {
    record(try await Self.play(played, place))
  }

  @Test(
    "every recorded defect is listed and has a right answer",
    arguments: suite.all.filter { $0.quirk != nil })
  func defects(_ played: ConformanceCase) {
    #expect(Self.suite.divergences.contains(played.name), "no line in divergences.md")
  }

  @Test("every difference has a case of ours", arguments: suite.divergences.sorted())
  func differences(_ name: String) {
    #expect(
      (Self.suite.ours + Self.suite.open).contains { $0.name == name && $0.file == "ours.json" },
      "no case in ours.json")
  }
}
