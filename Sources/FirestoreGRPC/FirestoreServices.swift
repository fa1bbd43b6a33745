package import FirestoreAPI
internal import FirestoreModel
internal import FirestoreProtocol
internal import FirestoreService
package import GRPC
internal import HTTPServer

/// The gRPC services of Firestore.
package struct FirestoreServices {
  private let methods: FirestoreMethods

  package init(_ methods: FirestoreMethods) {
    self.methods = methods
  }

  /// `google.firestore.v1.Firestore`, the same under its older name `v1beta1`, and the emulator's own service.
  package var all: [GRPCService] {
    let table = Dictionary(
      uniqueKeysWithValues: V1.FirestoreMethod.allCases.map { ($0.name, method($0)) })
    return [
      GRPCService(V1.FirestoreMethod.service, table),
      GRPCService("google.firestore.v1beta1.Firestore", table),
      GRPCService(
        "google.firestore.emulator.v1.FirestoreEmulator", ["ClearData": clearData]),
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
    case .beginTransaction, .rollback, .executePipeline, .partitionQuery, .write, .listen:
      .bidirectional { [methods] _ throws(GRPCStatus) in
        throw GRPCStatus(methods.unimplemented(method))
      }
    }
  }

  private func unary<Request: Message, Response: Message>(
    _ body: @escaping @Sendable (Request, Principal) async throws(FirestoreError) -> Response
  ) -> GRPCMethod {
    .unary { (call, message) throws(GRPCStatus) in
      let (request, principal): (Request, Principal) = try Self.decode(call, message)
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
      let (request, principal): (Request, Principal) = try Self.decode(call, message)
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

  private static func decode<Request: Message>(
    _ call: GRPCCall, _ message: [UInt8]
  ) throws(GRPCStatus) -> (Request, Principal) {
    let principal: Principal
    do throws(FirestoreError) {
      principal = try Principal(authorization: call.metadata.first("authorization"))
    } catch {
      throw GRPCStatus(error)
    }
    do {
      return (try Request(protobuf: message), principal)
    } catch {
      throw GRPCStatus(.invalidArgument, "The request is no valid message.")
    }
  }
}

extension GRPCStatus {
  fileprivate init(_ error: FirestoreError) {
    self.init(Code(rawValue: error.code.rawValue) ?? .unknown, error.message)
  }
}
