/// Who asks.
package enum Principal: Hashable, Sendable {
  /// Nobody signed in.
  case anonymous
  /// The owner of the project, whom rules do not bind.
  case administrator
  /// A signed-in user.
  case user(UserToken)
}
