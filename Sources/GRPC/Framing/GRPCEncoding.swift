/// How the messages of a call are compressed: the values of `grpc-encoding` that are understood.
enum GRPCEncoding: String, CaseIterable {
  case identity
  case gzip

  /// The value of `grpc-accept-encoding`.
  static let accepted = allCases.map(\.rawValue).joined(separator: ",")
}
