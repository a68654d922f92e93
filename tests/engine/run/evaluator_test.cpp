/// Evaluator: a search that evaluates the searched metric first gives the same bytes as one that evaluates all.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <mutex>
#include <stdexcept>

#include "engine/run/evaluator.hpp"
#include "tests/support/named_rows.hpp"
#include "tests/support/toy_sweep.hpp"

BOOST_AUTO_TEST_SUITE(evaluator_test)

namespace {

using namespace dfsweep;

/// Another sweep's estimates, all of them whatever is wanted.
class Full final : public PreparedSweep {
 public:
  explicit Full(const PreparedSweep& of) : of_(of) {}
  void evaluate(const PointColumns& points, EstimateColumns& out) const override { of_.evaluate(points, out); }
  [[nodiscard]] Explanation explain(const PointColumns& points) const override { return of_.explain(points); }

 private:
  const PreparedSweep& of_;
};

/// Fills what is wanted of another sweep's estimates, and writes rubbish where that is allowed. Where all metrics are
/// wanted, points whose `noise` is below `breaks_below` throw.
class Frugal final : public PreparedSweep {
 public:
  explicit Frugal(const PreparedSweep& of, double breaks_below) : of_(of), breaks_below_(breaks_below) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    std::vector<std::vector<double>> all(ToyEstimator::metric_count, std::vector<double>(points.count()));
    const std::vector<std::span<double>> spans(all.begin(), all.end());
    EstimateColumns everything{.status = out.status, .metrics = spans};
    of_.evaluate(points, everything);
    bool wants_all = true;
    for (MetricIndex m = 0; m < all.size(); ++m) {
      if (out.metrics[m].empty()) wants_all = false;
      for (std::size_t i = 0; i < out.metrics[m].size(); ++i)
        out.metrics[m][i] = out.wanted_rows == WantedRows::ok && out.status[i] != status_ok ? -7.0 : all[m][i];
    }
    for (const double noise : all[ToyEstimator::noise])
      if (wants_all && noise < breaks_below_) throw std::runtime_error("broken");
  }
  [[nodiscard]] Explanation explain(const PointColumns& points) const override { return of_.explain(points); }
  [[nodiscard]] bool leaves_out_unwanted() const override { return true; }

 private:
  const PreparedSweep& of_;
  double breaks_below_;
};

/// What becomes of every block.
struct Outcome {
  std::map<BlockId, BlockBytes> bytes;
  std::map<BlockId, std::vector<std::byte>> candidates;
  Tally tally;
};

Outcome run(const Plan& plan, const PreparedSweep& prepared) {
  Outcome outcome;
  std::mutex mutex;
  BlockId next = 0;
  Evaluator evaluator(plan, prepared, 2);
  evaluator.run({.next = [&]() -> std::optional<Block> {
                   if (next == plan.block_count()) return std::nullopt;
                   return plan.block(next++);
                 },
                 .done =
                     [&](EvaluatedBlock block) {
                       const std::lock_guard lock(mutex);
                       outcome.tally.add(block.tally);
                       outcome.bytes[block.block.id] = std::move(block.bytes);
                       outcome.candidates[block.block.id] = std::move(block.candidates);
                     },
                 .abandon = [] { return false; }});
  return outcome;
}

void check_equal(const Outcome& a, const Outcome& b) {
  BOOST_TEST((a.bytes == b.bytes));
  BOOST_TEST((a.candidates == b.candidates));
  BOOST_TEST(a.tally.statuses == b.tally.statuses, boost::test_tools::per_element());
}

