internal import FirestoreModel

// Asking for locks and giving them.

extension TransactionTable {
  // MARK: - Asking

  /// Asks for shared locks.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED`.
  mutating func read(
    _ id: Owner, _ names: [DocumentName], at now: Duration
  ) throws(FirestoreError) -> Ticket {
    guard let entry = entries[id] else { throw .transactionExpired }
    let wanted = names.filter { !entry.documents.contains($0) }
    guard entry.documents.count + wanted.count <= settings.mostDocuments else {
      throw .tooManyLocks
    }
    let ticket = add(Request(owner: id, kind: .read, documents: Set(wanted), arrived: now))
    guard !wanted.isEmpty else {
      complete(ticket)
      return ticket
    }
    for name in wanted { enqueue(ticket, name, atFront: false, at: now) }
    for name in wanted { settle(name, at: now) }
    try finishAsking(ticket, at: now)
    return ticket
  }

  /// Asks for a predicate lock.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED`.
  mutating func query(
    _ id: Owner, _ predicate: Predicate, at now: Duration
  ) throws(FirestoreError) -> Ticket {
    guard let entry = entries[id] else { throw .transactionExpired }
    guard entry.predicates.count < settings.mostQueries else { throw .tooManyLocks }
    let key = number()
    let ticket = add(Request(owner: id, kind: .query(key), documents: [], arrived: now))
    let earlier = changing.filter { other in
      guard let request = requests[other], request.owner != id else { return false }
      return changes(of: request, match: predicate, in: entry.database)
    }
    predicates[key] = HeldPredicate(
      owner: id, predicate: predicate, ticket: ticket, waitsFor: earlier)
    entries[id]?.predicates.insert(key)
    if earlier.isEmpty { complete(ticket) }
    try finishAsking(ticket, at: now)
    return ticket
  }

  /// Asks for exclusive locks, for the commit of a transaction or, with `nil`, for another one.
  ///
  /// - Throws: `RESOURCE_EXHAUSTED`.
  mutating func write(
    _ transaction: Owner?, in database: DatabaseName, _ names: Set<DocumentName>, at now: Duration
  ) throws(FirestoreError) -> Ticket {
    let id: Owner
    if let transaction {
      id = transaction
      entries[id]?.isCommitting = true
    } else {
      id = try begin(.commit, in: database, incarnation: nil, at: now)
    }
    let ticket = add(Request(owner: id, kind: .write, documents: names, arrived: now))
    let held = entries[id].map { $0.kind == .locking ? $0.documents : [] } ?? []
    for name in names { enqueue(ticket, name, atFront: held.contains(name), at: now) }
    activateIfPossible(ticket)
    try finishAsking(ticket, at: now)
    return ticket
  }

  /// Tells what a write that has its documents is about to change; it may, unless a predicate of another transaction stands
  /// against it. Then it waits again.
  mutating func admits(
    _ ticket: Ticket, _ changes: [DocumentChange], at now: Duration
  ) -> Bool {
    guard let request = requests[ticket], let database = entries[request.owner]?.database else {
      return false
    }
    requests[ticket]?.changes = changes
    changing.insert(ticket)
    let obstacles = predicates.filter { _, held in
      held.owner != request.owner && !held.waitsFor.contains(ticket)
        && entries[held.owner]?.database == database
        && changes.contains { held.predicate.matches($0, in: database) }
    }
    requests[ticket]?.obstacles = Set(obstacles.keys)
    guard !obstacles.isEmpty else {
      obstructed.remove(ticket)
      activateIfPossible(ticket, isTold: false)
      return requests[ticket]?.isActive == true
    }
    obstructed.insert(ticket)
    if request.isActive {
      requests[ticket]?.isActive = false
      for name in request.documents {
        lines[name]?.active = nil
        enqueue(ticket, name, atFront: true, at: now)
      }
    }
    resolveCycles(of: request.owner, at: now)
    return false
  }

  /// Ends a write, whether it was made or not. That of a transaction leaves the transaction open.
  mutating func finish(_ ticket: Ticket, at now: Duration) {
    guard let request = requests[ticket] else { return }
    let isAlone = entries[request.owner]?.kind == .commit
    entries[request.owner]?.isCommitting = false
    drop(ticket, nil, at: now)
    if isAlone { end(request.owner, at: now) }
  }

  /// Takes back a request that waits.
  mutating func cancel(_ ticket: Ticket, _ decision: Decision? = .cancelled, at now: Duration) {
    guard let request = requests[ticket], !request.isActive else { return }
    let isAlone = entries[request.owner]?.kind == .commit
    entries[request.owner]?.isCommitting = false
    drop(ticket, decision, at: now)
    if case .query(let key) = request.kind { removePredicate(key, at: now) }
    if isAlone { end(request.owner, at: now) }
  }

  // MARK: - Requests

  private mutating func add(_ request: Request) -> Ticket {
    let ticket = Ticket(number: number())
    requests[ticket] = request
    entries[request.owner]?.requests.insert(ticket)
    return ticket
  }

