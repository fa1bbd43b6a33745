internal import KeyValue
internal import Synchronization

/// Uploads that come in several requests. They outlive the process.
extension ObjectStore {
  /// Begins an upload.
  ///
  /// - Returns: what the requests that go on with it name it by.
  package func startUpload(
    _ request: UploadRequest, announcedSize: Int64?
  ) async throws(StorageError) -> String {
    let (blob, now) = (BlobID(random), now())
    let upload = ResumableUpload(announcedSize: announcedSize)
    try await write {
      try $0.put(.resumable(request, upload, time: now), for: blob)
    }
    return blob.text
  }

  /// How an upload is doing.
  ///
  /// - Throws: `.notFound`.
  package func uploadStatus(_ id: String) async throws(StorageError) -> UploadStatus {
    UploadStatus(try await session(id).upload)
  }

  /// Adds bytes to an upload and perhaps finishes it. Of what is here already, nothing is written again.
  ///
  /// - Throws: `.notFound`; the status says what else is wrong. `.interrupted` if the sender is gone: what came is kept.
  package func continueUpload(
    _ id: String, at offset: Int64?, isLast: Bool, from source: some ByteSource
  ) async throws(StorageError) -> UploadAnswer {
    let session = try await session(id)
    typealias Decision = (action: ResumableUpload.AppendAction, turn: UInt64)
    let (action, turn) = await session.decide { state -> Decision? in
      let action = state.upload.append(at: offset, isLast: isLast)
      switch action {
      case .wait: return nil
      case .refuse, .refuseGap, .repeatOutcome: return (action, 0)
      case .take:
        state.turn += 1
        return state.isWriting ? nil : (action, state.turn)
      }
    }
    switch action {
    case .take(let skipped):
      try await write(source, skipping: skipped, to: session, turn: turn)
      guard isLast else { return .ok(UploadStatus(session.upload)) }
      return try await finish(session)
    case .repeatOutcome: return .ok(UploadStatus(session.upload))
    case .refuse, .refuseGap, .wait: return .refused(UploadStatus(session.upload))
    }
  }

  /// Ends an upload without an object.
  ///
  /// - Throws: `.notFound`.
  package func cancelUpload(_ id: String) async throws(StorageError) -> UploadAnswer {
    let session = try await session(id)
    let action = await session.decide { state -> ResumableUpload.CancelAction? in
      guard !state.isWriting else {
        state.turn += 1
        return nil
      }
      let action = state.upload.cancel()
      return action == .wait ? nil : action
    }
    let status = UploadStatus(session.upload)
    switch action {
    case .drop:
      state(session) { $0.turn += 1 }
      try await end(session)
      return .ok(status)
    case .nothing: return .ok(status)
    case .refuse, .wait: return .refused(status)
    }
  }

  private func state(_ session: UploadSession, _ body: (inout UploadSession.State) -> Void) {
    session.change { body(&$0) }
  }

  // MARK: Bytes

  private func write(
    _ source: some ByteSource, skipping skipped: Int64, to session: UploadSession, turn: UInt64
  ) async throws(StorageError) {
    let writer = try await BlobWriter.open(session.blob, files)
    var joiner = PieceJoiner(source, skipping: skipped)
    var piece = await joiner.next()
    while !piece.isEmpty {
      let bytes = piece
      async let written = appended(bytes, writer, session, turn)
      piece = await joiner.next()
      try await written.get()
    }
    if let failure = joiner.failure { throw failure }
  }

  private func appended(
    _ bytes: [UInt8], _ writer: BlobWriter, _ session: UploadSession, _ turn: UInt64
  ) async -> Result<Void, StorageError> {
    let (isMine, known) = session.change { state in
      let isMine = state.turn == turn && state.upload.phase == .active
      if isMine { state.isWriting = true }
      return (isMine, state.progress)
    }
    guard isMine else {
      return .failure(StorageError(.interrupted, "Another request goes on with this upload."))
    }
    var progress = known
    defer {
      let progress = progress
      session.change { state in
        state.isWriting = false
        state.progress = progress
        if let progress { state.upload.wrote(progress.size) }
      }
    }
    do throws(StorageError) {
      let before = if let known { known } else { try await writer.measure() }
      progress = before
      progress = try await writer.append(bytes, to: before)
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  // MARK: End

  private func finish(_ session: UploadSession) async throws(StorageError) -> UploadAnswer {
    let (action, known) = await session.decide {
      state -> (ResumableUpload.FinishAction, BlobProgress?)? in
      guard !state.isWriting else { return nil }
      let action = state.upload.finish()
      return action == .wait ? nil : (action, state.progress)
    }
    switch action {
    case .commit: return try await commit(session, known)
    case .refuseSize:
      let error = StorageError(
        .invalidArgument, "The upload has another size than was announced at its start.")
      session.change { $0.upload.ended(.refused(error)) }
      try await end(session)
      return .ok(UploadStatus(session.upload))
    case .repeatOutcome: return .ok(UploadStatus(session.upload))
    case .refuse, .wait: return .refused(UploadStatus(session.upload))
    }
  }

  private func commit(
    _ session: UploadSession, _ known: BlobProgress?
  ) async throws(StorageError) -> UploadAnswer {
    let (request, announcedSize, ended) = (session.request, session.upload.announcedSize, now())
    do throws(StorageError) {
      let writer = try await BlobWriter.open(session.blob, files)
      let progress = if let known { known } else { try await writer.measure() }
      let object = try await commit(progress, of: writer, request) { object in
        let upload = ResumableUpload(
          received: object.size, announcedSize: announcedSize, phase: .final(.committed(object)))
        return .resumable(request, upload, time: ended)
      }
      session.change { $0.upload.ended(.committed(object)) }
    } catch {
      switch error.code {
      case .invalidArgument, .permissionDenied, .notFound, .failedPrecondition:
        session.change { $0.upload.ended(.refused(error)) }
        try await end(session)
      case .full, .interrupted, .internalError:
        session.change { $0.upload.reopen() }
        throw error
      }
    }
    return .ok(UploadStatus(session.upload))
  }

  /// Notes how an upload ended that became no object, and drops its bytes.
  private func end(_ session: UploadSession) async throws(StorageError) {
    let record = UploadRecord.resumable(session.request, session.upload, time: now())
    let blob = session.blob
    try await write { try $0.put(record, for: blob) }
    try await files.attempt { [files] () throws(StorageError) in try files.remove(blob) }
  }

  // MARK: Sessions

  /// The session of an upload, from the store if this process has not had it yet.
  private func session(_ id: String) async throws(StorageError) -> UploadSession {
    let blob = BlobID(text: id)
    if let session = memory.withLock({ $0.sessions[blob] }) { return session }
    let missing = StorageError(.notFound, "There is no such upload.")
    guard id.utf8.count == 32, let stored = try read({ try $0.get(.uploads, Keys.upload(blob)) }),
      case .resumable(let request, var upload, let time) = try UploadRecord(stored: stored)
    else { throw missing }
    if upload.phase == .active {
      upload.wrote(
        try await files.attempt { [files] () throws(StorageError) in
          try files.openForWriting(blob).size()
        })
    }
    let session = UploadSession(blob, request, upload, started: time)
    return memory.withLock { memory in
      if let other = memory.sessions[blob] { return other }
      memory.sessions[blob] = session
      return session
    }
  }
}
