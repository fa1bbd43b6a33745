/// The messages of a client in the order of their numbers, however its requests arrive: each once, none left out.
struct ForwardChannel {
  enum Outcome: Hashable {
    case received
    /// Too many wait for one that has not come.
    case overflow
  }

  private let limits: ChannelLimits
  /// The number of the message that is to come next.
  private var nextID = 0
  /// Messages that came before their turn.
  private var parked: [Int: [UInt8]?] = [:]
  private var parkedBytes = 0
  /// Messages in order, from `first` on.
  private var ready: [[UInt8]] = []
  private var first = 0
  private var readyBytes = 0

  init(_ limits: ChannelLimits) {
    self.limits = limits
  }

  /// Whether there is room for the messages of another request.
  var hasRoom: Bool {
    ready.count - first < limits.waitingMessages && readyBytes < limits.waitingBytes
  }

  /// Takes messages in, in any order; those that were there before are passed over.
  mutating func receive(_ messages: [ChannelForm.Message]) -> Outcome {
    for message in messages where message.id >= nextID && parked[message.id] == nil {
      parked[message.id] = .some(message.bytes)
      parkedBytes += message.bytes?.count ?? 0
      while let turn = parked.removeValue(forKey: nextID) {
        nextID += 1
        guard let bytes = turn else { continue }
        parkedBytes -= bytes.count
        readyBytes += bytes.count
        ready.append(bytes)
      }
    }
    return parked.count > limits.parkedMessages || parkedBytes > limits.parkedBytes
      ? .overflow : .received
  }

  /// The next message, if it is there.
  mutating func take() -> [UInt8]? {
    guard first < ready.count else { return nil }
    let message = ready[first]
    ready[first] = []
    first += 1
    readyBytes -= message.count
    if first == ready.count {
      ready.removeAll()
      first = 0
    }
    return message
  }
}
