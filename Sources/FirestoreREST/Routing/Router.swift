internal import Coding
internal import FirestoreProtocol
internal import HTTPServer

/// Finds the method that a request is bound to.
struct Router: Sendable {
  /// A method with the variables of its path.
  struct Match {
    var method: V1.FirestoreMethod
    /// Variables by name, such as `parent`, segments joined with slashes.
    var variables: [(name: String, value: String)]
    /// A segment held an encoded slash, so that what is joined is not what was sent.
    var hasEncodedSlash: Bool
  }

  private struct Route: Sendable {
    var method: V1.FirestoreMethod
    var template: PathTemplate
  }

  /// By the method of HTTP, in the order of the methods.
  private let routes: [String: [Route]]

  /// Routes to all methods but those with a stream of requests, which plain HTTP cannot carry.
  init() {
    var routes: [String: [Route]] = [:]
    for method in V1.FirestoreMethod.allCases where !method.isClientStreaming {
      for binding in method.bindings {
        routes[binding.verb, default: []].append(
          Route(method: method, template: PathTemplate(binding.template)))
      }
    }
    self.routes = routes
  }

  /// The method for a target; `nil` if there is none.
  ///
  /// The custom verb is behind the last colon of the last segment. Of several bindings one with a verb wins, then
  /// one that leaves its name an even number of ids, as documents have, then the first.
  func match(_ httpMethod: String, _ target: HTTPTarget) -> Match? {
    guard let version = target.decodedSegments.first, version == "v1" || version == "v1beta1",
      let routes = routes[httpMethod]
    else { return nil }
    var plain = target.decodedSegments
    if version != "v1" { plain[0] = "v1" }
    let last = target.lastSegment.utf8
    var (verb, verbless) = ("", plain)
    if let colon = last.lastIndex(of: UInt8(ascii: ":")) {
      verb = String(target.lastSegment[last.index(after: colon)...])
      if let name = PercentCoding.decode(String(target.lastSegment[..<colon])) {
        verbless[verbless.count - 1] = name
      }
    }
    var best: (rank: Int, route: Route, variables: [PathTemplate.Binding])?
    for route in routes {
      let hasVerb = route.template.verb != nil
      if let expected = route.template.verb, expected != verb { continue }
      guard let variables = route.template.match(hasVerb ? verbless : plain) else { continue }
      let rank = hasVerb ? 2 : variables.allSatisfy(\.isBalanced) ? 1 : 0
      if rank > best?.rank ?? -1 { best = (rank, route, variables) }
    }
    guard let best else { return nil }
    return Match(
      method: best.route.method, variables: best.variables.map { ($0.name, $0.path) },
      hasEncodedSlash: target.hasEscapes
        && best.variables.contains { $0.segments.contains { $0.utf8.contains(slash) } })
  }
}

private let slash = UInt8(ascii: "/")

extension PathTemplate.Binding {
  /// The segments joined with slashes.
  fileprivate var path: String {
    guard let first = segments.first else { return "" }
    let count = segments.reduce(segments.count) { $0 + $1.utf8.count }
    return String(capacity: count) { path in
      path.append(first)
      for segment in segments.dropFirst() {
        path.append(slash)
        path.append(segment)
      }
    }
  }

  /// Not the name of a collection: an even number of ids below `documents`, if it is a name at all.
  fileprivate var isBalanced: Bool {
    segments.count < 5 || segments.count % 2 == 1
  }
}
