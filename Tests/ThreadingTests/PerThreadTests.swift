import Foundation
import Testing
import Threading

struct PerThreadTests {
  @Test("each thread has a value of its own, and nothing is lost")
  func counts() async {
    let counts = PerThread(0)
    let (threads, rounds) = (40, 1000)
    await withTaskGroup { group in
      for _ in 0..<threads {
        // A thread of its own each, more than there are places.
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              for _ in 0..<rounds { counts.withValue { $0 += 1 } }
              continuation.resume()
            }
          }
        }
      }
    }
    #expect(counts.values.reduce(0, +) == threads * rounds)
    #expect(counts.values.count { $0 > 0 } > 1)
  }

  @Test("the value of a thread stays, also when the body fails")
  func stays() {
    struct Failure: Error {}
    let texts = PerThread(["first"])
    texts.withValue { $0.append("second") }
    #expect(throws: Failure.self) {
      try texts.withValue { (texts) throws(Failure) in
        texts.append("third")
        throw Failure()
      }
    }
    #expect(texts.withValue { $0 } == ["first", "second", "third"])
  }
}
