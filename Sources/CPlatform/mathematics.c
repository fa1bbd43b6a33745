#include "CPlatform.h"

#include <math.h>

double cplatform_power(double base, double exponent) { return pow(base, exponent); }

double cplatform_great_circle(double latitude, double longitude, double other_latitude, double other_longitude) {
  const double radians = M_PI / 180;
  const double start = latitude * radians, end = other_latitude * radians;
  const double north = sin((end - start) / 2);
  const double east = sin((other_longitude * radians - longitude * radians) / 2);
  const double chord = north * north + east * east * cos(start) * cos(end);
  return 2 * asin(sqrt(fmin(1, chord)));
}
