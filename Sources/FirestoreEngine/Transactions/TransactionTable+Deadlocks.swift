internal import FirestoreModel

// Who waits for whom. A cycle can only come about when somebody begins to wait, so it is looked for then.

extension TransactionTable {
  /// Why one owner waits for another.
  struct Edge {
    enum Reason {
      /// Only as the other's request is ahead in the line, or came before the query.
      case ahead(Ticket)
      /// As a reader, who would share when the time has come.
      case grace
      case held
    }

    let from: Owner
    let to: Owner
    let ticket: Ticket
    /// `nil` where a predicate is meant.
    let name: DocumentName?
    let reason: Reason
  }

  /// Breaks the cycles that `owner` is part of. Readers share; who waits for somebody that waits for him goes ahead of him in
  /// the line; else the youngest transaction is aborted. So what is aborted waits with its commit: SDKs try that again, while
  /// not all of them do so when a read fails.
  mutating func resolveCycles(of owner: Owner, at now: Duration) {
    var rounds = 0
    while let cycle = cycle(through: owner) {
      rounds += 1
      var reads: [Edge] = []
      var ahead: (edge: Edge, other: Ticket)?
      for edge in cycle {
        switch edge.reason {
        case .grace: reads.append(edge)
        case .ahead(let other): ahead = (edge, other)
        case .held: break
        }
      }
      if !reads.isEmpty {
        for read in reads {
          if let name = read.name { share(name, with: read.ticket, at: now) }
        }
      } else if let ahead, rounds < Self.mostOvertakings {
        overtake(ahead.edge, ahead.other, at: now)
      } else {
        let victims = cycle.map(\.to).filter { entries[$0]?.kind == .locking }
        guard let victim = victims.max(by: { entries[$0]?.age ?? 0 < entries[$1]?.age ?? 0 }) else {
          return
        }
        abort(victim, at: now)
      }
    }
  }

  /// Of one request; then order matters no more.
  private static let mostOvertakings = 100

  private mutating func overtake(_ edge: Edge, _ other: Ticket, at now: Duration) {
    guard let name = edge.name else {
      if case .query(let key) = requests[edge.ticket]?.kind { stopWaiting(key, for: other) }
      return
    }
    guard var line = lines[name] else { return }
    line.queue.removeAll { $0 == edge.ticket }
    line.queue.insert(edge.ticket, at: line.queue.firstIndex(of: other) ?? 0)
    lines[name] = line
    settle(name, at: now)
  }

  /// A shortest way from `start` back to itself, its last edge first.
  private func cycle(through start: Owner) -> [Edge]? {
    guard let entry = entries[start], !entry.requests.isEmpty else { return nil }
    var cameBy: [Owner: Edge] = [:]
    var open = [start]
    var next = 0
    while next < open.count {
      let owner = open[next]
      next += 1
      for edge in edges(of: owner) {
        if edge.to == start {
          var path = [edge]
          var at = edge.from
          while at != start, let by = cameBy[at] {
            path.append(by)
            at = by.from
          }
          return path
        }
        if cameBy[edge.to] == nil {
          cameBy[edge.to] = edge
          open.append(edge.to)
        }
      }
    }
    return nil
  }

  private func edges(of owner: Owner) -> [Edge] {
    var edges: [Edge] = []
    for ticket in entries[owner]?.requests ?? [] {
      guard let request = requests[ticket], !request.isActive else { continue }
      for name in request.documents { addEdges(of: ticket, request, at: name, to: &edges) }
      for key in request.obstacles {
        guard let held = predicates[key] else { continue }
        edges.append(
          Edge(from: owner, to: held.owner, ticket: ticket, name: nil, reason: .held))
      }
      if case .query(let key) = request.kind {
        for other in predicates[key]?.waitsFor ?? [] {
          guard let write = requests[other] else { continue }
          edges.append(
            Edge(from: owner, to: write.owner, ticket: ticket, name: nil, reason: .ahead(other)))
        }
      }
    }
    return edges
  }

  private func addEdges(
    of ticket: Ticket, _ request: Request, at name: DocumentName, to edges: inout [Edge]
  ) {
    guard let line = lines[name] else { return }
    func add(_ other: Owner?, _ reason: Edge.Reason) {
      guard let other, other != request.owner else { return }
      edges.append(
        Edge(from: request.owner, to: other, ticket: ticket, name: name, reason: reason))
    }
    if let active = line.active { add(requests[active]?.owner, .held) }
    let place = line.queue.firstIndex(of: ticket) ?? 0
    let other = place > 0 ? requests[line.queue[place - 1]]?.owner : nil
    switch request.kind {
    case .read:
      if place > 0 { add(other, .ahead(line.queue[place - 1])) }
      if place == 0 { for holder in line.holders { add(holder, .grace) } }
    case .write:
      if place > 0, let other, !line.holders.contains(other) {
        add(other, .ahead(line.queue[place - 1]))
      }
      for holder in line.holders { add(holder, .held) }
    case .query: break
    }
  }
}
