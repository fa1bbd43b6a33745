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
    try await withSession(id) { UploadStatus($0.upload) }
  }

  /// Adds bytes to an upload and perhaps finishes it. Of what is here already, nothing is written again.
  ///
  /// `expected` are checksums that came with the last bytes; `review` is asked if the start named an author.
  ///
  /// - Throws: `.notFound`; the status says what else is wrong. `.interrupted` if the sender is gone: what came is kept.
  package func continueUpload(
    _ id: String, at offset: Int64?, isLast: Bool,
    expected: ExpectedChecksums = ExpectedChecksums(), from source: some ByteSource,
    review: UploadReview? = nil
  ) async throws(StorageError) -> UploadAnswer {
    try await withSession(id) { session throws(StorageError) in
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
        return try await finish(session, expected, review)
      case .repeatOutcome: return .ok(UploadStatus(session.upload))
      case .refuse, .refuseGap, .wait: return .refused(UploadStatus(session.upload))
      }
    }
  }

  /// Ends an upload without an object.
  ///
  /// - Throws: `.notFound`.
  package func cancelUpload(_ id: String) async throws(StorageError) -> UploadAnswer {
    try await withSession(id) { session throws(StorageError) in
      let action = await session.decide { state -> ResumableUpload.CancelAction? in
        state.turn += 1
        guard !state.isWriting else { return nil }
        let action = state.upload.cancel()
        return action == .wait ? nil : action
      }
      let status = UploadStatus(session.upload)
      switch action {
      case .drop:
        try await end(session)
        return .ok(status)
      case .nothing: return .ok(status)
      case .refuse, .wait: return .refused(status)
      }
    }
  }

  // MARK: Bytes

  private func write(
    _ source: some ByteSource, skipping skipped: Int64, to session: UploadSession, turn: UInt64
  ) async throws(StorageError) {
    var writer: BlobWriter?
    var collector = PieceCollector(source, skipping: skipped)
    var piece = await collector.next()
    while !piece.isEmpty {
      let (bytes, open) = (piece, writer)
      async let written = appended(bytes, open, session, turn)
      piece = await collector.next()
      writer = try await written.get()
    }
    if let failure = collector.failure { throw failure }
  }

  /// Writes a piece if it is this request's turn. The file is opened with the first one, when nobody can end the upload meanwhile.
  private func appended(
    _ bytes: Pieces, _ writer: BlobWriter?, _ session: UploadSession, _ turn: UInt64
  ) async -> Result<BlobWriter, StorageError> {
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
      let writer = if let writer { writer } else { try await BlobWriter.open(session.blob, files) }
      let before = if let known { known } else { try await writer.measure() }
      progress = before
      progress = try await writer.append(bytes, to: before)
      return .success(writer)
    } catch {
      return .failure(error)
    }
  }

  // MARK: End

  private func finish(
    _ session: UploadSession, _ expected: ExpectedChecksums, _ review: UploadReview?
  ) async throws(StorageError) -> UploadAnswer {
    let (action, known) = await session.decide {
      state -> (ResumableUpload.FinishAction, BlobProgress?)? in
      guard !state.isWriting else { return nil }
      let action = state.upload.finish()
      return action == .wait ? nil : (action, state.progress)
    }
    switch action {
    case .commit: return try await commit(session, known, expected, review)
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
    _ session: UploadSession, _ known: BlobProgress?, _ expected: ExpectedChecksums,
    _ review: UploadReview?
  ) async throws(StorageError) -> UploadAnswer {
    var request = session.request
    let review = request.author.flatMap { review?($0) }
    request.author = nil
    request.expected.add(expected)
    let (announcedSize, ended, started) = (session.upload.announcedSize, now(), request)
    do throws(StorageError) {
      // Made if no byte came.
      let writer = try await BlobWriter.open(session.blob, files)
      let progress = if let known { known } else { try await writer.measure() }
      let object = try await commit(
        progress, of: session.blob, request, review: review
      ) { object in
        let upload = ResumableUpload(
          received: object.size, announcedSize: announcedSize, phase: .final(.committed(object)))
        return .resumable(started, upload, time: ended)
      }
      session.change { $0.upload.ended(.committed(object)) }
    } catch {
      switch error.code {
      case .invalidArgument, .permissionDenied, .retained, .notFound, .conflict,
        .failedPrecondition:
        session.change { $0.upload.ended(.refused(error)) }
        try await end(session)
      case .full, .interrupted, .notImplemented, .internalError:
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

  /// Runs `body` with the session of an upload, which stays in memory meanwhile.
  private func withSession<Result>(
    _ id: String, _ body: (UploadSession) async throws(StorageError) -> Result
  ) async throws(StorageError) -> Result {
    let session = try await session(id)
    defer { memory.withLock { $0.sessions.release(session.blob) } }
    return try await body(session)
  }

  /// The session of an upload for the use of one request, from the store if this process does not have it.
  ///
  /// - Throws: `.notFound`.
  private func session(_ id: String) async throws(StorageError) -> UploadSession {
    let blob = BlobID(text: id)
    while true {
      let (known, removals, isBusy) = memory.withLock { memory in
        (memory.sessions.take(blob), memory.sessions.removals, memory.busy.contains(blob))
      }
      if let known { return known }
      guard !isBusy else { throw StorageError.noUpload }
      let loaded = try await load(blob)
      let session = memory.withLock { memory -> UploadSession? in
        if let other = memory.sessions.take(blob) { return other }
        guard memory.sessions.removals == removals, !memory.busy.contains(blob) else { return nil }
        memory.sessions.add(loaded)
        return loaded
      }
      if let session { return session }
    }
  }

  private func load(_ blob: BlobID) async throws(StorageError) -> UploadSession {
    guard blob.text.utf8.count == 32,
      let stored = try read({ try $0.get(.uploads, Keys.upload(blob)) }),
      case .resumable(let request, var upload, let time) = try UploadRecord(stored: stored)
    else { throw StorageError.noUpload }
    if upload.phase == .active {
      upload.wrote(
        try await files.attempt { [files] () throws(StorageError) in try files.size(of: blob) })
    }
    return UploadSession(blob, request, upload, started: time)
  }
}
