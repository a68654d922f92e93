/// What `plan` expects a run to cost, against what it costs: work is counted by the estimator, no clock is read.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

#include "engine/evaluation/cost_sample.hpp"
#include "engine/run/evaluator.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(cost_sample_test)

namespace {

using namespace dfsweep;

/// Seconds of counted work.
struct Work {
  double of_metric = 1e-6;   ///< each that is wanted, of each point
  double of_value = 0.0;     ///< first use of a value of the table that parameter `seed` indexes
  double of_neighbours = 0;  ///< each time that `flavour` differs from that of the point before, and at each call
  double of_preparation = 0.0;
};

/// All points are ok. The clock moves by the work alone.
class CountedSweep final : public PreparedSweep {
 public:
  CountedSweep(const SweepValues& values, const Work& work, double& clock)
      : work_(work),
        clock_(clock),
        seed_(values[ToyEstimator::seed]),
        flavour_(values[ToyEstimator::flavour]),
        is_filled_(seed_.values.size()) {
    clock_ += work_.of_preparation;
  }
  [[nodiscard]] bool leaves_out_unwanted() const override { return true; }
  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    std::uint32_t before = ~0U;
    for (std::size_t i = 0; i < points.count(); ++i) {
      out.status[i] = status_ok;
      for (const std::span<double> column : out.metrics) {
        if (column.empty()) continue;
        column[i] = 0.0;
        clock_ += work_.of_metric;
      }
      const std::uint32_t seed = points.code(seed_, i);
      if (!is_filled_[seed]) clock_ += work_.of_value;
      is_filled_[seed] = true;
      const std::uint32_t flavour = points.code(flavour_, i);
      if (flavour != before) clock_ += work_.of_neighbours;
      before = flavour;
    }
  }
  [[nodiscard]] Explanation explain(const PointColumns&) const override { return {}; }

 private:
  Work work_;
  double& clock_;
  SweepValues::Parameter seed_;
  SweepValues::Parameter flavour_;
  mutable std::vector<bool> is_filled_;
};

/// The toy with counted work.
class CountedToy final : public Estimator {
 public:
  explicit CountedToy(const Work& work) : work_(work) {}
  [[nodiscard]] std::string_view name() const override { return toy_.name(); }
  [[nodiscard]] std::string_view meaning() const override { return toy_.meaning(); }
  [[nodiscard]] std::uint32_t version() const override { return toy_.version(); }
  [[nodiscard]] std::span<const ParameterInfo> parameters() const override { return toy_.parameters(); }
  [[nodiscard]] std::span<const MetricInfo> metrics() const override { return toy_.metrics(); }
  [[nodiscard]] std::span<const StatusInfo> statuses() const override { return toy_.statuses(); }
  [[nodiscard]] double seconds_per_point(const SweepValues& values) const override {
    return toy_.seconds_per_point(values);
  }
  [[nodiscard]] std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<CountedSweep>(values, work_, clock);
  }

  mutable double clock = 0.0;

 private:
  ToyEstimator toy_;
  Work work_;
};

/// Work of a run on one thread.
double seconds_of_run(const Plan& plan, const CountedToy& estimator) {
  const double start = estimator.clock;
  const std::unique_ptr<PreparedSweep> prepared = estimator.prepare(plan.spec().values);
  Evaluator evaluator(plan, *prepared, 1);
  BlockId next = 0;
  evaluator.run({.next = [&]() -> std::optional<Block> {
                   return next < plan.block_count() ? std::optional(plan.block(next++)) : std::nullopt;
                 },
                 .done = [&](EvaluatedBlock block) { evaluator.recycle(std::move(block.bytes)); },
                 .abandon = [] { return false; }});
  return estimator.clock - start;
}

struct Costs {
  const char* why;
  const char* axes;  ///< after the two axes of every sweep
  const char* rest;
  Work work;
};
const std::vector<Costs> sweeps = {
    {"rows have all metrics", "seed = { from = 1, to = 100, step = 1 }", "", {}},
    {"a search evaluates the metric that it ranks",
     "seed = { from = 1, to = 100, step = 1 }",
     "[search]\nover = ['size', 'seed']\nminimize = 'time'\n",
     {}},
    {"one search over all",
     "seed = { from = 1, to = 100, step = 1 }",
     "[search]\nover = ['size', 'seed', 'flavour']\nminimize = 'time'\n",
     {.of_metric = 1e-7}},
    {"a small table that all points share", "seed = { from = 1, to = 20, step = 1 }", "", {.of_value = 2e-3}},
    {"a large table", "seed = { from = 1, to = 5000, step = 1 }", "", {.of_value = 2e-5}},
    {"expensive points, each of them different", "seed = { from = 1, to = 30, step = 1 }", "", {.of_metric = 0.1}},
    {"preparation counts once", "seed = { from = 1, to = 2, step = 1 }", "", {.of_preparation = 5.0}},
    {"neighbours share work", "seed = { from = 1, to = 100, step = 1 }", "", {.of_neighbours = 1e-4}},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_run_costs_what_was_expected, boost::unit_test::data::make(sweeps), c) {
  ToySweep sweep(
      "[parameters]\nflavour = ['plain', 'rich', 'odd']\nsize = { from = '1 B', to = '100 B', step = '1 B' }\n" +
      std::string(c.axes) + "\n" + c.rest);
  const CountedToy estimator(c.work);
  sweep.spec.estimator = &estimator;
  const CostSample sample =
      sample_cost(sweep.plan, {.seen = [](const CostSample&) {}, .now = [&] { return estimator.clock; }});
  const double expected = sample.seconds(sweep.rows.kept());
  const double taken = seconds_of_run(sweep.plan, estimator);
  BOOST_TEST_MESSAGE(c.why << ": expected " << expected << " s, taken " << taken << " s");
  BOOST_TEST(expected > 0.5 * taken);
  BOOST_TEST(expected < 2.0 * taken);
}

BOOST_AUTO_TEST_CASE(a_sample_costs_little) {
  ToySweep sweep("[parameters]\nseed = { from = 1, to = 1000000, step = 1 }\n");
  const CountedToy estimator({});
  sweep.spec.estimator = &estimator;
  static_cast<void>(
      sample_cost(sweep.plan, {.seen = [](const CostSample&) {}, .now = [&] { return estimator.clock; }}));
  BOOST_TEST(estimator.clock < 1.0);  // enough_seconds, and the points that are judged
}

BOOST_AUTO_TEST_SUITE_END()
