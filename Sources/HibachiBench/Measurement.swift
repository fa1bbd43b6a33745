/// One number of a run, with what it may be at most or has to be at least.
struct Measurement {
  enum Limit {
    case atMost(Double)
    case atLeast(Double)
  }

  let name: String
  let value: Double
  let unit: String
  let limit: Limit?

  init(_ name: String, _ value: Double, _ unit: String, _ limit: Limit? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.limit = limit
  }

  /// Whether the value keeps its limit; `nil` without one.
  var isWithin: Bool? {
    switch limit {
    case .atMost(let bound): value <= bound
    case .atLeast(let bound): value >= bound
    case nil: nil
    }
  }

  /// The value with three significant digits or more.
  static func text(_ value: Double) -> String {
    let scale: Double = abs(value) < 10 ? 100 : abs(value) < 100 ? 10 : 1
    let rounded = (value * scale).rounded() / scale
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}

/// The median of some values; 0 of none.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}

/// The value that `part` of some values, such as 0.99, do not exceed; 0 of none.
func quantile(_ part: Double, of values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
}
