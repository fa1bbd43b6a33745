import Coding
import FirestoreListen
import Testing

@Suite("Bloom filters")
struct BloomFilterTests {
  private static let name = "projects/project-1/databases/database-1/documents/coll/doc"

  @Test(
    "the bits of a name",
    arguments: [
      (47, 7, [4, 18, 32, 24, 38, 30, 44]), (96, 5, [52, 49, 46, 11, 8]),
    ])
  func indexes(bitCount: Int, hashCount: Int, expected: [Int]) {
    let entry = BloomFilter.Entry(Self.name + "0")
    #expect(entry.indexes(bitCount: bitCount, hashCount: hashCount) == expected)
  }

  @Test("the filter of one name is that of the SDKs' tests")
  func golden() {
    let filter = BloomFilter([BloomFilter.Entry(Self.name + "0")], bitCount: 23, hashCount: 16)
    #expect(filter.bitmap == Base64.decode("RswZ"))
    #expect(filter.padding == 1)
    #expect(filter.contains(BloomFilter.Entry(Self.name + "0")))
    #expect(!filter.contains(BloomFilter.Entry(Self.name + "1")))
  }

  @Test("without names nothing is held")
  func empty() {
    let filter = BloomFilter([])
    #expect(filter.bitmap.isEmpty && filter.padding == 0 && filter.hashCount == 0)
    #expect(!filter.contains(BloomFilter.Entry("a")))
  }

  @Test("every name is held, and few others", arguments: [1, 10, 500, 5_000])
  func falsePositives(count: Int) {
    let filter = BloomFilter((0..<count).map { BloomFilter.Entry(Self.name + "\($0)") })
    for number in 0..<count { #expect(filter.contains(BloomFilter.Entry(Self.name + "\(number)"))) }
    let wrong = (count..<count + 5_000).count {
      filter.contains(BloomFilter.Entry(Self.name + "\($0)"))
    }
    #expect(wrong < 6)
  }

  @Test(
    "MD5",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      (name + "0", "7467f11856a90ccfbd27a89a52d70b9d"),
    ])
  func md5(text: String, expected: String) {
    let hex = MD5.digest(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    #expect(hex.joined() == expected)
  }
}
