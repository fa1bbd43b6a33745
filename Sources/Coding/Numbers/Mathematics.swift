internal import CPlatform

/// What takes more than arithmetic.
package enum Mathematics {
  /// `base` to the power of `exponent`, as C has it.
  package static func power(_ base: Double, _ exponent: Double) -> Double {
    cplatform_power(base, exponent)
  }

  /// The angle in radians between two places in degrees: times the radius, their distance on a sphere.
  package static func greatCircle(
    _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
  ) -> Double {
    cplatform_great_circle(latitude, longitude, otherLatitude, otherLongitude)
  }
}
