internal import NetIO

/// Why an emulator could not start or serve.
public struct EmulatorError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// Another process has the port.
    case portTaken
    /// The host is unknown or no address of this machine.
    case badAddress
    /// The data folder cannot be used.
    case storage
    /// The file of rules cannot be read.
    case rules
    /// The system refused something else.
    case system
  }

  public var code: Code
  /// One sentence for the user.
  public var description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// What kept the configured address from being listened at.
  init(_ error: NetIOError, host: String, port: UInt16) {
    let address = "\(host):\(port)"
    switch error.code {
    case .addressInUse:
      let owner = PortOwner.find(port).map { " by \($0.name) (process \($0.processIdentifier))" }
      self.init(.portTaken, "Port \(port) of \(host) is already in use\(owner ?? "").")
    case .unknownHost, .addressNotAvailable:
      self.init(.badAddress, "Cannot listen at \(address): \(error.message).")
    case .permissionDenied, .connectionReset, .connectionRefused, .notFound, .outOfResources,
      .system:
      self.init(.system, "Cannot listen at \(address): \(error.message).")
    }
  }
}
