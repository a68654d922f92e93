/// Properties of every training step: random points of the whole domain and their neighbours. DFSWEEP_LONG_TESTS=1 in
/// the environment takes 33 times as many.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "models/absent.hpp"
#include "models/cost/columns.hpp"
#include "tests/support/property_report.hpp"
#include "tests/support/training_neighbours.hpp"

BOOST_AUTO_TEST_SUITE(properties_test)

using namespace dfsweep;
using namespace dfsweep::training;
using namespace dfsweep::testing::training_neighbours;
using testing::Estimates;
using testing::PropertyTally;
using testing::TrainingValues;

namespace {

using enum Parameter;
using Random = std::mt19937_64;

constexpr double rounding = 1 + 1e-9;

const Metric parts[] = {Metric::forward_time,       Metric::backward_time,    Metric::recompute_time,
                        Metric::tensor_comm_time,   Metric::expert_comm_time, Metric::context_comm_time,
                        Metric::host_time,          Metric::imbalance_time,   Metric::bubble_time,
                        Metric::pipeline_comm_time, Metric::data_comm_time,   Metric::offload_time,
                        Metric::optimizer_time,     Metric::straggler_time};

/// One round: points, their neighbours, and what was found.
class Round {
 public:
  explicit Round(PropertyTally& tally) : tally_(tally) {}

  std::size_t add(const TrainingValues& values) {
    points_.push_back(values);
    return table_.add(values);
  }
  /// `less` has at most `factor` times what `more` has of the metric, where both can run.
  void expect_less(const std::string& why, std::size_t less, std::size_t more, Metric metric, double factor = 1) {
    expectations_.push_back({why, less, more, metric, factor});
  }
  void expect_fit(const std::string& why, std::size_t from, std::size_t to) { fits_.push_back({why, from, to}); }

  void check() {
    found_ = table_.estimate();
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (runs(i)) check_alone(i);
    for (const Expectation& e : expectations_) {
      if (!runs(e.less) || !runs(e.more)) continue;
      const double less = found_[e.metric][e.less];
      const double more = found_[e.metric][e.more];
      tally_.check(e.why, less <= e.factor * more * rounding,
                   [&] { return fmt::format("{} against {}:{}", less, more, points_[e.more].text()); });
    }
    for (const Fit& f : fits_)
      if (found_.status[f.from] == code_of(Status::ok))
        tally_.check(f.why, found_.status[f.to] == code_of(Status::ok), [&] { return points_[f.from].text(); });
  }
  [[nodiscard]] std::size_t size() const { return points_.size(); }

 private:
  struct Expectation {
    std::string why;
    std::size_t less;
    std::size_t more;
    Metric metric;
    double factor;
  };
  struct Fit {
    std::string why;
    std::size_t from;
    std::size_t to;
  };

  /// Whether the point has metrics.
  [[nodiscard]] bool runs(std::size_t i) const {
    const std::uint8_t status = found_.status[i];
    return status == code_of(Status::ok) || status == code_of(Status::device_memory) ||
           status == code_of(Status::host_memory);
  }

  void check_alone(std::size_t i) {
    const auto example = [&] { return points_[i].text(); };
    const auto metric = [&](Metric m) { return found_[m][i]; };
    const double step = metric(Metric::step_time);
    double sum = 0;
    bool none_is_negative = true;
    for (const Metric part : parts) {
      sum += metric(part);
      none_is_negative = none_is_negative && metric(part) >= 0;
    }
    tally_.check("a step takes time", std::isfinite(step) && step > 0, example);
    tally_.check("no part is negative", none_is_negative, example);
    tally_.check("parts add up", std::abs(sum - step) <= 1e-9 * step, example);
    tally_.check("finite rates", std::isfinite(metric(Metric::token_rate)) && metric(Metric::token_rate) > 0, example);
    for (const Metric m : {Metric::utilization, Metric::hardware_flops_utilization})
      tally_.check("no more than the peak", metric(m) >= 0 && metric(m) <= rounding, example);
    tally_.check("what is useful is executed",
                 metric(Metric::model_flops_utilization) <= metric(Metric::hardware_flops_utilization) * rounding,
                 example);
    for (std::size_t m = 0; m < found_.metrics.size(); ++m)
      if (is_given(found_.metrics[m][i]))
        tally_.check("metrics are finite and not negative",
                     std::isfinite(found_.metrics[m][i]) && found_.metrics[m][i] >= 0, example);
    const double average = metric(cost::place_of<Metric>(cost::WattsMetric::system_average_power));
    if (is_given(average))
      tally_.check("averages are within the nameplate", average <= metric(Metric::system_power) * rounding, example);
    const double used = metric(Metric::memory_used);
    tally_.check("memory is finite", std::isfinite(used) && used >= 0 && metric(Metric::offload_used) >= 0, example);
    const double capacity = points_[i].number(dram_capacity);
    tally_.check("what runs fits", found_.status[i] != code_of(Status::ok) || used <= capacity * rounding, example);
    check_one_micro_batch(i, step);
  }

