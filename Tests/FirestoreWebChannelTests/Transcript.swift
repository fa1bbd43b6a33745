import Foundation

/// A recorded conversation; `testdata/webchannel` says how one is written.
struct Transcript: CustomStringConvertible, Sendable {
  enum Step {
    case send(String, [UInt8])
    case receive(String, [UInt8])
    case closed(String)
    case close(String)
    case write(path: String, json: String)
  }

  let name: String
  let steps: [Step]

  var description: String { name }

  static let all: [Transcript] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "testdata/webchannel")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
      guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else {
        return nil
      }
      return Transcript(name: String(name.dropLast(4)), text)
    }
  }()

  init(name: String, _ text: String) {
    self.name = name
    steps = text.split(separator: "\n").compactMap { line in
      var line = line
      if line.hasPrefix("- ") { return nil }
      if line.hasPrefix("+ ") { line = line.dropFirst(2) }
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch (words[0], words[1]) {
      case ("write", _): return .write(path: words[1], json: words[2])
      case ("close", _): return .close(words[1])
      case (_, "CLOSED"): return .closed(words[0])
      case (_, ">>>"): return .send(words[0], Self.unescaped(words[2]))
      default: return .receive(words[0], Self.unescaped(words[2]))
      }
    }
  }

  private static func unescaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var isEscape = false
    for byte in text.utf8 {
      if isEscape {
        switch byte {
        case UInt8(ascii: "r"): bytes.append(13)
        case UInt8(ascii: "n"): bytes.append(10)
        default: bytes.append(byte)
        }
        isEscape = false
      } else if byte == UInt8(ascii: "\\") {
        isEscape = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
