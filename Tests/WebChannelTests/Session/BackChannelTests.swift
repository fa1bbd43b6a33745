import HibachiTesting
import Testing

@testable import WebChannel

@Suite("Back channel")
struct BackChannelTests {
  /// The arrays of pieces: their numbers and what is in them.
  private func arrays(_ bytes: [UInt8]) -> [(id: Int, content: String)] {
    let pieces = ChannelFrameTests.pieces(bytes) ?? []
    return pieces.flatMap { piece in
      piece.matches(of: /\[(\d+),\["?([^"\]]*)"?\]\]/).compactMap { match in
        Int(match.1).map { ($0, String(match.2)) }
      }
    }
  }

  private func channel(_ count: Int, _ limits: ChannelLimits = ChannelLimits()) -> BackChannel {
    var channel = BackChannel(limits, now: .zero)
    for number in 0..<count { channel.append(Array("\(number)".utf8)) }
    return channel
  }

  private func write(
    _ channel: inout BackChannel, _ number: Int, now: Duration = .zero
  ) -> (arrays: [(id: Int, content: String)], isLast: Bool) {
    guard case .write(let bytes, let isLast) = channel.next(number, now: now) else {
      return ([], false)
    }
    return (arrays(bytes), isLast)
  }

  @Test func theFirstBytesComeAtOnce() {
    var channel = channel(0)
    let number = channel.attach(after: 0, .streamed, now: .zero)
    let (written, isLast) = write(&channel, number)
    #expect(written.map(\.content) == ["noop"] && !isLast)
    #expect(channel.next(number, now: .zero) == .wait)
    channel.append(Array("x".utf8))
    #expect(write(&channel, number).arrays.map(\.id) == [2])
  }

  @Test func aPollWaitsAndEndsWithItsFirstPiece() {
    var channel = channel(0)
    let number = channel.attach(after: 0, .polled(hold: .seconds(5)), now: .zero)
    #expect(channel.next(number, now: .zero) == .wait)
    #expect(channel.tick(now: .seconds(4)) == false)
    channel.append(Array("x".utf8))
    let (written, isLast) = write(&channel, number)
    #expect(written.map(\.content) == ["x"] && isLast)
    #expect(channel.next(number, now: .zero) == .end)
    let second = channel.attach(after: 1, .polled(hold: .seconds(5)), now: .seconds(10))
    #expect(channel.tick(now: .seconds(15)) == true)
    #expect(write(&channel, second).arrays.map(\.content) == ["noop"])
  }

  @Test func afterALossEverythingThatWasNotAcknowledgedComesAgain() {
    var channel = channel(5)
    let first = channel.attach(after: 0, .streamed, now: .zero)
    #expect(write(&channel, first).arrays.map(\.id) == [1, 2, 3, 4, 5])
    channel.detach(first, now: .zero)
    for _ in 0..<2 {
      let again = channel.attach(after: 2, .streamed, now: .zero)
      #expect(write(&channel, again).arrays.map(\.content) == ["2", "3", "4"])
    }
  }

  @Test("The newest response wins, and the end of the one before changes nothing")
  func replaced() {
    var channel = channel(0)
    let first = channel.attach(after: 0, .streamed, now: .zero)
    let second = channel.attach(after: 0, .streamed, now: .zero)
    #expect(channel.next(first, now: .zero) == .end)
    channel.detach(first, now: .zero)
    #expect(channel.report.isAttached)
    #expect(write(&channel, second).arrays.map(\.content) == ["noop"])
    channel.detach(second, now: .zero)
    #expect(!channel.report.isAttached)
  }

  @Test("Acknowledgements that are late, early or wild", arguments: [-1, 0, 2, 3, 99, .max])
  func acknowledgements(_ id: Int) {
    var channel = channel(4)
    let first = channel.attach(after: 0, .streamed, now: .zero)
    _ = write(&channel, first)
    channel.acknowledge(2)
    channel.append(Array("unsent".utf8))
    channel.acknowledge(id)
    let expected = Array((min(max(id, 2), 4) + 1)...5)
    let again = channel.attach(after: 0, .streamed, now: .zero)
    #expect(write(&channel, again).arrays.map(\.id) == expected)
    #expect(channel.report.lastSent == 5)
  }

  @Test func answersToPostsTellWhatWasWritten() {
    var channel = channel(2)
    #expect(channel.report == .init(isAttached: false, lastSent: 0, outstandingBytes: 0))
    let number = channel.attach(after: 0, .streamed, now: .zero)
    _ = write(&channel, number)
    channel.append(Array("unsent".utf8))
    #expect(channel.report == .init(isAttached: true, lastSent: 2, outstandingBytes: 14))
    channel.acknowledge(1)
    #expect(channel.report == .init(isAttached: true, lastSent: 2, outstandingBytes: 7))
  }

  @Test func fillersComeInSilenceOnly() {
    var channel = channel(1)
    let number = channel.attach(after: 0, .streamed, now: .zero)
    #expect(channel.tick(now: .seconds(100)) == false, "something is there to be written")
    _ = write(&channel, number, now: .seconds(100))
    #expect(channel.tick(now: .seconds(124)) == false)
    #expect(channel.tick(now: .seconds(125)) == true)
    #expect(
      channel.tick(now: .seconds(200)) == false, "one that the client does not take is enough")
    #expect(write(&channel, number, now: .seconds(200)).arrays.map(\.content) == ["noop"])
  }

  @Test("Responses end after their bytes or their time, so that clients acknowledge")
  func turnover() {
    var limits = ChannelLimits()
    limits.responseBytes = 20
    var channel = channel(3, limits)
    let first = channel.attach(after: 0, .streamed, now: .zero)
    #expect(write(&channel, first).isLast)
    #expect(!channel.report.isAttached)
    let second = channel.attach(after: 3, .streamed, now: .zero)
    #expect(!write(&channel, second).isLast)
    channel.append(Array("x".utf8))
    #expect(write(&channel, second, now: .seconds(300)).isLast)
  }

  @Test func piecesAreBounded() {
    var limits = ChannelLimits()
    limits.pieceBytes = 16
    var channel = channel(5, limits)
    let number = channel.attach(after: 0, .streamed, now: .zero)
    #expect(write(&channel, number).arrays.map(\.id) == [1, 2])
    #expect(write(&channel, number).arrays.map(\.id) == [3, 4])
    channel.append([UInt8](repeating: UInt8(ascii: "x"), count: 100))
    #expect(write(&channel, number).arrays.map(\.id) == [5])
    #expect(write(&channel, number).arrays.map(\.id) == [6], "too large a one goes alone")
  }

  @Test func theServiceWaitsForTheClient() {
    var limits = ChannelLimits()
    limits.keptBytes = 20
    var channel = channel(2, limits)
    #expect(channel.hasRoom)
    channel.append(Array("0".utf8))
    #expect(!channel.hasRoom)
    let number = channel.attach(after: 0, .streamed, now: .zero)
    _ = write(&channel, number)
    #expect(!channel.hasRoom, "written is not arrived")
    channel.acknowledge(1)
    #expect(channel.hasRoom)
  }

  @Test func sessionsThatNobodyAsksForExpire() {
    var channel = channel(0)
    #expect(!channel.isExpired(now: .seconds(119)))
    #expect(channel.isExpired(now: .seconds(120)))
    let number = channel.attach(after: 0, .streamed, now: .seconds(100))
    #expect(!channel.isExpired(now: .seconds(1_000)))
    channel.detach(number, now: .seconds(1_000))
    #expect(!channel.isExpired(now: .seconds(1_119)))
    #expect(channel.isExpired(now: .seconds(1_120)))
    channel.end()
    #expect(channel.isExpired(now: .seconds(1_030)))
  }

  @Test("The last message of a service goes out, then the response ends")
  func end() {
    var channel = channel(0)
    let number = channel.attach(after: 0, .streamed, now: .zero)
    _ = write(&channel, number)
    channel.append(Array("error".utf8))
    channel.end()
    channel.append(Array("late".utf8))
    let (written, isLast) = write(&channel, number)
    #expect(written.map(\.content) == ["error"] && isLast)
    #expect(!channel.isDone)
    channel.acknowledge(2)
    #expect(channel.isDone)
  }

  @Test(
    "An end without a message is told",
    arguments: [.streamed, .polled(hold: .seconds(5))] as [BackChannelMode])
  func close(_ mode: BackChannelMode) {
    var channel = channel(0)
    let number = channel.attach(after: 0, mode, now: .zero)
    if mode == .streamed { _ = write(&channel, number) }
    channel.end()
    if mode == .streamed {
      #expect(channel.next(number, now: .zero) == .end)
    } else {
      #expect(write(&channel, number).arrays.map(\.content) == ["close"])
    }
    let stopped = channel.attach(after: 0, mode, now: .zero)
    #expect(write(&channel, stopped).isLast)
  }

  @Test(
    "Clients that lose responses, repeat and lag get each array once and in order",
    arguments: 0..<300)
  func losses(_ seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var limits = ChannelLimits()
    limits.pieceBytes = generator.int(8...60)
    limits.responseBytes = generator.int(20...200)
    limits.keptBytes = generator.int(40...400)
    let count = generator.int(1...100)
    var channel = BackChannel(limits, now: .zero)
    var made = 0
    var now: Duration = .zero
    var received: [String] = []
    var newest = 0
    var response: Int?
    var mode = BackChannelMode.streamed
    var steps = 0
    while received.count < count, steps < 20_000 {
      steps += 1
      now += .seconds(generator.int(0...10))
      switch generator.int(0...9) {
      case 0...3:
        while made < count, channel.hasRoom, !generator.once(in: 4) {
          channel.append(Array("m\(made)".utf8))
          made += 1
        }
      case 4:
        mode = generator.once(in: 2) ? .streamed : .polled(hold: .seconds(5))
        response = channel.attach(after: newest - (generator.once(in: 4) ? 1 : 0), mode, now: now)
      case 5: channel.acknowledge(newest)
      case 6 where generator.once(in: 3):
        if let number = response { channel.detach(number, now: now) }
        response = nil
      case 7: _ = channel.tick(now: now)
      default:
        guard let number = response,
          case .write(let bytes, let isLast) = channel.next(number, now: now)
        else { continue }
        if isLast { response = nil }
        // The network may swallow a response from any array on; then the client asks again.
        for array in arrays(bytes) {
          if generator.once(in: 12) {
            channel.detach(number, now: now)
            response = nil
            break
          }
          guard array.id > newest else { continue }
          #expect(array.id == newest + 1)
          newest = array.id
          if array.content != "noop" { received.append(array.content) }
        }
      }
    }
    #expect(received == (0..<count).map { "m\($0)" })
  }
}
