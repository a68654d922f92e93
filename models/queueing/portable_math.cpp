#include "models/queueing/portable_math.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace dfsweep::queueing {

namespace {

// ln 2 in two parts: products of the first with whole numbers below 2^11 are exact.
constexpr double ln2_high = 0x1.62e42fefa38p-1;
constexpr double ln2_low = 0x1.ef35793c7673p-45;

/// Coefficients from the highest power down.
double polynomial(const std::array<double, 8>& coefficients, double x) {
  double sum = 0.0;
  for (const double c : coefficients) sum = sum * x + c;
  return sum;
}

using Coefficients = std::array<double, 8>;
constexpr Coefficients centre_over = {2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
                                      45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
                                      133.14166789178437745, 3.387132872796366608};
constexpr Coefficients centre_under = {
    5226.495278852545925,  28729.085735721942674, 39307.89580009271061,  21213.794301586595867,
    5394.1960214247511077, 687.1870074920579083,  42.313330701600911252, 1.0};
constexpr Coefficients middle_over = {7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
                                      1.27045825245236838258,   3.64784832476320460504,   5.7694972214606914055,
                                      4.6303378461565452959,    1.42343711074968357734};
constexpr Coefficients middle_under = {
    1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966, 0.14810397642748007459,
    0.68976733498510000455,    1.6763848301838038494,   2.05319162663775882187,   1.0};
constexpr Coefficients tail_over = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
                                    0.026532189526576123093,   0.29656057182850489123,    1.7848265399172913358,
                                    5.4637849111641143699,     6.6579046435011037772};
constexpr Coefficients tail_under = {
    2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5, 7.868691311456132591e-4,
    0.0148753612908506148525,   0.13692988092273580531,   0.59983220655588793769,   1.0};

}  // namespace

double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // in [1/2, 1)
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --exponent;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), whose series converges quickly for |argument| < 0.172.
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double sum = 0.0;
  for (int k = 23; k >= 3; k -= 2) sum = (sum + 1.0 / k) * s2;
  const double e = exponent;
  return e * ln2_high + (2.0 * (s + s * sum) + e * ln2_low);
}

double portable_exp(double x) {
  const double k = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;
  double sum = 1.0;
  for (int j = 14; j >= 1; --j) sum = 1.0 + sum * r / j;
  return std::ldexp(sum, static_cast<int>(k));
}

double portable_normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(centre_over, r) / polynomial(centre_under, r);
  }
  const double r = std::sqrt(-portable_log(q < 0.0 ? p : 1.0 - p));
  const double size = r <= 5.0 ? polynomial(middle_over, r - 1.6) / polynomial(middle_under, r - 1.6)
                               : polynomial(tail_over, r - 5.0) / polynomial(tail_under, r - 5.0);
  return q < 0.0 ? -size : size;
}

}  // namespace dfsweep::queueing
