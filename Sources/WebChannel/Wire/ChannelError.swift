/// A request that breaks the protocol; the text is for the console of a browser.
package struct ChannelError: Error, Hashable, Sendable {
  package var text: String

  static let tooManyMessages = ChannelError(text: "Too many messages in one request")
  static let tooManyFields = ChannelError(text: "Too many header fields")
  static let badNumber = ChannelError(text: "Bad number in the form")
  static let badEscape = ChannelError(text: "Bad escape in the form")
}
