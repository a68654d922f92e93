/// Properties of every point of `taskgraph` that has an estimate, over its whole accepted domain: random points, each
/// with a small grid of better machines around it. Ten times as many with DFSWEEP_LONG_TESTS=1.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "models/taskgraph/points/published.hpp"
#include "tests/support/random_values.hpp"
#include "tests/support/taskgraph_point.hpp"

BOOST_AUTO_TEST_SUITE(properties_test)

using namespace dfsweep;
using namespace dfsweep::taskgraph;
using namespace dfsweep::testing;

namespace {

constexpr double rounding = 1e-9;

/// What a step along an axis may change.
enum class Axis {
  better,    ///< never slower, never less feasible
  capacity,  ///< layerwise: the same with placement fastest; with fewest_devices, of points with equally many devices
  degree,    ///< twice the devices: never more than twice as fast
  work,      ///< twice the work: never faster
};

struct Varied {
  std::string name;
  Axis axis;
  std::vector<double> values;
};

class Base : public RandomValues {
 public:
  using RandomValues::RandomValues;

  /// A random point and its axes.
  void draw() {
    strategy = one_of({"tensor_pipeline", "attention_pool", "layerwise"});
    is_source = one_in(5);
    is_fastest = one_in(2);
    const double degree = std::exp2(whole(1, 16) - 1.0);
    point.set("strategy", strategy).set("tensor_parallel", degree).set("pipeline_parallel", whole(1, 40));
    if (strategy == "attention_pool") point.set("pool_devices", whole(1, 3000));
    set_model(2 * degree);
    tokens_at = {one_in(4) ? whole(1, 5e8) : whole(1, 3000), one_in(4) ? whole(1, 5e8) : whole(1, 1e5)};
    point.set("micro_batches", one_in(2) ? 1 : whole(1, 4)).set("nodes", one_of({"tasks", "operators"}));
    point.set("phase", one_of({"prefill", "decode"})).set("attention_kernel", one_of({"flash", "materialized"}));
    point.set("precision", one_of({"fp32", "bf16", "fp16", "fp8"})).set("compute_utilization", rate(1e-3, 1));
    if (is_source) point.set("convention", "source");
    point.set("placement", is_fastest ? "fastest" : "fewest_devices").set("spill", one_of({"none", "stream"}));
    if (one_in(2)) point.set("token_tile", whole(1, 1e6));
    point.set("link_latency", one_of({0.0, 1e-6, 1.0}));
    set_axes(degree);
  }

  TaskGraphPoint point;
  std::string strategy;
  bool is_source = false;
  bool is_fastest = false;
  std::vector<Varied> axes;
  std::pair<double, double> tokens_at;

 private:
  void set_model(double multiple) {
    const double heads = multiple * whole(1, 8);
    Entry model;
    model.name = "model";
    model.numbers = {{"layers", one_in(8) ? whole(1, 1e5) : whole(1, 130)},
                     {"hidden", whole(1, 1e5)},
                     {"heads", heads},
                     {"head_dim", whole(1, 256)},
                     {"key_value_heads", one_in(2) ? heads : multiple},
                     {"ffn_hidden", multiple * whole(1, 1e4)},
                     {"gated_ffn", one_in(2) ? 1.0 : 0.0}};
    if (one_in(3)) {
      const double experts = whole(1, 512);
      model.numbers["experts"] = experts;
      model.numbers["experts_per_token"] = whole(1, experts);
      model.numbers["expert_ffn_hidden"] = multiple * whole(1, 1e3);
      if (one_in(2)) model.numbers["shared_ffn_hidden"] = multiple * whole(1, 1e3);
    }
    point.set("model", model);
  }

