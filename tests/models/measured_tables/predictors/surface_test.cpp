/// Surfaces: exact where measured, estimated from neighbours, physical beyond; and forests tabulated step by step.
#include "models/measured_tables/predictors/surface.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "models/absent.hpp"
#include "models/measured_tables/predictors/forest.hpp"
#include "models/measured_tables/predictors/neighbour_fit.hpp"
#include "tests/support/named_rows.hpp"

BOOST_AUTO_TEST_SUITE(surface_test)

namespace bdata = boost::unit_test::data;
namespace tt = boost::test_tools;
using namespace dfsweep;

namespace {

constexpr PredictionMethod fitted = PredictionMethod::fitted;
constexpr PredictionMethod forest = PredictionMethod::forest;

double decode_time(double batch, double context) {
  return 5e-6 + 1e-7 * batch + 2e-9 * batch * context;
}

/// Prompts of up to 1024 tokens in chunks: context + chunk <= 1024.
std::vector<PrefillPoint> triangle(const std::function<double(double, double)>& time) {
  std::vector<PrefillPoint> points;
  for (double context = 0; context < 1024; context += 64)
    for (double chunk = 64; context + chunk <= 1024; chunk += 64)
      points.push_back({context, chunk, time(context, chunk)});
  return points;
}

double prefill_time(double context, double chunk) {
  return 1e-5 + 1e-8 * chunk + 3e-10 * chunk * (context + chunk / 2);
}

std::vector<DecodePoint> rectangle(const std::function<double(double, double)>& time,
                                   const std::function<bool(double, double)>& measured) {
  std::vector<DecodePoint> points;
  for (double batch = 1; batch <= 32; ++batch)
    for (double context = 64; context <= 1024; context += 64)
      if (measured(batch, context)) points.push_back({batch, context, time(batch, context)});
  return points;
}

bool everywhere(double, double) {
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(exact_where_measured_repeats_averaged) {
  std::vector<DecodePoint> points =
      rectangle([](double b, double c) { return 1e-6 * (b + std::sin(b * c)) + 1e-5; }, everywhere);
  const std::vector<DecodePoint> once = points;
  points.push_back({5, 128, 9e-5});
  const DecodeSurface surface = make_decode_surface(points, fitted);
  for (const DecodePoint& point : once) {
    const Prediction prediction =
        surface.predict(static_cast<std::uint32_t>(point.batch), static_cast<std::uint32_t>(point.context));
    const bool repeated = point.batch == 5 && point.context == 128;
    BOOST_TEST(prediction.time.value() == (repeated ? (point.seconds + 9e-5) / 2 : point.seconds),
               tt::tolerance(1e-15));
    BOOST_TEST((prediction.coverage == Coverage::measured));
  }
}

struct CoverageCase {
  const char* why;
  std::uint32_t context, chunk;
  Coverage expected;
};

const CoverageCase coverage_cases[] = {
    {"a key", 128, 64, Coverage::measured},
    {"a key at the border", 960, 64, Coverage::measured},
    {"between contexts of measured chunks", 100, 64, Coverage::interpolated},
    {"between contexts at the last chunk of both", 10, 960, Coverage::interpolated},
    {"between chunks", 64, 100, Coverage::interpolated},
    {"between four keys", 100, 100, Coverage::interpolated},
    {"a node beyond the longest prompt", 512, 576, Coverage::extrapolated},
    {"a cell with a corner beyond the longest prompt", 500, 520, Coverage::extrapolated},
    {"a smaller chunk than any", 64, 63, Coverage::extrapolated},
    {"a larger chunk than any", 0, 1025, Coverage::extrapolated},
    {"a longer context than any", 961, 64, Coverage::extrapolated},
};
BOOST_DATA_TEST_CASE(coverage_says_what_a_prediction_rests_on, bdata::make(coverage_cases), c) {
  for (const PredictionMethod method : {fitted, forest}) {
    const PrefillSurface surface = make_prefill_surface(triangle(prefill_time), method);
    BOOST_TEST((surface.coverage(c.context, c.chunk) == c.expected));
    BOOST_TEST((surface.predict(c.context, c.chunk).coverage == c.expected));
  }
}

BOOST_AUTO_TEST_CASE(physical_times_are_found_everywhere) {
  const DecodeSurface decode = make_decode_surface(rectangle(decode_time, everywhere), fitted);
  for (const auto& [batch, context] : {std::pair{3u, 100u}, {32u, 4096u}, {500u, 64u}, {500u, 5000u}, {1u, 1u}})
    BOOST_TEST(decode.seconds(batch, context) == decode_time(batch, context), tt::tolerance(1e-6));
  const PrefillSurface prefill = make_prefill_surface(triangle(prefill_time), fitted);
  for (const auto& [context, chunk] : {std::pair{0u, 4096u}, {5000u, 64u}, {5000u, 3000u}, {1000u, 1000u}, {0u, 8u}})
    BOOST_TEST(prefill.seconds(context, chunk) == prefill_time(context, chunk), tt::tolerance(1e-3));
  // Between nodes the square of the chunk is interpolated linearly: a little above.
  BOOST_TEST(prefill.seconds(100, 100) == prefill_time(100, 100), tt::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(steps_along_an_axis_are_learnt_from_its_other_lines) {
  // Batches of 9 and 17 begin another wave of blocks: 60 % longer, at every context.
  const auto stepped = [](double batch, double context) {
    return decode_time(batch, context) * std::pow(1.6, std::floor((batch - 1) / 8));
  };
  const auto holes = [](double batch, double context) {
    return !(batch == 9 && context == 512) && !(batch == 8 && context == 256);
  };
  const DecodeSurface surface = make_decode_surface(rectangle(stepped, holes), fitted);
  BOOST_TEST(surface.seconds(9, 512) == stepped(9, 512), tt::tolerance(0.02));
  BOOST_TEST(surface.seconds(8, 256) == stepped(8, 256), tt::tolerance(0.02));
  BOOST_TEST((surface.coverage(9, 512) == Coverage::interpolated));
}

// No key lies in the row or column of the middle, so the plane alone counts. By distance squared, keys have level 0 at
// 2 (four), 1 at 5 (eight) and 100 at 8 (four). The plane takes the first twelve, whose weights fall to zero at 6: (1 -
// 2/6)^2 = 4/9 and (1 - 5/6)^2 = 1/36. By symmetry it has no slope: (8 / 36) / (4 x 4/9 + 8 / 36) = 1/9.
BOOST_AUTO_TEST_CASE(a_plane_goes_through_the_twelve_nearest_keys) {
  const std::vector<double> places = {-2, -1, 0, 1, 2};
  const SurfaceForm flat{.terms = nullptr,
                         .position =
                             [](double u, double v) {
                               return std::array{u, v};
                             },
                         .forest_feature = nullptr,
                         .last_of_feature = nullptr};
  NodeGrid<double> levels{5, 5, {}};
  for (const double u : places)
    for (const double v : places) {
      const double squared = u * u + v * v;
      levels.values.push_back(u == 0 || v == 0 ? absent : squared == 2 ? 0 : squared == 5 ? 1 : 100);
    }
  BOOST_TEST(NeighbourFit(places, places, flat, levels).estimate(2, 2) == 1.0 / 9, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(trends_never_fall) {
  const auto noisy = [](double batch, double context) {
    return decode_time(batch, context) * (1 + 0.1 * std::sin(7 * batch + context));
  };
  const DecodeSurface surface = make_decode_surface(rectangle(noisy, everywhere), fitted);
  for (std::uint32_t context = 1024; context < 100000; context += 1001)
    BOOST_TEST(surface.seconds(16, context + 1001) >= surface.seconds(16, context));
  for (std::uint32_t batch = 32; batch < 5000; batch += 101)
    BOOST_TEST(surface.seconds(batch + 101, 512) >= surface.seconds(batch, 512));
}

BOOST_AUTO_TEST_CASE(forest_is_tabulated_exactly) {
  const std::vector<PrefillPoint> points = triangle(prefill_time);
  const PrefillSurface surface = make_prefill_surface(points, forest);
  std::vector<ForestSample> samples;
  for (const PrefillPoint& p : points) samples.push_back({p.context, p.chunk * p.chunk, p.seconds});
  const Forest walked = grow_forest(samples, ForestSettings{});
  for (std::uint32_t context = 0; context <= 960; context += 13)
    for (std::uint32_t chunk = 64; chunk <= 1024; chunk += 7)
      BOOST_TEST(surface.seconds(context, chunk) == walked.predict(context, chunk * chunk));
  BOOST_TEST(surface.seconds(5000, 9000) == surface.seconds(960, 1024));
  BOOST_TEST(surface.seconds(0, 1) == surface.seconds(0, 64));
}

BOOST_AUTO_TEST_CASE(few_keys_are_enough) {
  const DecodeSurface one = make_decode_surface(std::vector<DecodePoint>{{4, 256, 3e-5}}, fitted);
  BOOST_TEST(one.seconds(4, 256) == 3e-5);
  BOOST_TEST(one.seconds(8, 512) >= 3e-5);
  BOOST_TEST((one.coverage(5, 256) == Coverage::extrapolated));
  const DecodeSurface corners =
      make_decode_surface(std::vector<DecodePoint>{{1, 64, 1e-5}, {8, 64, 2e-5}, {8, 512, 4e-5}}, fitted);
  BOOST_TEST(corners.seconds(1, 512) > 1e-5);
  BOOST_TEST((corners.coverage(1, 512) == Coverage::interpolated));  // (1, 64) is below it and (8, 512) above
  for (const PredictionMethod method : {fitted, forest})
    BOOST_TEST(make_decode_surface(std::vector<DecodePoint>{{1, 64, 0}, {2, 64, 0}, {1, 128, 0}, {2, 128, 0}}, method)
                   .seconds(2, 100) < 1e-6);
}

BOOST_AUTO_TEST_CASE(absurd_keys_cost_no_memory) {
  // A table may say anything; numbers above 2^20 are answered by the trend.
  const std::vector<DecodePoint> points = {{1, 64, 1e-5}, {2, 64, 2e-5}, {1, 1e15, 3.0}, {1e9, 64, 4.0}};
  for (const PredictionMethod method : {fitted, forest}) {
    const DecodeSurface surface = make_decode_surface(points, method);
    BOOST_TEST(surface.seconds(1, 64) > 0.0);
    BOOST_TEST(std::isfinite(surface.seconds(4000000000u, 4000000000u)));
    BOOST_TEST((surface.coverage(1, 2000000) == Coverage::extrapolated));
  }
}

BOOST_AUTO_TEST_CASE(order_of_points_does_not_matter_to_fits) {
  std::vector<DecodePoint> points =
      rectangle([](double b, double c) { return decode_time(b, c) * (1 + 0.01 * std::sin(b * c)); },
                [](double b, double c) { return std::fmod(b * 31 + c / 64, 7) > 0; });
  points.push_back({3, 64, 2e-5});
  const DecodeSurface forwards = make_decode_surface(points, fitted);
  const DecodeSurface backwards = make_decode_surface(std::vector<DecodePoint>(points.rbegin(), points.rend()), fitted);
  for (std::uint32_t batch = 1; batch <= 32; ++batch)
    for (std::uint32_t context = 60; context < 1100; context += 20)
      BOOST_TEST(forwards.seconds(batch, context) == backwards.seconds(batch, context), tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(many_at_once_are_the_same) {
  const PrefillSurface surface = make_prefill_surface(triangle(prefill_time), fitted);
  const std::vector<std::uint32_t> contexts = {0, 64, 100, 960, 3000}, chunks = {64, 1000, 100, 64, 1};
  std::vector<double> seconds(contexts.size());
  std::vector<Coverage> coverage(contexts.size());
  surface.predict(contexts, chunks, seconds, coverage);
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    BOOST_TEST(seconds[i] == surface.seconds(contexts[i], chunks[i]));
    BOOST_TEST((coverage[i] == surface.coverage(contexts[i], chunks[i])));
  }
}

BOOST_AUTO_TEST_SUITE_END()
