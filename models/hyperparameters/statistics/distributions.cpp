#include "models/hyperparameters/statistics/distributions.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "models/expect.hpp"

namespace dfsweep::hyperparameters {
namespace {

using Coefficients = std::array<double, 8>;

double polynomial(const Coefficients& c, double x) {
  double value = 0.0;
  for (std::size_t i = c.size(); i-- > 0;) value = value * x + c[i];
  return value;
}

// Rational approximations of AS 241: near the centre, in the tails, far out in the tails.
constexpr Coefficients centre_above = {3.3871328727963666080,   1.3314166789178437745e2, 1.9715909503065514427e3,
                                       1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                       3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr Coefficients centre_below = {1.0,
                                       4.2313330701600911252e1,
                                       6.8718700749205790830e2,
                                       5.3941960214247511077e3,
                                       2.1213794301586595867e4,
                                       3.9307895800092710610e4,
                                       2.8729085735721942674e4,
                                       5.2264952788528545610e3};
constexpr Coefficients tail_above = {1.42343711074968357734,    4.63033784615654529590,   5.76949722146069140550,
                                     3.64784832476320460504,    1.27045825245236838258,   2.41780725177450611770e-1,
                                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients tail_below = {1.0,
                                     2.05319162663775882187,
                                     1.67638483018380384940,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};
constexpr Coefficients far_above = {6.65790464350110377720,    5.46378491116411436990,    1.78482653991729133580,
                                    2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                    2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Coefficients far_below = {1.0,
                                    5.99832206555887937690e-1,
                                    1.36929880922735805310e-1,
                                    1.48753612908506148525e-2,
                                    7.86869131145613259100e-4,
                                    1.84631831751005468180e-5,
                                    1.42151175831644588870e-7,
                                    2.04426310338993978564e-15};

/// The continued fraction of the incomplete beta function I_x(a, b), by the method of Lentz.
/// It converges quickly for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300;
  const auto away_from_zero = [](double value) { return std::fabs(value) < tiny ? tiny : value; };
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double value = d;
  for (double m = 1.0; m < 10000.0; m += 1.0) {
    const auto step = [&](double numerator) {
      d = 1.0 / away_from_zero(1.0 + numerator * d);
      c = away_from_zero(1.0 + numerator / c);
      value *= d * c;
    };
    step(m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)));
    step(-(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)));
    if (std::fabs(d * c - 1.0) < 4e-16) break;
  }
  return value;
}

/// I_x(a, b), with `complement` = 1 - x given because the difference loses digits.
double incomplete_beta(double x, double complement, double a, double b) {
  if (x <= 0.0) return 0.0;
  if (complement <= 0.0) return 1.0;
  const double factor =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(complement));
  if (x < (a + 1.0) / (a + b + 2.0)) return factor * beta_fraction(x, a, b) / a;
  return 1.0 - factor * beta_fraction(complement, b, a) / b;
}

/// P(T > t) for t >= 0.
double student_tail(double t, double degrees) {
  const double sum = degrees + t * t;
  return 0.5 * incomplete_beta(degrees / sum, t * t / sum, 0.5 * degrees, 0.5);
}

double student_density(double t, double degrees) {
  return std::exp(std::lgamma(0.5 * (degrees + 1.0)) - std::lgamma(0.5 * degrees) -
                  0.5 * (degrees + 1.0) * std::log1p(t * t / degrees)) /
         std::sqrt(degrees * std::numbers::pi);
}

}  // namespace

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

double normal_quantile(double p) {
  DFSWEEP_EXPECT(p > 0.0 && p < 1.0);
  const double q = p - 0.5;
  if (std::fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(centre_above, r) / polynomial(centre_below, r);
  }
  const double r = std::sqrt(-std::log(q < 0.0 ? p : 1.0 - p));
  const double size = r <= 5.0 ? polynomial(tail_above, r - 1.6) / polynomial(tail_below, r - 1.6)
                               : polynomial(far_above, r - 5.0) / polynomial(far_below, r - 5.0);
  return q < 0.0 ? -size : size;
}

double student_cdf(double t, double degrees) {
  DFSWEEP_EXPECT(degrees > 0.0);
  const double tail = student_tail(std::fabs(t), degrees);
  return t < 0.0 ? tail : 1.0 - tail;
}

double student_quantile(double p, double degrees) {
  DFSWEEP_EXPECT(p > 0.0 && p < 1.0 && degrees > 0.0);
  if (p == 0.5) return 0.0;
  const double wanted = p < 0.5 ? p : 1.0 - p;
  double low = 0.0;
  double high = 1.0;
  while (student_tail(high, degrees) > wanted) high *= 2.0;
  double size = high;
  for (int step = 0; step < 200 && high - low > 1e-14 * high; ++step) {
    const double tail = student_tail(size, degrees);
    (tail > wanted ? low : high) = size;
    const double next = size + (tail - wanted) / student_density(size, degrees);  // Newton, held inside the bracket
    const bool is_inside = next > low && next < high;
    const double moved = is_inside ? next : 0.5 * (low + high);
    if (std::fabs(moved - size) <= 1e-15 * size) break;
    size = moved;
  }
  return p < 0.5 ? -size : size;
}

}  // namespace dfsweep::hyperparameters
