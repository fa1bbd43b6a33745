internal import FirestoreAPI
internal import FirestoreModel
internal import FirestoreProtocol
internal import FirestoreService
internal import GRPC
internal import HTTPServer

extension FirestoreServices {
  /// Listen. Calls go on without their tasks where they can, since there are many and they wait for most of their time.
  var listen: GRPCMethod {
    .bidirectional { [methods] call throws(GRPCStatus) in
      let principal = try principal(of: call)
      try await call.sendHead()
      let outlet = call.lane.map { Self.outlet(to: call, $0) }
      if let outlet, call.canDetach {
        let session = methods.listenSession(as: principal, client: Self.client(of: call, outlet))
        call.detach { session.arrived() }
        return session.arrived()
      }
      do throws(FirestoreError) {
        try await methods.listen(as: principal, outlet: outlet) { () throws(FirestoreError) in
          try await Self.next(call)
        } send: { (answers) throws(FirestoreError) in
          try await Self.send(answers, to: call)
        }
      } catch {
        throw GRPCStatus(error)
      }
    }
  }

  private static func outlet(to call: GRPCCall, _ lane: HTTPLane) -> ListenAnswerOutlet {
    ListenAnswerOutlet(place: lane.id, execute: { lane.execute($0) }) { answers in
      call.offer(answers.protobufBytes { GRPCCall.frames($0) })
    }
  }

  private static func client(
    of call: GRPCCall, _ outlet: ListenAnswerOutlet
  ) -> ListenSession.Client {
    ListenSession.Client(
      outlet: outlet,
      next: { () throws(FirestoreError) in try take(from: call) },
      send: { (answers) throws(FirestoreError) in try await send(answers, to: call) },
      start: { call.start($0) }, end: { call.end($0.map { GRPCStatus($0) } ?? GRPCStatus(.ok)) })
  }

  private static func take(from call: GRPCCall) throws(FirestoreError) -> ListenSession.Arrival {
    let arrival: GRPCCall.Arrival
    do throws(GRPCStatus) {
      arrival = try call.take()
    } catch {
      throw FirestoreError(error)
    }
    switch arrival {
    case .message(let bytes): return .request(try decode(bytes))
    case .end: return .end
    case .nothing: return .nothing
    }
  }

  private static func send(
    _ answers: [ListenAnswer], to call: GRPCCall
  ) async throws(FirestoreError) {
    do throws(GRPCStatus) {
      try await call.send(answers.map { $0.protobufBytes() })
    } catch {
      throw FirestoreError(.cancelled, error.message)
    }
  }
}
