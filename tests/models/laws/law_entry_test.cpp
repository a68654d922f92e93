/// Laws as entries: what they say, what is no law, and the plateau along a line of equal batch.
#include "models/laws/law_entry.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(law_entry_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

Entry entry_of(std::map<std::string, double, std::less<>> numbers) {
  Entry entry;
  entry.name = "mine";
  entry.numbers = std::move(numbers);
  return entry;
}

struct BadLaw {
  const char* why;
  Entry entry;
  std::vector<std::string> fields;
};

const BadLaw bad_laws[] = {
    {"no batch", entry_of({{"lr_intercept", 1.0}}), {"batch_intercept"}},
    {"half a curvature",
     entry_of({{"lr_intercept", 1.0}, {"batch_intercept", 1.0}, {"curvature_xx", 1.0}}),
     {"curvature_xy", "curvature_yy"}},
    {"a saddle",
     entry_of({{"lr_intercept", 1.0},
               {"batch_intercept", 1.0},
               {"curvature_xx", 1.0},
               {"curvature_xy", 2.0},
               {"curvature_yy", 1.0}}),
     {"curvature_xx"}},
};

}  // namespace

BOOST_DATA_TEST_CASE(what_is_no_law_is_refused, bdata::make(bad_laws), c) {
  const std::vector<EntryProblem> problems = law_of(c.entry).problems;
  BOOST_REQUIRE(problems.size() == c.fields.size());
  for (std::size_t i = 0; i < problems.size(); ++i) BOOST_TEST(problems[i].fields.at(0) == c.fields[i]);
}

BOOST_AUTO_TEST_CASE(sums_of_logarithms) {
  const EntryLaw law =
      law_of(entry_of({{"lr_intercept", 1.0}, {"lr_lnN", -0.5}, {"batch_intercept", 2.0}, {"batch_lnD", 0.25}})).value;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const LogPoint point = law.at({4.0, nan, 8.0, nan, nan});  // what the law does not use may be unknown
  BOOST_TEST(point.x == -1.0);
  BOOST_TEST(point.y == 4.0);
  BOOST_TEST(!law.curvature);
}

BOOST_AUTO_TEST_CASE(a_plain_rate_is_no_logarithm) {
  Entry entry = entry_of({{"lr_intercept", 0.003}, {"lr_lnN", -0.001}, {"batch_intercept", 0.0}});
  entry.texts["kind"] = "plain_rate";
  const EntryLaw law = law_of(entry).value;
  BOOST_TEST(law.at({1.0, 0.0, 0.0, 0.0, 0.0}).x == std::log(0.002));
  BOOST_TEST(std::isnan(law.at({4.0, 0.0, 0.0, 0.0, 0.0}).x));  // below 0
}

BOOST_AUTO_TEST_CASE(fields_are_what_an_entry_is_read_from) {
  EntryLaw law{RateScale::logarithm,
               {1.5, {-0.7, 0.0, 0.2, 0.0, 0.0}},
               {2.5, {0.0, -0.25, 0.6, 0.0, 0.0}},
               Hessian{0.012, -0.005, 0.011},
               ScaleRange{{1e8, 2e9}, {1e8, 3e8}, {1e9, 4e9}},
               LawUncertainty{0.95, {2.1, {1.0, 0.1, 1.0, 0.1, 0.2, 1.0}}, {2.2, {3.0, 0.1, 1.0, 0.1, 0.2, 1.0}}}};
  Entry entry = entry_of({});
  for (const auto& [name, value] : fields_of(law)) entry.numbers[name] = value;
  for (const auto& [name, values] : lists_of(law)) entry.lists[name] = values;
  BOOST_TEST((law_of(entry).value == law));
}

// f = (1, ln N), C = (4, -0.5; -0.5, 0.25): at ln N = 2 the variance is 4 - 2 + 1 = 3.
BOOST_AUTO_TEST_CASE(intervals_by_hand) {
  const LogLinear target{1.0, {-0.5, 0.0, 0.0, 0.0, 0.0}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Interval interval = interval_at(target, {2.0, {4.0, -0.5, 0.25}}, {2.0, nan, nan, nan, nan});
  BOOST_TEST(interval.low == -2.0 * std::sqrt(3.0), tt::tolerance(1e-14));
  BOOST_TEST(interval.high == 2.0 * std::sqrt(3.0), tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(range_and_intervals_are_whole_or_not_there) {
  Entry entry = entry_of({{"lr_intercept", 1.0}, {"lr_lnN", -0.5}, {"batch_intercept", 2.0}});
  entry.lists["range_N"] = {2e8, 1e8};
  entry.lists["range_D"] = {1e9, 1e10};
  entry.lists["lr_covariance"] = {1.0, 0.5};
  entry.lists["batch_covariance"] = {1.0};
  entry.numbers["interval_confidence"] = 0.95;
  entry.numbers["batch_quantile"] = 2.0;
  std::vector<std::string> fields;
  for (const EntryProblem& problem : law_of(entry).problems) fields.push_back(problem.fields.at(0));
  const std::vector<std::string> expected = {"range_N", "range_Na", "lr_covariance", "lr_quantile"};
  BOOST_TEST(fields == expected, tt::per_element());
}

BOOST_AUTO_TEST_CASE(the_plateau_at_a_batch_by_hand) {
  // H = (2, 0, 2), excess d with ln(1 + d) = 1: the circle u^2 + v^2 <= 1.
  const Hessian circle{2.0, 0.0, 2.0};
  const double excess = std::expm1(1.0);
  const RateRange middle = plateau_rates(circle, {10.0, 20.0}, 20.0, excess);
  BOOST_TEST(middle.low == 9.0, tt::tolerance(1e-14));
  BOOST_TEST(middle.high == 11.0, tt::tolerance(1e-14));
  const RateRange off = plateau_rates(circle, {10.0, 20.0}, 20.6, excess);  // sqrt(1 - 0.36) = 0.8
  BOOST_TEST(off.low == 9.2, tt::tolerance(1e-14));
  BOOST_TEST(off.high == 10.8, tt::tolerance(1e-14));
  BOOST_TEST(std::isnan(plateau_rates(circle, {10.0, 20.0}, 21.5, excess).low));  // the batch alone costs more
  // H = (1, -0.5, 1), ln(1 + d) = 0.5 at v = 1: u^2 - u + 1 = 1, so u is 0 or 1.
  const RateRange ridge = plateau_rates({1.0, -0.5, 1.0}, {0.0, 0.0}, 1.0, std::expm1(0.5));
  BOOST_TEST(std::abs(ridge.low) < 1e-14);
  BOOST_TEST(ridge.high == 1.0, tt::tolerance(1e-14));
}

BOOST_AUTO_TEST_SUITE_END()
