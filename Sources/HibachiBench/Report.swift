/// The results of a run, as a table and as JSON.
struct Report {
  private(set) var entries: [(benchmark: String, measurement: Measurement)] = []

  mutating func add(_ benchmark: String, _ measurements: [Measurement]) {
    entries += measurements.map { (benchmark, $0) }
  }

  var table: String {
    let rows = entries.map { entry in
      let measurement = entry.measurement
      return [
        entry.benchmark, measurement.name,
        "\(Measurement.text(measurement.value)) \(measurement.unit)", limitText(measurement),
        measurement.isWithin.map { $0 ? "within" : "OVER" } ?? "",
      ]
    }
    let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        .joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private func limitText(_ measurement: Measurement) -> String {
    switch measurement.limit {
    case .atMost(let bound): "≤ \(Measurement.text(bound))"
    case .atLeast(let bound): "≥ \(Measurement.text(bound))"
    case nil: ""
    }
  }

  var json: String {
    let rows = entries.map { entry -> String in
      let measurement = entry.measurement
      var members = [
        "\"benchmark\": \"\(entry.benchmark)\"", "\"name\": \"\(measurement.name)\"",
        "\"value\": \(measurement.value)", "\"unit\": \"\(measurement.unit)\"",
      ]
      switch measurement.limit {
      case .atMost(let bound): members.append("\"atMost\": \(bound)")
      case .atLeast(let bound): members.append("\"atLeast\": \(bound)")
      case nil: break
      }
      return "  {\(members.joined(separator: ", "))}"
    }
    return "[\n\(rows.joined(separator: ",\n"))\n]\n"
  }
}
