import Coding
import Testing

@testable import ObjectStorage

@Suite struct ResumableUploadTests {
  private static let name: ObjectName = {
    guard let name = try? ObjectName(bucket: "b", name: "n") else {
      preconditionFailure("a good name is refused")
    }
    return name
  }()

  static let object = Object(
    name: name, generation: 1, size: 5, md5: [], crc32c: 0,
    attributes: ObjectAttributes(), tokens: [], created: 1, updated: 1, blob: BlobID(text: "x"))
  static let outcome = ResumableUpload.Outcome.committed(object)

  static func upload(_ phase: ResumableUpload.Phase) -> ResumableUpload {
    ResumableUpload(received: 5, phase: phase)
  }

  @Test(
    "bytes in each state",
    arguments: [
      (
        ResumableUpload.Phase.active, Int64?.none, false,
        ResumableUpload.AppendAction.take(skipping: 0)
      ),
      (.active, 5, false, .take(skipping: 0)), (.active, 3, true, .take(skipping: 2)),
      (.active, 0, false, .take(skipping: 5)), (.active, 6, false, .refuseGap),
      (.active, -1, false, .refuseGap), (.active, .max, true, .refuseGap),
      (.finishing, 5, false, .wait), (.finishing, 5, true, .wait),
      (.final(outcome), 5, false, .refuse), (.final(outcome), 5, true, .repeatOutcome(outcome)),
      (.cancelled, 5, false, .refuse), (.cancelled, 5, true, .refuse),
    ])
  func append(
    phase: ResumableUpload.Phase, offset: Int64?, isLast: Bool,
    expected: ResumableUpload.AppendAction
  ) {
    #expect(Self.upload(phase).append(at: offset, isLast: isLast) == expected)
  }

  @Test(
    "the end in each state",
    arguments: [
      (
        ResumableUpload.Phase.active, ResumableUpload.FinishAction.commit,
        ResumableUpload.Phase.finishing
      ),
      (.finishing, .wait, .finishing), (.final(outcome), .repeatOutcome(outcome), .final(outcome)),
      (.cancelled, .refuse, .cancelled),
    ])
  func finish(
    phase: ResumableUpload.Phase, expected: ResumableUpload.FinishAction,
    after: ResumableUpload.Phase
  ) {
    var upload = Self.upload(phase)
    #expect(upload.finish() == expected)
    #expect(upload.phase == after)
  }

  @Test(
    "cancelling in each state",
    arguments: [
      (
        ResumableUpload.Phase.active, ResumableUpload.CancelAction.drop,
        ResumableUpload.Phase.cancelled
      ),
      (.finishing, .wait, .finishing), (.final(outcome), .refuse, .final(outcome)),
      (.cancelled, .nothing, .cancelled),
    ])
  func cancel(
    phase: ResumableUpload.Phase, expected: ResumableUpload.CancelAction,
    after: ResumableUpload.Phase
  ) {
    var upload = Self.upload(phase)
    #expect(upload.cancel() == expected)
    #expect(upload.phase == after)
  }

  @Test(
    "an announced size must be met, unless it is 0", arguments: [(0, true), (5, true), (6, false)])
  func announced(size: Int64, isMet: Bool) {
    var upload = ResumableUpload(received: 5, announcedSize: size)
    #expect(upload.finish() == (isMet ? .commit : .refuseSize))
  }

  @Test("a commit that could not be tried leaves the upload open")
  func reopens() {
    var upload = Self.upload(.active)
    _ = upload.finish()
    upload.reopen()
    #expect(upload.phase == .active)
  }

  @Test("records come back as they were")
  func records() throws {
    var attributes = ObjectAttributes()
    attributes.contentType = "a/b"
    attributes.custom = ["é": "1", "e\u{301}": "2"]
    var request = UploadRequest(
      name: try ObjectName(bucket: "b", name: "n\0"), attributes: attributes, tokens: ["t"])
    request.expected.md5 = "x"
    request.preconditions.generation = 0
    let phases: [ResumableUpload.Phase] = [.active, .final(.committed(Self.object)), .cancelled]
    for phase in phases {
      let upload = ResumableUpload(received: 7, announcedSize: 9, phase: phase)
      var expected = upload
      if case .final(.committed(var object)) = phase {
        object.name = request.name
        expected = ResumableUpload(
          received: 7, announcedSize: 9, phase: .final(.committed(object)))
      }
      let record = try UploadRecord(
        stored: UploadRecord.resumable(request, upload, time: 3).stored)
      guard case .resumable(let read, let readUpload, 3) = record else {
        Issue.record("another kind")
        return
      }
      #expect(read == request)
      #expect(readUpload == expected)
    }
  }
}
