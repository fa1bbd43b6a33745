/// The head of a protobuf field: `number << 3 | wireType`.
@usableFromInline
package struct ProtobufTag: RawRepresentable, Hashable, Sendable {
  @usableFromInline
  package enum WireType: UInt32, Sendable {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case startGroup = 3
    case endGroup = 4
    case fixed32 = 5
  }

  @usableFromInline package var rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  @inlinable package init(_ number: Int, _ wireType: WireType) {
    self.rawValue = UInt32(truncatingIfNeeded: number) << 3 | wireType.rawValue
  }

  @inlinable package var number: Int { Int(rawValue >> 3) }

  /// `nil` for the two numbers without a meaning; a reader never gives such a tag.
  @inlinable package var wireType: WireType? { WireType(rawValue: rawValue & 7) }
}