  private mutating func finishAsking(
    _ ticket: Ticket, at now: Duration
  ) throws(FirestoreError) {
    guard let request = requests[ticket], !request.isActive else { return }
    guard requests.count <= settings.mostWaiting else {
      cancel(ticket, nil, at: now)
      throw .tooManyWaiting
    }
    // Nobody waits for one that has nothing yet.
    guard let entry = entries[request.owner],
      !entry.documents.isEmpty || !entry.predicates.isEmpty || entry.requests.count > 1
    else { return }
    resolveCycles(of: request.owner, at: now)
  }

  /// A read or a query has all that it asked for.
  mutating func complete(_ ticket: Ticket) {
    guard let request = requests.removeValue(forKey: ticket) else { return }
    entries[request.owner]?.requests.remove(ticket)
    decide(ticket, .granted)
  }

  /// Removes a request and lets those behind it go on.
  mutating func drop(_ ticket: Ticket, _ decision: Decision?, at now: Duration) {
    guard let request = requests.removeValue(forKey: ticket) else { return }
    entries[request.owner]?.requests.remove(ticket)
    changing.remove(ticket)
    obstructed.remove(ticket)
    if let decision { decide(ticket, decision) }
    for name in request.documents {
      if lines[name]?.active == ticket { lines[name]?.active = nil }
      lines[name]?.queue.removeAll { $0 == ticket }
    }
    if request.changes != nil {
      for (key, held) in predicates where held.waitsFor.contains(ticket) {
        stopWaiting(key, for: ticket)
      }
    }
    for name in request.documents { settle(name, at: now) }
  }

  /// A query no longer waits for a write.
  mutating func stopWaiting(_ key: UInt64, for ticket: Ticket) {
    predicates[key]?.waitsFor.remove(ticket)
    guard let held = predicates[key], held.waitsFor.isEmpty else { return }
    complete(held.ticket)
  }

  mutating func removePredicate(_ key: UInt64, at now: Duration) {
    guard let held = predicates.removeValue(forKey: key) else { return }
    entries[held.owner]?.predicates.remove(key)
    for ticket in obstructed.sorted(by: { $0.number < $1.number }) {
      guard requests[ticket]?.obstacles.remove(key) != nil else { continue }
      activateIfPossible(ticket)
    }
  }

  private func changes(
    of request: Request, match predicate: Predicate, in database: DatabaseName
  ) -> Bool {
    guard entries[request.owner]?.database == database else { return false }
    return request.changes?.contains { predicate.matches($0, in: database) } ?? false
  }

  // MARK: - Lines

  private mutating func enqueue(
    _ ticket: Ticket, _ name: DocumentName, atFront: Bool, at now: Duration
  ) {
    var line = lines[name] ?? Line()
    lines[name] = nil  // leaves `line` alone with its storage
    if line.queue.isEmpty { line.waitingSince = now }
    line.queue.insert(ticket, at: atFront ? 0 : line.queue.count)
    lines[name] = line
    waitingLines.insert(name)
  }

  /// Gives the document to those at the head of its line who may have it.
  mutating func settle(_ name: DocumentName, at now: Duration) {
    while let line = lines[name], line.active == nil, let ticket = line.queue.first,
      let request = requests[ticket]
    {
      switch request.kind {
      case .read:
        let isFree = line.holders.allSatisfy { $0 == request.owner }
        guard isFree || isSharedAtOnce(name) || now >= line.handedOver + settings.lockGrace else {
          return
        }
        share(name, with: ticket, at: now)
      case .write:
        activateIfPossible(ticket)
        guard requests[ticket]?.isActive == true else { return }
      case .query: return
      }
    }
    tidy(name)
  }

  /// Gives a read one of its documents.
  mutating func share(_ name: DocumentName, with ticket: Ticket, at now: Duration) {
    guard let owner = requests[ticket]?.owner else { return }
    lines[name]?.queue.removeAll { $0 == ticket }
    lines[name]?.holders.insert(owner)
    lines[name]?.handedOver = now
    tidy(name)
    entries[owner]?.documents.insert(name)
    entries[owner]?.lastActive = now
    requests[ticket]?.documents.remove(name)
    if requests[ticket]?.documents.isEmpty == true { complete(ticket) }
  }

  /// Gives a write its documents if it is the first in all their lines and nobody else holds them.
  mutating func activateIfPossible(_ ticket: Ticket, isTold: Bool = true) {
    guard let request = requests[ticket], case .write = request.kind, !request.isActive,
      request.obstacles.isEmpty
    else { return }
    for name in request.documents {
      guard let line = lines[name], line.active == nil, line.queue.first == ticket,
        line.holders.allSatisfy({ $0 == request.owner })
      else { return }
    }
    requests[ticket]?.isActive = true
    obstructed.remove(ticket)
    for name in request.documents {
      lines[name]?.queue.removeFirst()
      lines[name]?.active = ticket
      tidy(name)
    }
    if isTold { decide(ticket, .granted) }
  }

  /// Forgets a line that nobody needs.
  private mutating func tidy(_ name: DocumentName) {
    guard let line = lines[name], line.queue.isEmpty else { return }
    waitingLines.remove(name)
    if line.holders.isEmpty, line.active == nil { lines[name] = nil }
  }
}
