package import FirestoreAPI
internal import FirestoreModel
internal import FirestoreProtocol
internal import FirestoreService
package import GRPC
internal import HTTPServer

/// The gRPC services of Firestore.
package struct FirestoreServices {
  let methods: FirestoreMethods

  package init(_ methods: FirestoreMethods) {
    self.methods = methods
  }

  private static let olderName = "google.firestore.v1beta1.Firestore"
  private static let emulatorName = "google.firestore.emulator.v1.FirestoreEmulator"

  /// The names of the services in `all`.
  package static let names = [V1.FirestoreMethod.service, olderName, emulatorName]

  /// `google.firestore.v1.Firestore`, the same under its older name `v1beta1`, and the emulator's own service.
  package var all: [GRPCService] {
    let table = Dictionary(
      uniqueKeysWithValues: V1.FirestoreMethod.allCases.map { ($0.name, method($0)) })
    return [
      GRPCService(V1.FirestoreMethod.service, table),
      GRPCService(Self.olderName, table),
      GRPCService(Self.emulatorName, ["ClearData": clearData]),
    ]
  }

  private var clearData: GRPCMethod {
    unary { [methods] (request: ClearDataRequest, _) throws(FirestoreError) in
      try await methods.clearData(database: request.database)
      return WellKnown.Empty()
    }
  }

  private func method(_ method: V1.FirestoreMethod) -> GRPCMethod {
    switch method {
    case .getDocument: unary(methods.getDocument)
    case .listDocuments: unary(methods.listDocuments)
    case .createDocument: unary(methods.createDocument)
    case .updateDocument: unary(methods.updateDocument)
    case .deleteDocument: unary(methods.deleteDocument)
    case .commit: unary(methods.commit)
    case .batchGetDocuments: streaming(methods.batchGetDocuments)
    case .listCollectionIDs: unary(methods.listCollectionIDs)
    case .batchWrite: unary(methods.batchWrite)
    case .runQuery: streaming(methods.runQuery)
    case .runAggregationQuery: streaming(methods.runAggregationQuery)
    case .partitionQuery: unary(methods.partitionQuery)
    case .listen: listen
    case .write: bidirectional(methods.write)
    case .beginTransaction: unary(methods.beginTransaction)
    case .rollback: unary(methods.rollback)
    case .executePipeline:
      .bidirectional { [methods] _ throws(GRPCStatus) in
        throw GRPCStatus(methods.unimplemented(method))
      }
    }
  }

  private func unary<Request: Message, Response: Message>(
    _ body: @escaping @Sendable (Request, Principal) async throws(FirestoreError) -> Response
  ) -> GRPCMethod {
    .unary { (call, message) throws(GRPCStatus) in
      let (request, principal): (Request, Principal) = try decode(call, message)
      do throws(FirestoreError) {
        return try await body(request, principal).protobufBytes()
      } catch {
        throw GRPCStatus(error)
      }
    }
  }

  private func streaming<Request: Message, Response: Message>(
    _ body:
      @escaping @Sendable (
        Request, Principal, (Response) async throws(FirestoreError) -> Void
      ) async throws(FirestoreError) -> Void
  ) -> GRPCMethod {
    .serverStreaming { (call, message) throws(GRPCStatus) in
      let (request, principal): (Request, Principal) = try decode(call, message)
      do throws(FirestoreError) {
        try await body(request, principal) { (response) throws(FirestoreError) in
          do throws(GRPCStatus) {
            try await call.send(response.protobufBytes())
          } catch {
            throw FirestoreError(.cancelled, error.message)
          }
        }
      } catch {
        throw GRPCStatus(error)
      }
    }
  }

  private func bidirectional<Request: Message, Response: Message>(
    _ body:
      @escaping @Sendable (
        Principal, () async throws(FirestoreError) -> Request?,
        (Response) async throws(FirestoreError) -> Void
      ) async throws(FirestoreError) -> Void
  ) -> GRPCMethod {
    .bidirectional { (call) throws(GRPCStatus) in
      let principal = try principal(of: call)
      do throws(FirestoreError) {
        try await body(principal) { () throws(FirestoreError) in
          try await Self.next(call)
        } _: { (response) throws(FirestoreError) in
          do throws(GRPCStatus) {
            try await call.send(response.protobufBytes())
          } catch {
            throw FirestoreError(.cancelled, error.message)
          }
        }
      } catch {
        throw GRPCStatus(error)
      }
    }
  }

  /// The next request of a stream; `nil` when the client has sent its last.
  static func next<Request: Message>(
    _ call: GRPCCall
  ) async throws(FirestoreError) -> Request? {
    let bytes: [UInt8]?
    do throws(GRPCStatus) {
      bytes = try await call.nextMessage()
    } catch {
      throw FirestoreError(error)
    }
    guard let bytes else { return nil }
    return try decode(bytes)
  }

  static func decode<Request: Message>(_ bytes: [UInt8]) throws(FirestoreError) -> Request {
    do {
      return try Request(protobuf: bytes)
    } catch {
      throw .invalidArgument("The request is no valid message.")
    }
  }

  func principal(of call: GRPCCall) throws(GRPCStatus) -> Principal {
    do throws(FirestoreError) {
      return try methods.principal(authorization: call.metadata.first("authorization"))
    } catch {
      throw GRPCStatus(error)
    }
  }

  private func decode<Request: Message>(
    _ call: GRPCCall, _ message: [UInt8]
  ) throws(GRPCStatus) -> (Request, Principal) {
    let principal = try principal(of: call)
    do {
      return (try Request(protobuf: message), principal)
    } catch {
      throw GRPCStatus(.invalidArgument, "The request is no valid message.")
    }
  }
}

extension GRPCStatus {
  init(_ error: FirestoreError) {
    self.init(Code(rawValue: error.code.rawValue) ?? .unknown, error.message)
  }
}

extension FirestoreError {
  /// What ended the reading of a call.
  init(_ status: GRPCStatus) {
    self.init(Code(rawValue: status.code.rawValue) ?? .cancelled, status.message)
  }
}
