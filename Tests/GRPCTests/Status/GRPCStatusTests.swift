import HTTPServer
import Testing

@testable import GRPC

@Suite struct GRPCStatusTests {
  @Test func numbers() {
    #expect(GRPCStatus.Code.allCases.map(\.rawValue) == Array(0...16))
  }

  static let encoded: [(String, String)] = [
    ("plain ~ text", "plain ~ text"), ("100%", "100%25"), ("é", "%C3%A9"), ("a\nb\r", "a%0Ab%0D"),
    (" edge ", "%20edge%20"), ("\u{7f}\u{0}", "%7F%00"), ("", ""), ("😀", "%F0%9F%98%80"),
  ]

  @Test(arguments: GRPCStatusTests.encoded.indices) func percentEncoding(_ index: Int) {
    #expect(GRPCStatus.percentEncoded(Self.encoded[index].0) == Self.encoded[index].1)
  }

  @Test func fields() {
    let fields = GRPCStatus(.ok).fields.lines.map { "\($0.name)=\($0.value)" }
    #expect(fields == ["grpc-status=0"])
    let all = GRPCStatus(.dataLoss, "x", details: [255]).fields.lines.map {
      "\($0.name)=\($0.value)"
    }
    #expect(all == ["grpc-status=15", "grpc-message=x", "grpc-status-details-bin=/w=="])
  }
}