  void set_axes(double degree) {
    const auto rising = [&](const char* name, Axis axis, double low, double high) {
      const double from = rate(low, high);
      axes.push_back({name, axis, {from, 1.01 * from, one_of({2.0, 100.0}) * from}});
    };
    rising("dram_bandwidth", Axis::better, 1, 1e15);
    rising("peak_flops", Axis::better, 1, 1e18);
    rising(one_of({"link_bandwidth", "outer_link_bandwidth"}), Axis::better, 1, 1e13);
    const double batch = tokens_at.first;
    point.set("batch", batch).set("sequence_length", tokens_at.second);
    if (strategy == "layerwise") {
      point.set("device_count", whole(1, 200));
      if (one_in(2)) point.set("cache_bandwidth", rate(1e9, 1e15));
      rising("cache_capacity", Axis::capacity, 1e3, 1e15);
    } else {
      axes.push_back({"tensor_parallel", Axis::degree, {degree, 2 * degree}});
    }
    axes.push_back(one_in(2) ? Varied{"batch", Axis::work, {batch, 2 * batch}}
                             : Varied{"sequence_length", Axis::work, {tokens_at.second, 2 * tokens_at.second}});
  }
};

/// Counts what was compared, and reports the first broken promise of a point.
class Checks {
 public:
  Checks(const Base& base, const Estimates& e) : base_(base), e_(e) {}

  std::size_t run() {
    for (std::size_t i = 0; i < e_.status.size(); ++i)
      if (is_ok(i)) check_point(i);
    std::size_t stride = e_.status.size();
    for (const Varied& axis : base_.axes) {
      stride /= axis.values.size();
      for (std::size_t i = 0; i < e_.status.size(); ++i)
        if (i / stride % axis.values.size() + 1 < axis.values.size()) check_step(axis, i, i + stride);
    }
    return static_cast<std::size_t>(
        std::count_if(e_.status.begin(), e_.status.end(), [](auto s) { return s == status_ok; }));
  }

 private:
  [[nodiscard]] bool is_ok(std::size_t i) const { return e_.status[i] == status_ok; }
  [[nodiscard]] double at(Metric metric, std::size_t i) const { return e_[metric][i]; }

  void check_point(std::size_t i) const {
    const double step = at(Metric::step_time, i);
    for (std::size_t m = 0; m < e_.metrics.size(); ++m)
      BOOST_TEST_REQUIRE((std::isnan(e_.metrics[m][i]) || (e_.metrics[m][i] >= 0 && std::isfinite(e_.metrics[m][i]))),
                         metrics()[m].name << " is " << e_.metrics[m][i]);
    BOOST_TEST_REQUIRE(step > 0);
    BOOST_TEST_REQUIRE(at(Metric::critical_path, i) <= step * (1 + rounding));
    BOOST_TEST_REQUIRE(std::abs(at(Metric::attention_time, i) + at(Metric::ffn_time, i) +
                                at(Metric::communication_time, i) + at(Metric::other_time, i) - step) <=
                       rounding * step);
    for (const Metric share : {Metric::busy_fraction, Metric::most_busy_fraction, Metric::link_busy_fraction})
      BOOST_TEST_REQUIRE(at(share, i) <= 1 + rounding);
    BOOST_TEST_REQUIRE(at(Metric::least_busy_fraction, i) <= at(Metric::most_busy_fraction, i) * (1 + rounding));
    BOOST_TEST_REQUIRE(at(Metric::busy_fraction, i) <= at(Metric::most_busy_fraction, i) * (1 + rounding));
    if (base_.strategy == "attention_pool") {
      BOOST_TEST_REQUIRE(at(Metric::overlapped_time, i) <= at(Metric::sequential_time, i) * (1 + rounding));
    }
  }

  void check_step(const Varied& axis, std::size_t before, std::size_t after) const {
    const double was = at(Metric::step_time, before);
    const double is = at(Metric::step_time, after);
    const bool is_upgrade = axis.axis == Axis::better || axis.axis == Axis::capacity;
    if (is_upgrade && is_ok(before)) BOOST_TEST_REQUIRE(is_ok(after), axis.name);
    if (!is_ok(before) || !is_ok(after)) return;
    BOOST_TEST_CONTEXT(base_.strategy << (base_.is_source ? " source " : " ") << axis.name) {
      switch (axis.axis) {
        case Axis::better:
          BOOST_TEST_REQUIRE(is <= was * (1 + rounding));
          break;
        case Axis::capacity:
          BOOST_TEST_REQUIRE((base_.is_fastest || at(Metric::devices_used, after) <= at(Metric::devices_used, before)));
          if (base_.is_fastest || at(Metric::devices_used, after) == at(Metric::devices_used, before))
            BOOST_TEST_REQUIRE((is <= was * (1 + rounding) || streams_before(before, after)));
          break;
        case Axis::degree:
          if (!base_.is_source) BOOST_TEST_REQUIRE(is >= was / 2 * (1 - rounding));
          break;
        case Axis::work:
          if (!takes_other_devices(before, after)) BOOST_TEST_REQUIRE(is >= was * (1 - rounding));
          break;
      }
    }
  }

