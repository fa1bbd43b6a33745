internal import CUV

/// The time of day as the system has it; it can jump.
package enum WallClock {
  /// Microseconds since 1970 in UTC.
  package static var microseconds: Int64 {
    var time = uv_timeval64_t()
    unsafe uv_gettimeofday(&time)
    return time.tv_sec * 1_000_000 + Int64(time.tv_usec)
  }
}
