/// The report on an expression and on its parts.
struct CoverageNode {
  var range: SourceRange
  var entries: [CoverageRecord.Entry]
  var children: [CoverageNode]
}

extension Coverage {
  /// The reports on all functions, then on all conditions, each in the order of the source.
  var nodes: [CoverageNode] {
    let functions = program.functions.map { function in
      CoverageNode(
        range: function.start.through(program.expressions[function.result].range),
        entries: entries(of: function.result),
        children: (function.bindings.map(\.value) + [function.result]).compactMap(node))
    }
    let conditions = program.services.flatMap { service in
      StatementIndex(service).statements.compactMap(\.statement.condition)
    }
    return functions.sorted { SourceRange.precedes($0.range, $1.range) }
      + conditions.compactMap(node).sorted { SourceRange.precedes($0.range, $1.range) }
  }

  /// `nil` for a literal. Goes down as deep as the expression is.
  private func node(_ id: ExpressionID) -> CoverageNode? {
    let expression = program.expressions[id]
    if case .literal = expression.kind { return nil }
    return CoverageNode(
      range: expression.range, entries: entries(of: id),
      children: expression.children.compactMap(node))
  }
}
