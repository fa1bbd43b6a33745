import HibachiTesting

@testable import SecurityRules

/// Makes rulesets from the grammar, token by token, and breaks them.
struct RandomRules {
  static let names = ["a", "b", "id", "db", "x", "request", "resource", "f", "g", "zz", "$y", "_z"]
  static let literals = [
    "1", "0", "2.5", ".5", "5.", "true", "false", "null", "'s'", "\"é\"", "'日本'", "'한국'",
    "b'\\xff'",
    "\"\\u00e9\\n\"", "'\\\\d+'", "9223372036854775807", "/a/b",
  ]
  static let binary = [
    "&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "in",
  ]
  static let types = TypeTest.allCases.map(\.rawValue)
  static let methods = Array(Builtin.methods.keys).sorted() + ["foo", "data"]
  static let functions = Array(Builtin.functions.keys).sorted() + ["f", "g", "foo"]
  static let fields = ["data", "auth", "uid", "a", "size", "in", "match", "null", "token"]
  /// What breaks a ruleset where it does not belong.
  static let strays = [
    "{", "}", "(", ")", "[", "]", ";", ",", ":", ".", "?", "!", "-", "/", "&", "=", "++", "@", "\\",
    "변수", "変数", "if", "allow", "match", "function", "return", "let", "service", "is", "in", "017",
    "0x1", "1e3", "99999999999999999999", "'", "\"", "/*", "*/", "//", "/{x=**}", "/{x}", "/a/",
    "'unclosed", "import 'x';", "rules_version", "**", "\u{feff}", "\0", "'\\q'", "'\\u12'",
    "'\\xzz'", "b'\\u0041'", "'\\777'", "\r", "\u{2028}", "😀", "\\u0041", "`", "\u{301}",
  ]

  var random: SeededGenerator

  init(seed: Int) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func choice(_ texts: [String]) -> String {
    texts[random.int(0...(texts.count - 1))]
  }

  private mutating func separated(
    _ range: ClosedRange<Int>, _ make: (inout RandomRules) -> [String]
  ) -> [String] {
    var tokens: [String] = []
    for index in 0..<random.int(range) { tokens += (index > 0 ? [","] : []) + make(&self) }
    return tokens
  }

  mutating func expression(_ depth: Int) -> [String] {
    guard depth > 0 else { return [choice(Self.literals + Self.names)] }
    func inner(_ rules: inout RandomRules) -> [String] { rules.expression(depth - 1) }
    switch random.int(0...13) {
    case 0, 1:
      // In parentheses, since a slash behind a path goes on with it.
      return ["("] + inner(&self) + [")", choice(Self.binary)] + inner(&self)
    case 2: return inner(&self) + ["is", choice(Self.types)]
    case 3: return ["!"] + inner(&self)
    case 4: return ["-", "("] + inner(&self) + [")"]
    case 5: return ["("] + inner(&self) + [")"]
    case 6: return inner(&self) + ["?"] + inner(&self) + [":"] + inner(&self)
    case 7: return [choice(Self.names), ".", choice(Self.fields)]
    case 8:
      return ["("] + inner(&self) + [")", ".", choice(Self.methods), "("]
        + separated(0...2, inner) + [")"]
    case 9: return [choice(Self.functions), "("] + separated(0...3, inner) + [")"]
    case 10: return ["["] + separated(0...3, inner) + ["]"]
    case 11: return ["{"] + separated(0...2) { ["'k'", ":"] + inner(&$0) } + ["}"]
    case 12: return [choice(Self.names), "["] + inner(&self) + [":"] + inner(&self) + ["]"]
    default: return ["/a", "/$("] + inner(&self) + [")", "/b"]
    }
  }

  private mutating func function(_ name: String) -> [String] {
    let parameters = Array(["a", "b", "c"].prefix(random.int(0...3)))
    var tokens = ["function", name, "(", parameters.joined(separator: ", "), ")", "{"]
    for name in ["u", "v"].prefix(random.int(0...2)) {
      tokens += ["let", name, "="] + expression(random.int(0...2)) + [";"]
    }
    return tokens + ["return"] + expression(random.int(0...3)) + [";", "}"]
  }

  private mutating func allow() -> [String] {
    let methods = ["read", "get, list", "write", "create", "update, delete"]
    var tokens = ["allow", choice(methods)]
    if !random.once(in: 10) { tokens += [":", "if"] + expression(random.int(0...3)) }
    return tokens + (random.once(in: 10) ? [] : [";"])
  }

  private mutating func match(_ depth: Int) -> [String] {
    var tokens = ["match"]
    tokens.append(choice(["/t/{id}", "/{p=**}", "/c/d", "/{x}/{y=*}", "/t/{id}/s/{z}"]))
    tokens.append("{")
    for _ in 0..<random.int(1...2) {
      switch random.int(0...3) {
      case 0 where depth > 0: tokens += match(depth - 1)
      case 1: tokens += function("f")
      default: tokens += allow()
      }
    }
    return tokens + ["}"]
  }

  /// The tokens of a whole ruleset.
  mutating func ruleset() -> [String] {
    var tokens = random.once(in: 5) ? [] : ["rules_version", "=", "'2'", ";"]
    if random.once(in: 5) { tokens += function("g") }
    tokens += ["service", "cloud.firestore", "{", "match", "/databases/{db}/documents", "{"]
    for _ in 0..<random.int(1...3) {
      tokens += random.once(in: 3) ? function(choice(["f", "g"])) : match(1)
    }
    return tokens + ["}", "}"]
  }

  /// `tokens` with some taken out, put in, exchanged or doubled, or with the end cut off.
  mutating func broken(_ tokens: [String]) -> [String] {
    var tokens = tokens
    for _ in 0...random.int(0...2) where !tokens.isEmpty {
      let index = random.int(0...(tokens.count - 1))
      switch random.int(0...5) {
      case 0: tokens.remove(at: index)
      case 1: tokens.insert(choice(Self.strays), at: index)
      case 2: tokens[index] = choice(Self.strays)
      case 3: tokens.insert(tokens[index], at: index)
      case 4: tokens.swapAt(index, random.int(0...(tokens.count - 1)))
      default: tokens.removeSubrange(index...)
      }
    }
    return tokens
  }

  /// The tokens with blanks, line ends and comments between them.
  mutating func text(_ tokens: [String]) -> String {
    let blanks = Array(repeating: " ", count: 8) + ["\n", "\r\n  ", " /* 주석 */ ", " // é\n"]
    return tokens.reduce(into: "") { text, token in
      text += choice(blanks)
      text += token
    }
  }
}