  /// Whether more work made fewest_devices take more devices, or DRAM instead of a cache.
  [[nodiscard]] bool takes_other_devices(std::size_t before, std::size_t after) const {
    return base_.strategy == "layerwise" && !base_.is_fastest &&
           (at(Metric::devices_used, before) != at(Metric::devices_used, after) || streams_before(after, before));
  }

  /// Whether layers left DRAM for a cache: only placement fastest compares the two.
  [[nodiscard]] bool streams_before(std::size_t before, std::size_t after) const {
    return !base_.is_fastest && at(Metric::cache_fit, before) < 1 && at(Metric::cache_fit, after) >= 1;
  }

  const Base& base_;
  const Estimates& e_;
};

Estimates estimates_of_axes(TaskGraphPoint& point, const std::vector<Varied>& axes) {
  for (const Varied& axis : axes) point.set_absent(axis.name).axis(axis.name, axis.values);
  const SweepValues values = point.values();
  return point.estimates(*make_taskgraph_estimator()->prepare(values), point.count());
}

std::uint64_t rounds(std::uint64_t few) {
  return std::getenv("DFSWEEP_LONG_TESTS") == nullptr ? few : 10 * few;
}

}  // namespace

BOOST_AUTO_TEST_CASE(promises_of_the_strategies) {
  std::size_t points = 0;
  std::size_t estimated = 0;
  for (std::uint64_t seed = 0; seed < rounds(700); ++seed) {
    Base base(seed);
    base.draw();
    const Estimates e = estimates_of_axes(base.point, base.axes);
    BOOST_TEST_CONTEXT("seed " << seed) {
      estimated += Checks(base, e).run();
    }
    points += e.status.size();
  }
  BOOST_TEST(points >= 50'000U);
  BOOST_TEST(estimated > points / 3);
}

/// `fastest` is no slower than `fewest_devices`, with and without streaming, which uses no more devices.
BOOST_AUTO_TEST_CASE(fastest_is_fastest_and_fewest_is_fewest) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < rounds(3000); ++seed) {
    Base base(1'000'000 + seed);
    base.draw();
    base.point.set("strategy", "layerwise").set("device_count", base.whole(1, 200));
    base.point.set("cache_capacity", base.rate(1e3, 1e15)).set("cache_bandwidth", base.rate(1e9, 1e15));
    const NamedEstimate fastest = base.point.set("placement", "fastest").evaluate();
    const NamedEstimate fewest = base.point.set("placement", "fewest_devices").evaluate();
    BOOST_TEST_REQUIRE(fastest.status == fewest.status);
    if (fastest.status != "ok") continue;
    ++compared;
    BOOST_TEST_REQUIRE(fastest["step_time"] <= fewest["step_time"] * (1 + rounding));
    if (fewest["cache_fit"] >= 1 && fastest["cache_fit"] >= 1)
      BOOST_TEST_REQUIRE(fewest["devices_used"] <= fastest["devices_used"]);
  }
  BOOST_TEST(compared > rounds(3000) / 4);
}

/// The best pool is no worse than each one that it may choose.
BOOST_AUTO_TEST_CASE(the_best_pool_is_best) {
  for (std::uint64_t seed = 0; seed < rounds(60); ++seed) {
    Base base(2'000'000 + seed);
    base.draw();
    base.point.set("strategy", "attention_pool").set("most_pool_devices", 40);
    base.point.set("micro_batches", 1).set("dram_bandwidth", base.rate(1e9, 1e15));
    const NamedEstimate best = base.point.set("pool_devices", "best").evaluate();
    if (best.status != "ok") continue;
    for (double pool = 1.0; pool <= 40.0; pool += 1.0)
      BOOST_TEST_REQUIRE(!(base.point.set("pool_devices", pool).evaluate()["step_time"] < best["step_time"]));
  }
}

BOOST_AUTO_TEST_SUITE_END()
