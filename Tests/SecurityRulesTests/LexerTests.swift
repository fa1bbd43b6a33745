import Testing

@testable import SecurityRules

@Test func empty() { #expect(!Ruleset(name: "", content: "").isValid) }
