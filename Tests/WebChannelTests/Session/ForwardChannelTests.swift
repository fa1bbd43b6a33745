import HibachiTesting
import Testing

@testable import WebChannel

@Suite("Forward channel")
struct ForwardChannelTests {
  private func message(_ id: Int) -> ChannelForm.Message {
    ChannelForm.Message(id: id, bytes: Array("\(id)".utf8))
  }

  private func takeAll(_ channel: inout ForwardChannel) -> [Int] {
    var taken: [Int] = []
    while let bytes = channel.take() {
      taken.append(Int(String(decoding: bytes, as: UTF8.self)) ?? -1)
    }
    return taken
  }

  @Test func aRepeatedRequestWithOneMoreMessage() {
    var channel = ForwardChannel(ChannelLimits())
    #expect(channel.receive([message(0), message(1)]) == .received)
    #expect(channel.receive([message(0), message(1), message(2)]) == .received)
    #expect(takeAll(&channel) == [0, 1, 2])
    #expect(channel.receive([message(1)]) == .received)
    #expect(takeAll(&channel) == [])
  }

  @Test func aMessageThatTheClientCouldNotWriteLeavesNoGap() {
    var channel = ForwardChannel(ChannelLimits())
    #expect(channel.receive([message(2)]) == .received)
    #expect(takeAll(&channel) == [])
    #expect(channel.receive([message(0), .init(id: 1, bytes: nil)]) == .received)
    #expect(takeAll(&channel) == [0, 2])
  }

  @Test("Messages whose turn never comes end the session")
  func overflow() {
    var limits = ChannelLimits()
    limits.parkedMessages = 3
    limits.parkedBytes = 1_000
    var many = ForwardChannel(limits)
    #expect(many.receive((1...3).map(message)) == .received)
    #expect(many.receive([message(4)]) == .overflow)
    var large = ForwardChannel(limits)
    #expect(large.receive([.init(id: 5, bytes: [UInt8](repeating: 0, count: 1_001))]) == .overflow)
  }

  @Test("A service that takes nothing leaves no room")
  func room() {
    var limits = ChannelLimits()
    limits.waitingMessages = 2
    var channel = ForwardChannel(limits)
    _ = channel.receive([message(0)])
    #expect(channel.hasRoom)
    _ = channel.receive([message(1)])
    #expect(!channel.hasRoom)
    _ = channel.take()
    #expect(channel.hasRoom)
  }

  @Test("Requests that are split, repeated, reordered", arguments: 0..<200)
  func anyOrder(_ seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let count = generator.int(1...60)
    // A client keeps what was not answered and adds to it when it tries again.
    var requests: [[ChannelForm.Message]] = []
    var next = 0
    while next < count {
      let end = min(count, next + generator.int(1...8))
      let start = max(0, next - (generator.once(in: 3) ? generator.int(0...8) : 0))
      requests.append((start..<end).map(message).shuffled(using: &generator))
      next = end
    }
    let repeated = requests.filter { _ in generator.once(in: 3) }
    var channel = ForwardChannel(ChannelLimits())
    var taken: [Int] = []
    for request in (requests + repeated).shuffled(using: &generator) {
      #expect(channel.receive(request) == .received)
      if generator.once(in: 2) { taken += takeAll(&channel) }
    }
    taken += takeAll(&channel)
    #expect(taken == Array(0..<count))
  }
}