struct Case {
  const char* why;
  const char* text;
};
const Case cases[] = {
    {"a few groups in one block",
     "[parameters]\nflavour = ['plain', 'rich', 'odd']\nseed = { from = 1, to = 9000, step = 1 }\n"
     "[search]\nover = ['seed']\nminimize = 'noise'\ntop = 4\n"},
    {"infeasible points have rubbish for metrics and never win",
     "[parameters]\nsize = { from = '1 B', to = '400 B', step = '1 B' }\ncapacity = ['0 B', '5 B', '39 B']\n"
     "[search]\nover = ['size']\nmaximize = 'time'\ntop = 3\n"},
    {"a metric that does not apply",
     "[parameters]\nflavour = ['odd', 'plain', 'rich']\nseed = [1, 2]\n"
     "[search]\nover = ['flavour']\nmaximize = 'margin'\ntop = 3\n"},
    {"points that fail already in the first evaluation",
     "[parameters]\noutcome = ['throws', 'normal']\nseed = { from = 1, to = 300, step = 1 }\n"
     "[search]\nover = ['outcome', 'seed']\nminimize = 'noise'\ntop = 2\n"},
    {"conditions on metrics that are neither searched nor written",
     "[parameters]\nsize = { from = '1 B', to = '400 B', step = '1 B' }\ncapacity = ['0 B', '5 B', '39 B']\n"
     "[search]\nover = ['size']\nmaximize = 'time'\ntop = 3\nwhere = ['margin > 2', 'size % 3 == 1 && noise > 0.2']\n"
     "[output]\nmetrics = ['speed']\n"},
    {"expensive points",
     "[parameters]\nwork = 1000000\nskew = 0\nsize = '3 B'\n[[together]]\nseed = [1, 2, 3, 4, 5, 6, 7, 8]\n"
     "[search]\nover = ['seed']\nmaximize = 'noise'\ntop = 3\n"},
    {"two metrics written without a search",
     "[parameters]\nsize = { from = '1 B', to = '9 B', step = '1 B' }\ncapacity = ['0 B', '5 B']\n"
     "[output]\nmetrics = ['time', 'memory']\n"},
};

BOOST_DATA_TEST_CASE(frugal_estimators_give_the_same_bytes, boost::unit_test::data::make(cases), c) {
  const ToySweep sweep(c.text);
  check_equal(run(sweep.plan, Frugal(*sweep.prepared, 0.0)), run(sweep.plan, *sweep.prepared));
}

BOOST_AUTO_TEST_CASE(winners_that_fail_with_all_metrics_make_room_for_the_next) {
  // The lowest noise wins; points below 0.001 fail once all their metrics are wanted.
  const ToySweep sweep(cases[0].text);
  class Breaking final : public PreparedSweep {
   public:
    explicit Breaking(const PreparedSweep& of) : frugal_(of, 1e-3) {}
    void evaluate(const PointColumns& points, EstimateColumns& out) const override { frugal_.evaluate(points, out); }
    [[nodiscard]] Explanation explain(const PointColumns& points) const override { return frugal_.explain(points); }

   private:
    Frugal frugal_;
  };
  const Outcome expected = run(sweep.plan, Breaking(*sweep.prepared));
  BOOST_TEST_REQUIRE(expected.tally.statuses.at(status_failed) > 0U);
  check_equal(run(sweep.plan, Frugal(*sweep.prepared, 1e-3)), expected);
}

BOOST_AUTO_TEST_CASE(calculon_searches_give_the_same_bytes) {
  const SweepSpec spec = read_sweep_text(R"(
[sweep]
name = "search"
estimator = "calculon"
[parameters]
model = ["gpt3-13b", "megatron-22b"]
system = "h100_80g_nvl8"
device_count = 16
max_batch = 16
tensor_parallel = [1, 2, 4, 8]
pipeline_parallel = [1, 2, 3, 4]
recompute = ["full", "attention", "none"]
optimizer_sharding = [1, 0]
optimizer_offload = [0, 1]
micro_batch = [1, 2, 3]
pipeline_network = [0, 1]
data_network = [0, 1]
[search]
over = ["tensor_parallel", "pipeline_parallel", "recompute", "optimizer_sharding", "optimizer_offload", "micro_batch",
        "pipeline_network", "data_network"]
maximize = "sample_rate"
top = 20
)",
                                         "search.toml", ".", {});
  const RowSource rows(spec);
  const Plan plan(spec, rows);
  const std::unique_ptr<PreparedSweep> prepared = spec.estimator->prepare(spec.values);
  BOOST_TEST_REQUIRE(prepared->leaves_out_unwanted());
  const Outcome found = run(plan, *prepared);
  BOOST_TEST_REQUIRE(found.tally.statuses.at(status_ok) > 40U);
  check_equal(found, run(plan, Full(*prepared)));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
