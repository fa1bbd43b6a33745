import Coding
import Testing

/// Keys and a signature of `hello` that OpenSSL made.
@Suite struct RSAPublicKeyTests {
  private static let keys = [
    """
    -----BEGIN PRIVATE KEY-----
    MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAOzl7dkxztNOOUCU
    y9RFQNVYYeS+Wxze7DTrRv51xVCq3xikZu0L+xFxyKvOZ+PWaPAco5j6s3glMPAC
    lkMLeukl0P2esYdpuOKlmstAGVPiMSMfxSzaz4EYbYrrUnsWjRVaVx6h1rN79tFs
    2UGJDnkQyv/4W7M5NT/lpoPcllg/AgMBAAECgYB4qcDVYSZMwMoul9ueWkvknyj1
    nvO/p9g+OByoHYqMRQxve8WlNfYC86bXw8Fs7lfy/VNi50ckiiT8CwVITv+h6KDj
    mkMvOlgWDx0Ueo2EQX3bmdlhPRU6RgcA47iGKZfOc5nxZTnbvsqDb3kep6jgRheH
    1tAkixXIgnL8noghyQJBAPuEbS6L0+qWVf3p6JoyCzXs5+2vQd/GI/PdiklV6zWH
    Jj///j3XQ/fmYAk4+wuiI+o9ysTxcPFlb+boyZXQZxUCQQDxHs0jJtzzjGjgoekt
    XonvsxA6cewwUzqvFBY9EQwCUoY30yKDfhj7L3J0jCC4vTP9bI+vZI7ekS6+hE8e
    6VcDAkBOnQGTPtkpxXtzNZ0iNOoUHMwRGmo4izHJk0EZ0uUFggyOjHDm21W/Mh5q
    Q4kUBcW7/TxXei+XA+GKBtCbJtxRAkB159jp+oQK+DsEtUffrp4Gv2oNGk4jp19H
    46uoOuDDdfU58R2sbQnsMlxmj2skyyhUITT10FdokFfqQ6qo8/NfAkEAnMSAzClF
    vDk6+yeA+DpoCY0+x+c9CpHW15NfJoN0KwekcrX6N55rz4pgFDlKSIYyQqwGg6Ci
    W6qFMIteGTiR9g==
    -----END PRIVATE KEY-----
    """,
    """
    -----BEGIN RSA PRIVATE KEY-----
    MIICXAIBAAKBgQDs5e3ZMc7TTjlAlMvURUDVWGHkvlsc3uw060b+dcVQqt8YpGbt
    C/sRccirzmfj1mjwHKOY+rN4JTDwApZDC3rpJdD9nrGHabjipZrLQBlT4jEjH8Us
    2s+BGG2K61J7Fo0VWlceodaze/bRbNlBiQ55EMr/+FuzOTU/5aaD3JZYPwIDAQAB
    AoGAeKnA1WEmTMDKLpfbnlpL5J8o9Z7zv6fYPjgcqB2KjEUMb3vFpTX2AvOm18PB
    bO5X8v1TYudHJIok/AsFSE7/oeig45pDLzpYFg8dFHqNhEF925nZYT0VOkYHAOO4
    himXznOZ8WU5277Kg295Hqeo4EYXh9bQJIsVyIJy/J6IIckCQQD7hG0ui9PqllX9
    6eiaMgs17Oftr0HfxiPz3YpJVes1hyY///4910P35mAJOPsLoiPqPcrE8XDxZW/m
    6MmV0GcVAkEA8R7NIybc84xo4KHpLV6J77MQOnHsMFM6rxQWPREMAlKGN9Mig34Y
    +y9ydIwguL0z/WyPr2SO3pEuvoRPHulXAwJATp0Bkz7ZKcV7czWdIjTqFBzMERpq
    OIsxyZNBGdLlBYIMjoxw5ttVvzIeakOJFAXFu/08V3ovlwPhigbQmybcUQJAdefY
    6fqECvg7BLVH366eBr9qDRpOI6dfR+OrqDrgw3X1OfEdrG0J7DJcZo9rJMsoVCE0
    9dBXaJBX6kOqqPPzXwJBAJzEgMwpRbw5OvsngPg6aAmNPsfnPQqR1teTXyaDdCsH
    pHK1+jeea8+KYBQ5SkiGMkKsBoOgoluqhTCLXhk4kfY=
    -----END RSA PRIVATE KEY-----
    """,
    """
    -----BEGIN PUBLIC KEY-----
    MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDs5e3ZMc7TTjlAlMvURUDVWGHk
    vlsc3uw060b+dcVQqt8YpGbtC/sRccirzmfj1mjwHKOY+rN4JTDwApZDC3rpJdD9
    nrGHabjipZrLQBlT4jEjH8Us2s+BGG2K61J7Fo0VWlceodaze/bRbNlBiQ55EMr/
    +FuzOTU/5aaD3JZYPwIDAQAB
    -----END PUBLIC KEY-----
    """,
  ]

  private static let signature =
    "e3fb30a93769f93a4af514e13e11d37ab106c9917279666a86bf78bd56c3133523b57ca24e1369fdf67478058c17a3e90e903239e81ecf443cdf892ef2d07d9f"
    + "8f5e3b47df92e963d9da617ea1e62cee3d0aefe59803b35d7aa1e662632ac715a72e71f0889379d3b67b5e8393c5fc6eff2b3d9d3fc453ea200e93afefc131dc"

  @Test("the public part of keys in every form", arguments: keys)
  func forms(pem: String) throws {
    let key = try #require(RSAPublicKey(pem: pem))
    var signature = try #require(Hexadecimal.decode(Self.signature))
    #expect(key.verifies(signature, of: Array("hello".utf8)))
    #expect(!key.verifies(signature, of: Array("hallo".utf8)))
    #expect(!key.verifies(Array(signature.dropLast()), of: Array("hello".utf8)))
    signature[5] ^= 1
    #expect(!key.verifies(signature, of: Array("hello".utf8)))
    #expect(!key.verifies([UInt8](repeating: 0xff, count: 128), of: []))
  }

  @Test("what is cut off or changed is no key, and never a trap")
  func broken() throws {
    let lines = Self.keys[0].split(separator: "\n").filter { !$0.hasPrefix("-") }
    let bytes = try #require(Base64.decode(lines.joined()))
    for count in 0..<bytes.count {
      let key = RSAPublicKey(pem: Base64.encode(Array(bytes[..<count])))
      // The numbers that matter may all be there.
      if count < 150 { #expect(key == nil) }
    }
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0xff
      _ = RSAPublicKey(pem: Base64.encode(other))?.verifies(bytes, of: [])
    }
    #expect(RSAPublicKey(pem: "") == nil && RSAPublicKey(pem: "no key") == nil)
  }

  @Test("hexadecimal digits")
  func hexadecimal() {
    #expect(Hexadecimal.encode([0, 0x9a, 0xff]) == "009aff")
    #expect(Hexadecimal.decode("009AfF") == [0, 0x9a, 0xff])
    #expect(Hexadecimal.decode("0") == nil && Hexadecimal.decode("0g") == nil)
  }
}
