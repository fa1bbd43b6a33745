import Synchronization
import Testing

@testable import FirestoreEngine

@Suite("The clock of versions")
struct VersionClockTests {
  private let time = ManualTime()

  private func clock(last: Int64 = 0) -> VersionClock {
    VersionClock(last: last, now: { [time] in time.now })
  }

  @Test("a read time is below the version of a commit that can't be seen yet")
  func pending() {
    let clock = clock()
    let (first, second) = (clock.ticket(), clock.ticket())
    let one = clock.version(for: first, above: 0)
    let two = clock.version(for: second, above: 0)
    time.advance(seconds: 5)
    #expect(clock.readTime() == one - 1)
    clock.end(first)
    #expect(clock.readTime() == two - 1)
    clock.end(second)
    #expect(clock.readTime() == time.now)
  }

  @Test("a commit that is tried again gets a greater version, and its old one is forgotten")
  func retry() {
    let clock = clock()
    let ticket = clock.ticket()
    let one = clock.version(for: ticket, above: 0)
    let two = clock.version(for: ticket, above: one)
    #expect(two > one)
    #expect(clock.readTime() == two - 1)
    clock.end(ticket)
    #expect(clock.readTime() >= two)
  }

  @Test("versions are above read times, what is stored, and the last run")
  func rising() {
    let clock = clock(last: ManualTime.start + 50)
    let read = clock.readTime()
    #expect(read == ManualTime.start + 50)
    #expect(clock.version(for: clock.ticket(), above: 0) == read + 1)
    #expect(clock.version(for: clock.ticket(), above: read + 100) == read + 101)
  }

  @Test("times from outside")
  func accept() {
    let clock = clock()
    #expect(clock.accept(time.now + 1) == .inFuture)
    #expect(clock.accept(time.now) == .ready)
    let ticket = clock.ticket()
    let version = clock.version(for: ticket, above: 0)
    #expect(version == time.now + 1)
    time.advance(seconds: 1)
    #expect(clock.accept(version - 1) == .ready)
    #expect(clock.accept(version) == .afterPendingCommits)
    clock.end(ticket)
    #expect(clock.accept(version) == .ready)
  }
}
