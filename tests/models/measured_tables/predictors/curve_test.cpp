/// Curves: exact where measured, tiles between, trends beyond, and forests tabulated step by step.
#include "models/measured_tables/predictors/curve.hpp"
#include "models/measured_tables/predictors/make_curve.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "models/measured_tables/predictors/fitted_curve.hpp"
#include "models/measured_tables/predictors/forest_curve.hpp"
#include "models/measured_tables/predictors/trend.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(curve_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

constexpr PredictionMethod fitted = PredictionMethod::fitted;
constexpr PredictionMethod forest = PredictionMethod::forest;

/// 1 us per token and 10 us, in tiles of 64 tokens, at every 8th number of tokens that is not in `holes`.
std::vector<CurvePoint> staircase(const std::vector<double>& holes) {
  std::vector<CurvePoint> points;
  for (double tokens = 8; tokens <= 1024; tokens += 8)
    if (std::find(holes.begin(), holes.end(), tokens) == holes.end())
      points.push_back({tokens, 10e-6 + 1e-6 * 64 * std::ceil(tokens / 64)});
  return points;
}

}  // namespace

BOOST_AUTO_TEST_CASE(exact_where_measured_repeats_averaged) {
  const std::vector<CurvePoint> points = {{8, 3e-5}, {16, 5e-5}, {16, 7e-5}, {32, 9e-5}, {64, 8e-5}, {4, 2e-5}};
  const Curve curve = make_curve(points, fitted);
  for (const auto& [tokens, seconds] : {std::pair{4u, 2e-5}, {8u, 3e-5}, {16u, 6e-5}, {32u, 9e-5}, {64u, 8e-5}}) {
    BOOST_TEST(curve.predict(tokens).time.value() == seconds, tt::tolerance(1e-15));
    BOOST_TEST((curve.predict(tokens).coverage == Coverage::measured));
  }
  // Two repeats 1/6 off their mean: for a sample of two that is 1/6 * sqrt(2).
  BOOST_TEST(curve.relative_error(Coverage::measured) == std::sqrt(2.0) / 6.0, tt::tolerance(1e-12));
}

struct CoverageCase {
  const char* why;
  std::uint32_t tokens;
  Coverage expected;
};

const CoverageCase coverage_cases[] = {
    {"before the first key", 4, Coverage::extrapolated},
    {"first key", 8, Coverage::measured},
    {"between keys", 12, Coverage::interpolated},
    {"a fraction is no whole number", 20, Coverage::interpolated},
    {"last key", 64, Coverage::measured},
    {"beyond the last key", 65, Coverage::extrapolated},
    {"far beyond", 4000000000u, Coverage::extrapolated},
};
BOOST_DATA_TEST_CASE(coverage_says_what_a_prediction_rests_on, bdata::make(coverage_cases), c) {
  const std::vector<CurvePoint> points = {{8, 1e-5}, {16, 2e-5}, {20.5, 3e-5}, {64, 4e-5}};
  for (const PredictionMethod method : {fitted, forest})
    BOOST_TEST((make_curve(points, method).predict(c.tokens).coverage == c.expected));
}

