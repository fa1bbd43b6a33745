#pragma once
#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli) of `count` bytes behind those that gave `crc`; 0 begins. By an instruction of the processor if it has
/// one, else by tables.
uint32_t cplatform_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same by tables only.
uint32_t cplatform_crc32c_tables(uint32_t crc, const void *bytes, size_t count);

/// Whether `count` bytes are the same at both places.
static inline int cplatform_equal(const void *left, const void *right, size_t count) {
  return __builtin_memcmp(left, right, count) == 0;
}

/// `base` to the power of `exponent`.
double cplatform_power(double base, double exponent);

/// The angle in radians between two places given in degrees, by the haversine formula.
double cplatform_great_circle(double latitude, double longitude, double other_latitude, double other_longitude);
