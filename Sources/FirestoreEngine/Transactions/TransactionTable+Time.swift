internal import FirestoreModel

// What happens as time passes.

extension TransactionTable {
  /// Shares what was held long enough, takes locks from the idle, and ends transactions that are too old.
  mutating func advance(to now: Duration) {
    for name in waitingLines { settle(name, at: now) }
    if !waitingLines.isEmpty || !obstructed.isEmpty {
      for (owner, deadline) in holders() where deadline <= now && entries[owner]?.loss == nil {
        lose(owner, .contention, at: now)
      }
    }
    guard now >= nextExpiry else { return }
    var next: Duration?
    for (id, entry) in entries where entry.kind != .commit {
      let expiry = expiry(of: entry)
      if expiry > now {
        next = min(next ?? expiry, expiry)
      } else if !entry.requests.contains(where: { requests[$0]?.isActive == true }) {
        end(id, at: now)
      }
    }
    nextExpiry = next ?? now + settings.idleTime
  }

  /// When `advance` has something to do for those who wait; `nil` if nobody does.
  var nextDeadline: Duration? {
    guard !waitingLines.isEmpty || !obstructed.isEmpty else { return nil }
    var next = holders().map(\.deadline).min()
    for name in waitingLines {
      guard let line = lines[name], line.active == nil, let first = line.queue.first,
        let request = requests[first], case .read = request.kind
      else { continue }
      let due = line.handedOver + settings.lockGrace
      next = min(next ?? due, due)
    }
    return next
  }

  /// Those that others wait for, and when they lose their locks unless they do something.
  private func holders() -> [(owner: Owner, deadline: Duration)] {
    var holders: [(Owner, Duration)] = []
    func add(_ owner: Owner, _ waitingSince: Duration) {
      guard let entry = entries[owner], entry.kind == .locking else { return }
      let idle = max(entry.lastActive, waitingSince) + settings.lockWait
      holders.append(
        (owner, min(entry.calls == 0 ? idle : .seconds(Int64.max / 2), expiry(of: entry))))
    }
    for name in waitingLines {
      guard let line = lines[name] else { continue }
      for holder in line.holders { add(holder, line.waitingSince) }
    }
    for ticket in obstructed {
      guard let request = requests[ticket] else { continue }
      for key in request.obstacles {
        if let held = predicates[key] { add(held.owner, request.arrived) }
      }
    }
    return holders
  }

  private func expiry(of entry: Entry) -> Duration {
    let end = entry.began + settings.totalTime
    return entry.calls == 0 ? min(end, entry.lastActive + settings.idleTime) : end
  }
}
