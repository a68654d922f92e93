/// Quantiles against closed forms and published tables.
#include "models/statistics/distributions.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(distributions_test)

using namespace dfsweep;
namespace bdata = boost::unit_test::data;

namespace {

struct Quantile {
  const char* why;
  double p, degrees, expected;  ///< degrees 0: normal
};

const double pi = std::numbers::pi;

const Quantile quantiles[] = {
    {"the middle of the normal", 0.5, 0, 0.0},
    {"two-sided 95 % of the normal", 0.975, 0, 1.959963984540054},
    {"one sd of the normal", 0.841344746068542949, 0, 1.0},
    {"far tail of the normal", 1e-10, 0, -6.361340902404056},
    {"the middle of Student", 0.5, 7, 0.0},
    {"one degree is Cauchy: tan(pi (p - 1/2))", 0.975, 1, std::tan(pi * 0.475)},
    {"two degrees: a / sqrt(2 p (1 - p)), a = 2 p - 1", 0.975, 2, 0.95 / std::sqrt(2 * 0.975 * 0.025)},
    {"tables, 10 degrees", 0.975, 10, 2.2281388519649385},
    {"tables, 30 degrees", 0.975, 30, 2.0422724563012373},
    {"tables, 30 degrees, lower tail", 0.025, 30, -2.0422724563012373},
    {"four degrees: 2 sqrt(cos(acos(sqrt a) / 3) / sqrt a - 1), a = 4 p (1 - p)", 0.995, 4,
     2 * std::sqrt(std::cos(std::acos(std::sqrt(0.0199)) / 3) / std::sqrt(0.0199) - 1)},
};

}  // namespace

BOOST_DATA_TEST_CASE(quantiles_match_closed_forms_and_tables, bdata::make(quantiles), c) {
  const double found = c.degrees == 0 ? normal_quantile(c.p) : student_quantile(c.p, c.degrees);
  BOOST_TEST(std::abs(found - c.expected) <= 1e-11 * (1.0 + std::abs(c.expected)), found << " for " << c.expected);
}

// P(T <= t) is 1/2 + atan(t) / pi for one degree of freedom and 1/2 + t / (2 sqrt(2 + t^2)) for two.
BOOST_AUTO_TEST_CASE(quantiles_undo_probabilities) {
  for (const double p : {1e-6, 0.025, 0.2, 0.5, 0.7, 0.975, 0.999}) {
    BOOST_TEST(std::abs(normal_cdf(normal_quantile(p)) - p) < 1e-15);
    const double one = student_quantile(p, 1.0);
    const double two = student_quantile(p, 2.0);
    BOOST_TEST(std::abs(0.5 + std::atan(one) / pi - p) < 1e-14);
    BOOST_TEST(std::abs(0.5 + 0.5 * two / std::sqrt(2.0 + two * two) - p) < 1e-14);
    for (const double degrees : {0.7, 1.5, 3.0, 29.7, 1e4})
      BOOST_TEST(student_quantile(p, degrees) == -student_quantile(1.0 - p, degrees),
                 boost::test_tools::tolerance(1e-9));
  }
}

// P(X <= x) is 1 - exp(-x) for shape one and 1 - (1 + x) exp(-x) for two.
BOOST_AUTO_TEST_CASE(gamma_quantiles_undo_probabilities) {
  for (const double p : {0.0, 1e-6, 0.025, 0.2, 0.5, 0.7, 0.975, 0.999}) {
    const double one = gamma_quantile(p, 1.0);
    const double two = gamma_quantile(p, 2.0);
    BOOST_TEST(std::abs(1.0 - std::exp(-one) - p) < 1e-14);
    BOOST_TEST(std::abs(1.0 - (1.0 + two) * std::exp(-two) - p) < 1e-14);
  }
}

// F >= f has the probability 1 - 2 atan(sqrt f) / pi for one and one degree of freedom, (1 + 2 f / d)^(-d / 2) for two
// and d. The inverse of a ratio is a ratio with its degrees exchanged.
BOOST_AUTO_TEST_CASE(tails_of_variance_ratios_match_closed_forms) {
  for (const double f : {0.0, 0.1, 0.5, 1.0, 3.0, 20.0}) {
    BOOST_TEST(std::abs(variance_ratio_tail(f, 1.0, 1.0) - (1.0 - 2.0 * std::atan(std::sqrt(f)) / pi)) < 1e-14);
    for (const double d : {1.0, 2.0, 7.0, 40.0}) {
      BOOST_TEST(std::abs(variance_ratio_tail(f, 2.0, d) - std::pow(1.0 + 2.0 * f / d, -0.5 * d)) < 1e-14);
      if (f > 0.0)
        BOOST_TEST(std::abs(variance_ratio_tail(f, 5.0, d) + variance_ratio_tail(1.0 / f, d, 5.0) - 1.0) < 1e-14);
    }
  }
  BOOST_TEST(std::abs(variance_ratio_tail(3.3258, 5.0, 10.0) - 0.05) < 1e-5);  // tables
}

BOOST_AUTO_TEST_CASE(student_approaches_the_normal_from_outside) {
  double wider = student_quantile(0.975, 5.0);
  for (const double degrees : {10.0, 100.0, 1e4, 1e6}) {
    const double quantile = student_quantile(0.975, degrees);
    BOOST_TEST(quantile < wider);
    BOOST_TEST(quantile > normal_quantile(0.975));
    wider = quantile;
  }
  BOOST_TEST(wider - normal_quantile(0.975) < 1e-5);
}

BOOST_AUTO_TEST_SUITE_END()
