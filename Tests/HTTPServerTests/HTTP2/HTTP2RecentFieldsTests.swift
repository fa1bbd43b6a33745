import HibachiTesting
import Testing

@testable import HTTPServer

@Suite struct HTTP2RecentFieldsTests {
  @Test(arguments: 0..<100) func sameAsMadeAnew(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var recent = HTTP2RecentFields()
    for _ in 0..<20 {
      let lines = (0..<generator.int(0...4)).map { _ in
        ("n\(generator.int(0...2))", ["", "x", "a longer value"][generator.int(0...2)])
      }
      recent.rewind()
      for line in lines { add(line, to: &recent) }
      let fields = recent.finish().lines.map { "\($0.name)=\($0.value)" }
      #expect(fields == lines.map { "\($0.0)=\($0.1)" })
    }
  }

  private func add(_ line: (String, String), to recent: inout HTTP2RecentFields) {
    let name = Array(line.0.utf8)
    let value = Array(line.1.utf8)
    unsafe name.withUnsafeBufferPointer { name in
      unsafe value.withUnsafeBufferPointer { value in unsafe recent.add(name, value) }
    }
  }
}

@Suite struct HTTP2OutboxTests {
  @Test(arguments: 0..<100) func givesWhatWasAppended(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let outbox = HTTP2Outbox()
    var expected: [UInt8] = []
    var taken: [UInt8] = []
    for _ in 0..<50 {
      if generator.int(0...1) == 0 {
        let bytes = (0..<generator.int(0...19)).map { _ in UInt8(generator.int(0...255)) }
        expected += bytes
        outbox.append(bytes)
      } else {
        let before = outbox.count
        let room = 1 + generator.int(0...14)
        let (bytes, isDeferred) = take(outbox, room)
        taken += bytes
        #expect(bytes.count == min(before, room))
        #expect(isDeferred == (before == 0))
      }
      #expect(outbox.count == expected.count - taken.count)
    }
    taken += take(outbox, 1_000).0
    #expect(taken == expected)
  }

  private func take(_ outbox: HTTP2Outbox, _ room: Int) -> ([UInt8], isDeferred: Bool) {
    var buffer = [UInt8](repeating: 0, count: room)
    let progress = unsafe buffer.withUnsafeMutableBytes { unsafe outbox.take(into: $0) }
    switch progress {
    case .bytes(let count), .last(let count): return (Array(buffer[..<count]), false)
    case .deferred: return ([], true)
    }
  }
}
