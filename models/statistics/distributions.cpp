#include "models/statistics/distributions.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep {

namespace {

/// Policy to compute in double, because long double differs between machines.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Normal = boost::math::normal_distribution<double, InDouble>;
using Student = boost::math::students_t_distribution<double, InDouble>;

}  // namespace

double normal_cdf(double x) {
  return boost::math::cdf(Normal(), x);
}

double normal_quantile(double p) {
  DFSWEEP_EXPECT(p > 0.0 && p < 1.0);
  return boost::math::quantile(Normal(), p);
}

double student_quantile(double p, double degrees) {
  DFSWEEP_EXPECT(p > 0.0 && p < 1.0 && degrees > 0.0);
  return boost::math::quantile(Student(degrees), p);
}

double gamma_quantile(double p, double shape) {
  DFSWEEP_EXPECT(p >= 0.0 && p < 1.0 && shape > 0.0);
  return boost::math::gamma_p_inv(shape, p, InDouble());
}

double variance_ratio_tail(double ratio, double numerator_degrees, double denominator_degrees) {
  DFSWEEP_EXPECT(ratio >= 0.0 && numerator_degrees > 0.0 && denominator_degrees > 0.0);
  if (std::isinf(ratio)) return 0.0;
  return boost::math::ibeta(0.5 * denominator_degrees, 0.5 * numerator_degrees,
                            denominator_degrees / (denominator_degrees + numerator_degrees * ratio), InDouble());
}

}  // namespace dfsweep
