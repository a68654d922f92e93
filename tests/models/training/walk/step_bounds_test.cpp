/// Bounds never exceed the steps that they bound, and are near enough to exclude some.
#include "models/training/walk/step_bounds.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "models/training/estimator.hpp"
#include "tests/support/random_training_sweep.hpp"

BOOST_AUTO_TEST_SUITE(step_bounds_test)

using namespace dfsweep;
using namespace dfsweep::training;
using testing::RandomSweep;

namespace {

struct Bounded {
  std::size_t run = 0;
  std::size_t above = 0;       ///< bounds above their step
  double shares = 0.0;         ///< sum of bounds over steps
  std::size_t other_bits = 0;  ///< bounds that depend on the block
};

void compare_bounds(const RandomSweep& sweep, std::size_t points, Bounded& found) {
  const std::unique_ptr<Estimator> estimator = make_training_estimator();
  const std::unique_ptr<PreparedSweep> prepared = estimator->prepare(sweep.values);
  const auto columns = sweep.columns(0, points);
  const PointColumns all(columns, points);
  std::vector<std::uint8_t> status(points);
  std::vector<std::vector<double>> metrics(training::metrics().size());
  metrics[index_of(Metric::step_time)].resize(points);
  std::vector<std::span<double>> spans(metrics.begin(), metrics.end());
  EstimateColumns out{status, spans};
  prepared->evaluate(all, out);
  std::vector<double> bound(points);
  prepared->lower_bounds(index_of(Metric::step_time), all, bound);
  for (std::size_t i = 0; i < points; ++i) {
    if (status[i] != status_ok) continue;
    const double step = metrics[index_of(Metric::step_time)][i];
    ++found.run;
    found.above += bound[i] > step ? 1U : 0U;
    found.shares += bound[i] / step;
    const auto one = sweep.columns(i, 1);
    double alone = 0;
    prepared->lower_bounds(index_of(Metric::step_time), PointColumns(one, 1), std::span(&alone, 1));
    found.other_bits += alone == bound[i] ? 0U : 1U;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(bounds_are_below_the_steps) {
  const testing::TrainingCatalogue catalogue;
  std::mt19937_64 random(41);
  Bounded found;
  for (int sweep = 0; sweep < 200; ++sweep) compare_bounds(RandomSweep(catalogue, random, 600, 5), 600, found);
  BOOST_TEST(found.run > 10000U);
  BOOST_TEST(found.above == 0U);
  BOOST_TEST(found.other_bits == 0U);
  BOOST_TEST(found.shares > 0.5 * static_cast<double>(found.run));
}

BOOST_AUTO_TEST_CASE(only_the_time_of_a_step_is_bounded) {
  const std::unique_ptr<Estimator> estimator = make_training_estimator();
  for (const Metric metric : all_of<Metric>)
    BOOST_TEST(estimator->gives_lower_bound(index_of(metric), {}) == (metric == Metric::step_time));
}

BOOST_AUTO_TEST_SUITE_END()