  /// All stages work on a micro-batch one after the other, forward and, unless weight gradients wait, backward.
  void check_one_micro_batch(std::size_t i, double step) {
    const TrainingValues& v = points_[i];
    const double count = v.number(global_batch) / (v.number(data_parallel) * v.number(micro_batch));
    double passes = found_[Metric::forward_time][i];
    const bool waits = v[schedule].text != "one_forward_one_backward";
    if (!waits || v[phase].text == "forward")
      for (const Metric m :
           {Metric::backward_time, Metric::recompute_time, Metric::tensor_comm_time, Metric::host_time})
        passes += found_[m][i];
    const double through = passes / std::max(1.0, count) * v.number(pipeline_parallel);
    tally_.check("never shorter than one micro-batch", step * rounding >= through, [&] { return v.text(); });
  }

  PropertyTally& tally_;
  testing::TrainingTable table_;
  std::vector<TrainingValues> points_;
  std::vector<Expectation> expectations_;
  std::vector<Fit> fits_;
  Estimates found_;
};

void add_neighbours(Round& round, const TrainingValues& base, std::size_t b) {
  const auto changed = [&](const auto& change) {
    TrainingValues v = base;
    change(v);
    return round.add(v);
  };
  for (const Neighbour& n : faster) {
    const std::size_t fast = changed(n.change);
    round.expect_less(n.why, fast, b, Metric::step_time);
    round.expect_fit(std::string("fits with ") + n.why, b, fast);
  }
  for (const Neighbour& n : more_work) round.expect_less(n.why, b, changed(n.change), Metric::step_time);
  for (const Neighbour& n : twice_the_devices) round.expect_less(n.why, b, changed(n.change), Metric::step_time, 2);
  for (const Ordered& o : ordered) {
    const auto with = [&](const char* text) {
      return changed([&](TrainingValues& v) {
        if (o.metric == Metric::step_time) v[activation_offload].number = 0;  // what is kept less is moved less
        if (o.parameter == task) v[step_graph].number = 1;  // adapters add kernels that have to be launched
        v[o.parameter].text = text;
      });
    };
    // Balanced stages of other schedules are the best of the splits that are tried, which follow the work of a layer.
    const bool tries = base[stage_split].text == "balanced" && base[schedule].text != "one_forward_one_backward";
    round.expect_less(o.why, with(o.less), with(o.more), o.metric, tries ? 1 + 2e-4 : 1.0);
  }
  for (const int sharding : {0, 1, 2}) {
    const auto at = [&](int s) { return changed([&](TrainingValues& v) { v[optimizer_sharding].number = s; }); };
    if (base[state_bytes].text.empty() && sharding == 2) continue;  // sharded weights are kept in more bytes
    round.expect_less("sharding more needs less", at(sharding + 1), at(sharding), Metric::memory_used,
                      sharding == 2 ? 2 : 1);  // and gathers layers
  }
  const std::size_t roomy = changed(multiply<dram_capacity, 200>);
  round.expect_fit("more memory", b, roomy);
  round.expect_less("memory changes no time", roomy, b, Metric::step_time);
  round.expect_less("memory changes no time", b, roomy, Metric::step_time);
  const std::size_t chunks = changed(multiply<interleaving, 200>);
  round.expect_less("interleaving shortens the bubble", chunks, b, Metric::bubble_time);
  round.expect_less("larger micro-batches are kept", b, changed(multiply<micro_batch, 200>), Metric::memory_used,
                    1.0001);
}

/// A token more changes little, also at the end of a window.
void add_thresholds(Round& round, TrainingValues v) {
  const double window = v[model].entry->number_or("window", 1024);
  for (const char* kernel : {"flash", "materialized"}) {
    v[attention_kernel].text = kernel;
    v[sequence_length].number = window;
    const std::size_t inside = round.add(v);
    v[sequence_length].number = window + 1;
    const std::size_t beyond = round.add(v);
    for (const Metric m : {Metric::step_time, Metric::memory_used, Metric::model_flops_utilization_full}) {
      round.expect_less("the end of a window", inside, beyond, m, 1 + 3 / window);
      round.expect_less("the end of a window", beyond, inside, m, 1 + 3 / window);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(steps_have_the_properties_of_steps) {
  const bool is_long = std::getenv("DFSWEEP_LONG_TESTS") != nullptr;
  testing::TrainingCatalogue catalogue;
  PropertyTally tally;
  Random random(20);
  std::size_t points = 0;
  for (int r = 0; r < (is_long ? 1000 : 30); ++r) {
    Round round(tally);
    for (int i = 0; i < 100; ++i) {
      const TrainingValues base = catalogue.random_values(random);
      const std::size_t b = round.add(base);
      add_neighbours(round, base, b);
      for (const double factor : {2.0, 100.0}) {
        TrainingValues v = base;
        const Entry& system_of_v = catalogue.with_faster_host(*base[system].entry, factor);
        v[system].entry = &system_of_v;
        v[system].text = system_of_v.name;
        round.expect_less("a faster link to the host", round.add(v), b, Metric::step_time);
      }
      add_thresholds(round, base);
    }
    round.check();
    points += round.size();
  }
  testing::report(tally, points, 52);
}

BOOST_AUTO_TEST_SUITE_END()
