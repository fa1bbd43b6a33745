extension OutputSpan<UInt8> {
  /// Appends a copy of the bytes, for which there must be room.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity, "no room for \(bytes.count) bytes")
    unsafe bytes.withUnsafeBufferPointer { source in
      unsafe withUnsafeMutableBufferPointer { buffer, count in
        guard let start = buffer.baseAddress, let source = source.baseAddress else {
          return
        }
        unsafe (start + count).initialize(from: source, count: bytes.count)
        count += bytes.count
      }
    }
  }

  /// Appends the UTF-8 of a text, for which there must be room.
  @inlinable
  @_lifetime(self: copy self)
  package mutating func append(_ text: String) {
    append(text.utf8.span)
  }
}

extension String {
  /// The text that `body` appends as UTF-8, of at most `capacity` bytes.
  @inlinable
  package init(capacity: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
    unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer in
      var bytes = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      body(&bytes)
      return unsafe bytes.finalize(for: buffer)
    }
  }
}
