/// Properties of every point of `profiled` that has an estimate, over its whole accepted domain: random points on small
/// tables, each with a small grid of other machines and batches around it. Ten times as many with
/// DFSWEEP_LONG_TESTS=1.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "models/profiled/estimator.hpp"
#include "models/profiled/points/published.hpp"
#include "tests/support/profiled_sweep.hpp"
#include "tests/support/random_values.hpp"

BOOST_AUTO_TEST_SUITE(properties_test)

using namespace dfsweep;
using namespace dfsweep::profiled;
using namespace dfsweep::testing;

namespace {

constexpr double rounding = 1e-9;

/// What a step along an axis may change.
enum class Axis {
  rate,      ///< where rooflines stand in for tables: never slower
  capacity,  ///< no time changes, nothing becomes infeasible
  work,      ///< never less memory; times of measured tables need not rise
};

struct Varied {
  std::string name;
  Axis axis;
  std::vector<double> values;
};

class Base : public RandomValues {
 public:
  using RandomValues::RandomValues;

  double maybe(double most) { return one_in(3) ? 0.0 : whole(1, most); }

  void draw() {
    Entry model = profiled_model();
    model.numbers["layers"] = whole(1, 200);
    model.numbers["vocabulary"] = maybe(3e5);
    const double layers = model.numbers["layers"];
    sweep.set("model", model).set("fallback", one_in(5) ? "none" : "analytical");
    if (one_in(3)) sweep.set("convention", "vidur");
    sweep.set("tensor_parallel", one_of({1.0, 1.0, 1.0, 2.0, 8.0}));
    const double stages = one_in(2) ? 1.0 : whole(1, one_in(8) ? 200.0 : layers);
    sweep.set("pipeline_parallel", stages);
    if (one_in(4)) sweep.set("stage", whole(1, stages) - 1.0);
    sweep.set("statistic", one_of({"median", "mean", "min", "max"})).set("memory_margin", one_of({0.0, 0.1, 0.9}));
    sweep.set("max_request_tokens", whole(1, 1e8)).set("launch_overhead", one_of({0.0, 20e-6, 1.0}));
    if (one_in(4)) sweep.set("skew_overhead", one_of({1e-6, 1.0}));
    if (one_in(4)) sweep.set("token_granularity", whole(1, 65536)).set("context_granularity", whole(1, 65536));
    if (one_in(4)) sweep.set("decode_batching_overhead", 10.0 * rate(1e-3, 1.0));
    if (one_in(2)) sweep.set("head", one_of({"none", "analytical"}));
    set_axes(layers);
  }

  ProfiledSweep sweep;
  std::vector<Varied> axes;

 private:
  void set_axes(double layers) {
    const auto rising = [&](const char* name, Axis axis, double low, double high) {
      const double from = rate(low, high);
      axes.push_back({name, axis, {from, 1.01 * from, one_of({2.0, 100.0}) * from}});
    };
    rising("dram_bandwidth", Axis::rate, 1e9, 1e15);
    rising("peak_flops", Axis::rate, 1e9, 1e18);
    rising("dram_capacity", Axis::capacity, 1e7 * layers, 1e13);
    const bool decodes = one_in(2);
    sweep.set("decode_batch", decodes ? whole(1, 1e4) : 0).set("decode_context", maybe(one_in(4) ? 1e8 : 1e4));
    sweep.set("prefill_batch", decodes ? maybe(20) : whole(1, 20))
        .set("prefill_chunk", whole(1, one_in(4) ? 1e6 : 4096));
    sweep.set("prefill_context", maybe(1e5));
    const auto doubled = [&](const char* name, double from) { axes.push_back({name, Axis::work, {from, 2 * from}}); };
    if (decodes)
      one_in(2) ? doubled("decode_batch", whole(1, 1e4)) : doubled("decode_context", whole(1, 1e5));
    else
      one_in(2) ? doubled("prefill_chunk", whole(1, 1e5)) : doubled("prefill_context", whole(1, 1e5));
  }
};

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
        if (i / stride % axis.values.size() + 1 < axis.values.size()) BOOST_TEST_CONTEXT(axis.name << " at " << i) {
            check_step(axis, i, i + stride);
          }
    }
    return static_cast<std::size_t>(
        std::count_if(e_.status.begin(), e_.status.end(), [](auto s) { return s == status_ok; }));
  }

 private:
  [[nodiscard]] bool is_ok(std::size_t i) const { return e_.status[i] == status_ok; }
  [[nodiscard]] double at(Metric metric, std::size_t i) const { return e_[metric][i]; }

  void check_point(std::size_t i) const {
    for (std::size_t m = 0; m < e_.metrics.size(); ++m)
      BOOST_TEST_REQUIRE((std::isnan(e_.metrics[m][i]) || (e_.metrics[m][i] >= 0 && std::isfinite(e_.metrics[m][i]))),
                         metrics()[m].name << " is " << e_.metrics[m][i]);
    const double step = at(Metric::step_time, i);
    BOOST_TEST_REQUIRE(step > 0);
    double parts = 0.0;
    for (const Metric part :
         {Metric::attention_time, Metric::mlp_time, Metric::tensor_comm_time, Metric::pipeline_comm_time,
          Metric::processor_time, Metric::embedding_time, Metric::output_time, Metric::sampling_time})
      parts += at(part, i);
    BOOST_TEST_REQUIRE(std::abs(parts - step) <= rounding * step);
    BOOST_TEST_REQUIRE(at(Metric::token_rate, i) > 0);
  }

  void check_step(const Varied& axis, std::size_t before, std::size_t after) const {
    if (axis.axis != Axis::work && is_ok(before)) BOOST_TEST_REQUIRE(is_ok(after));
    if (!is_ok(before) || !is_ok(after)) return;
    const double was = at(Metric::step_time, before);
    const double is = at(Metric::step_time, after);
    switch (axis.axis) {
      case Axis::rate:
        BOOST_TEST_REQUIRE(is <= was * (1 + rounding));
        break;
      case Axis::capacity:
        BOOST_TEST_REQUIRE(is == was);
        BOOST_TEST_REQUIRE(!(at(Metric::max_batch, after) < at(Metric::max_batch, before)));
        break;
      case Axis::work:
        BOOST_TEST_REQUIRE(at(Metric::memory_used, after) >= at(Metric::memory_used, before));
        break;
    }
  }

  const Base& base_;
  const Estimates& e_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(promises_of_all_points) {
  const std::uint64_t rounds = std::getenv("DFSWEEP_LONG_TESTS") == nullptr ? 600 : 6000;
  std::size_t points = 0;
  std::size_t estimated = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    Base base(seed);
    base.draw();
    for (const Varied& axis : base.axes) base.sweep.set_absent(axis.name).axis(axis.name, axis.values);
    const SweepValues values = base.sweep.values();
    const Estimates e = base.sweep.estimates(*make_profiled_estimator()->prepare(values), base.sweep.count());
    BOOST_TEST_CONTEXT("seed " << seed) {
      estimated += Checks(base, e).run();
    }
    points += e.status.size();
  }
  BOOST_TEST(points >= 30'000U);
  BOOST_TEST(estimated > points / 8, estimated << " of " << points);
}

BOOST_AUTO_TEST_SUITE_END()