BOOST_AUTO_TEST_CASE(power_laws_are_interpolated_in_logarithms) {
  std::vector<CurvePoint> points;
  for (double tokens = 1; tokens <= 4096; tokens *= 2) points.push_back({tokens, 1e-6 * std::sqrt(tokens)});
  const Curve curve = make_curve(points, fitted);
  for (const std::uint32_t tokens : {3u, 5u, 100u, 3000u})
    BOOST_TEST(curve.seconds(tokens) == 1e-6 * std::sqrt(tokens), tt::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(a_hole_takes_the_level_of_its_tile) {
  // 128 is the last of its tile and 136 the first of the next: straight interpolation would be 32 us off at both.
  const Curve curve = make_curve(staircase({128, 136, 512}), fitted);
  BOOST_TEST(curve.seconds(128) == 138e-6, tt::tolerance(0.01));
  BOOST_TEST(curve.seconds(512) == 522e-6, tt::tolerance(0.01));
  BOOST_TEST(curve.seconds(136) == 202e-6, tt::tolerance(0.01));
  BOOST_TEST(curve.seconds(130) == 202e-6, tt::tolerance(0.01));  // between keys, in the tile that begins at 129
  BOOST_TEST(curve.seconds(125) == 138e-6, tt::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(linear_times_continue_on_both_sides) {
  std::vector<CurvePoint> points;
  for (double tokens = 100; tokens <= 1000; tokens += 50) points.push_back({tokens, 2e-5 + 3e-7 * tokens});
  const Curve curve = make_curve(points, fitted);
  for (const std::uint32_t tokens : {1u, 50u, 99u, 1001u, 2000u, 1000000u})
    BOOST_TEST(curve.seconds(tokens) == 2e-5 + 3e-7 * tokens, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(trends_never_fall) {
  // Noise falls towards the end; a free line through these keys would become negative.
  std::vector<CurvePoint> points;
  for (double tokens = 8; tokens <= 512; tokens += 8) points.push_back({tokens, 1e-5 * (2 - tokens / 512)});
  const Curve curve = make_curve(points, fitted);
  for (std::uint32_t tokens = 512; tokens < 100000; tokens += 97)
    BOOST_TEST(curve.seconds(tokens + 97) >= curve.seconds(tokens));
}

BOOST_AUTO_TEST_CASE(no_time_stays_no_time) {
  const std::vector<CurvePoint> points = {{1, 0}, {2, 0}, {8, 0}, {16, 0}};
  for (const PredictionMethod method : {fitted, forest})
    for (const std::uint32_t tokens : {1u, 5u, 16u, 100u})
      BOOST_TEST(make_curve(points, method).seconds(tokens) == 0.0);
}

BOOST_AUTO_TEST_CASE(one_key_is_flat) {
  const Curve curve = make_curve(std::vector<CurvePoint>{{16, 4e-5}}, fitted);
  BOOST_TEST(curve.seconds(1) == 4e-5, tt::tolerance(1e-12));
  BOOST_TEST(curve.seconds(1000) == 4e-5, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(absurd_keys_cost_no_memory) {
  // A table may say anything; numbers above 2^18 are answered by the trend.
  const std::vector<CurvePoint> points = {{8, 1e-5}, {16, 2e-5}, {1e15, 3.0}};
  for (const PredictionMethod method : {fitted, forest}) {
    const Curve curve = make_curve(points, method);
    BOOST_TEST(curve.seconds(8) > 0.0);
    BOOST_TEST(std::isfinite(curve.seconds(4000000000u)));
    BOOST_TEST((curve.predict(300000).coverage == Coverage::extrapolated));
  }
}

BOOST_AUTO_TEST_CASE(order_of_points_does_not_matter) {
  std::vector<CurvePoint> points = staircase({64});
  points.push_back({128, 150e-6});
  const Curve forwards = make_curve(points, fitted);
  const Curve backwards = make_curve(std::vector<CurvePoint>(points.rbegin(), points.rend()), fitted);
  for (std::uint32_t tokens = 1; tokens < 1100; ++tokens)
    BOOST_TEST(forwards.seconds(tokens) == backwards.seconds(tokens));
}

BOOST_AUTO_TEST_CASE(forest_is_tabulated_exactly) {
  std::vector<CurvePoint> points = staircase({});
  points.push_back({0.25, 5e-6});  // network tables have fractions of tokens
  const Curve curve = forest_curve(points, ForestSettings{});
  std::vector<ForestSample> samples;
  for (const CurvePoint& point : points) samples.push_back({point.tokens, 0.0, point.seconds});
  const Forest walked = grow_forest(samples, ForestSettings{});
  for (std::uint32_t tokens = 0; tokens <= 1024; ++tokens)
    BOOST_TEST(curve.seconds(tokens) == walked.predict(tokens, 0.0), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(curve.seconds(5000) == curve.seconds(1024));
}

BOOST_AUTO_TEST_CASE(borders_lie_where_single_precision_puts_them) {
  // Half of 2 * 1024 = 1020.8 + 1027.2, both a little less in single precision: 1024 is on the right. A tree that draws
  // both keys says 2 there, one that draws a single key says its value.
  const std::vector<CurvePoint> points = {{1020.8, 1.0}, {1027.2, 2.0}};
  const double trees_of_one_key = 0.5;
  BOOST_TEST(forest_curve(points, ForestSettings{.trees = 4000}).seconds(1024) ==
                 (1.0 - trees_of_one_key) * 2.0 + trees_of_one_key * 1.5,
             boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(many_at_once_are_the_same) {
  const Curve curve = make_curve(staircase({128}), fitted);
  const std::vector<std::uint32_t> tokens = {1, 8, 128, 1024, 1025, 70000};
  std::vector<double> seconds(tokens.size());
  std::vector<Coverage> coverage(tokens.size());
  curve.predict(tokens, seconds, coverage);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    BOOST_TEST(seconds[i] == curve.predict(tokens[i]).time.value());
    BOOST_TEST((coverage[i] == curve.predict(tokens[i]).coverage));
  }
}

BOOST_AUTO_TEST_CASE(errors_are_those_of_the_table) {
  // Log-log interpolation of a straight power law errs nowhere, and its repeats tell the noise.
  std::vector<CurvePoint> points;
  for (double tokens = 8; tokens <= 4096; tokens *= 2) points.push_back({tokens, 1e-6 * tokens});
  const Curve curve = make_curve(points, fitted);
  BOOST_TEST(curve.relative_error(Coverage::interpolated) < 1e-6);
  BOOST_TEST(curve.relative_error(Coverage::extrapolated) < 1e-6);
  BOOST_TEST(make_curve(points, forest).relative_error(Coverage::interpolated) > 0.1);
}

BOOST_AUTO_TEST_CASE(trend_keeps_coefficients_from_falling_below_zero) {
  std::vector<TrendPoint> points;
  for (double x = 1; x <= 10; x += 1) points.push_back({{1, x, x * x, 0}, 3 + 2 * x});
  const TrendTerms exact = fit_trend(points);
  BOOST_TEST(exact[0] == 3.0, tt::tolerance(1e-6));
  BOOST_TEST(exact[1] == 2.0, tt::tolerance(1e-6));
  BOOST_TEST(exact[2] < 1e-6);
  BOOST_TEST(exact[3] == 0.0);
  for (TrendPoint& point : points) point.seconds = 30 - 2 * point.terms[1];
  for (const double coefficient : fit_trend(points)) BOOST_TEST(coefficient >= 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
