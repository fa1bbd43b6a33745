/// What answers the calls of one method. A message is its serialised bytes.
///
/// A thrown status ends the call with it. The task is cancelled when the peer goes away and at the deadline.
package enum GRPCMethod: Sendable {
  /// One request, one response.
  case unary(@Sendable (GRPCCall, [UInt8]) async throws(GRPCStatus) -> [UInt8])
  /// One request, responses through `GRPCCall.send`.
  case serverStreaming(@Sendable (GRPCCall, [UInt8]) async throws(GRPCStatus) -> Void)
  /// Requests through `GRPCCall.nextMessage`, responses through `GRPCCall.send`.
  case bidirectional(@Sendable (GRPCCall) async throws(GRPCStatus) -> Void)
}

/// A service and its methods.
package struct GRPCService: Sendable {
  /// The full name, such as `google.firestore.v1.Firestore`.
  package var name: String
  /// The methods by their names, such as `GetDocument`.
  package var methods: [String: GRPCMethod]

  package init(_ name: String, _ methods: [String: GRPCMethod]) {
    self.name = name
    self.methods = methods
  }
}
