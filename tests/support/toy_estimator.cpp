/// The toy: its tables, its arithmetic, and helpers that build its values by hand.
#include "tests/support/toy_estimator.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "tests/support/fallback.hpp"

namespace dfsweep {

namespace {

constexpr std::array<std::string_view, 3> flavours = {"plain", "rich", "odd"};
constexpr std::array<std::string_view, 4> outcomes = {"normal", "infeasible", "throws", "throws_alone"};
constexpr double skew_factor = 1e4;
constexpr double default_bandwidth = 1e9;

constexpr ParameterInfo whole(std::string_view name, std::string_view unit, std::string_view fallback,
                              std::string_view meaning) {
  return {.name = name,
          .kind = ParameterKind::integer,
          .unit = unit,
          .lowest = 0.0,
          .highest = 9007199254740992.0,
          .absence = Absence::fallback,
          .fallback = fallback,
          .meaning = meaning};
}

constexpr std::array<ParameterInfo, ToyEstimator::parameter_count> parameter_table = {{
    {.name = "flavour",
     .kind = ParameterKind::choice,
     .choices = flavours,
     .absence = Absence::fallback,
     .fallback = "plain",
     .meaning = "multiplies time by 1, 2 or 3"},
    whole("size", "B", "1000 B", "bytes held"),
    {.name = "capacity",
     .kind = ParameterKind::real,
     .unit = "B",
     .lowest = 0.0,
     .highest = 1e30,
     .absence = Absence::fallback,
     .fallback = "1e15 B",
     .meaning = "bytes that fit"},
    {.name = "rate",
     .kind = ParameterKind::real,
     .unit = "B/s",
     .lowest = 1e-3,
     .highest = 1e30,
     .overrides = "device.bandwidth",
     .absence = Absence::from_entry,
     .fallback = "bandwidth of the device",
     .meaning = "bytes moved per second"},
    {.name = "device",
     .kind = ParameterKind::entry,
     .catalogue = "devices",
     .absence = Absence::from_entry,
     .fallback = "1 GB/s",
     .meaning = "gives the bandwidth"},
    whole("seed", "1", "0", "enters noise only"),
    whole("work", "1", "0", "steps of arithmetic per point"),
    whole("skew", "1", "0", "one in this number of points costs 10 000 times as much"),
    {.name = "outcome",
     .kind = ParameterKind::choice,
     .choices = outcomes,
     .absence = Absence::fallback,
     .fallback = "normal",
     .meaning = "what becomes of the point"},
}};

constexpr std::array<MetricInfo, ToyEstimator::metric_count> metric_table = {{
    {.name = "time", .unit = "s", .better = Better::lower, .meaning = "size over rate, times flavour"},
    {.name = "speed", .unit = "s-1", .better = Better::higher, .meaning = "inverse of time"},
    {.name = "memory",
     .unit = "byte",
     .better = Better::lower,
     .meaning = "size",
     .valid_statuses = 1U | 1U << ToyEstimator::status_too_big},
    {.name = "margin",
     .unit = "byte",
     .better = Better::higher,
     .meaning = "capacity less size",
     .may_not_apply = true},
    {.name = "noise", .unit = "1", .meaning = "a hash of all values"},
    {.name = "colour", .unit = "1", .meaning = "flavour", .type = MetricType::flags, .flags = flavours},
}};

constexpr std::array<StatusInfo, 4> status_table = {{
    {"ok", "feasible"},
    {"failed", "a defect of dfsweep"},
    {"too_big", "size exceeds capacity"},
    {"infeasible", "asked to be infeasible"},
}};

std::uint64_t mix(std::uint64_t state, std::uint64_t value) {  // splitmix64
  state += value + 0x9e3779b97f4a7c15ULL;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebULL;
  return state ^ (state >> 31);
}

class PreparedToy final : public PreparedSweep {
 public:
  explicit PreparedToy(const SweepValues& values) : values_(&values) {}

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    for (std::size_t i = 0; i < points.count(); ++i) evaluate_one(points, i, out);
  }

  void lower_bounds(MetricIndex metric, const PointColumns& points, std::span<double> bound) const override {
    DFSWEEP_EXPECT(metric == ToyEstimator::memory);
    for (std::size_t i = 0; i < bound.size(); ++i) bound[i] = 0.75 * number(ToyEstimator::size, points, i);
  }

  [[nodiscard]] Explanation explain(const PointColumns& points) const override {
    return {
        .title = "toy", .facts = {{"size", number(ToyEstimator::size, points, 0), "B"}}, .table = {}, .sections = {}};
  }

 private:
  [[nodiscard]] const ParameterValue& value(ParameterIndex parameter, const PointColumns& points, std::size_t i) const {
    const SweepValues::Parameter& p = values_->parameters[parameter];
    return p.values[points.code(p, i)];
  }
  [[nodiscard]] double number(ParameterIndex parameter, const PointColumns& points, std::size_t i) const {
    return value(parameter, points, i).number;
  }

  [[nodiscard]] double bandwidth(const PointColumns& points, std::size_t i) const {
    const double rate = number(ToyEstimator::rate, points, i);
    const Entry* device = value(ToyEstimator::device, points, i).entry;
    if (rate == rate) return rate;
    return device == nullptr ? default_bandwidth : device->number_or("bandwidth", default_bandwidth);
  }

  void evaluate_one(const PointColumns& points, std::size_t i, EstimateColumns& out) const {
    const std::string& flavour = value(ToyEstimator::flavour, points, i).text;
    const std::string& outcome = value(ToyEstimator::outcome, points, i).text;
    const auto colour = static_cast<double>(std::find(flavours.begin(), flavours.end(), flavour) - flavours.begin());
    const double size = number(ToyEstimator::size, points, i);
    const double capacity = number(ToyEstimator::capacity, points, i);
    if (outcome == "throws") throw std::runtime_error("the toy throws");
    if (outcome == "throws_alone") throw std::runtime_error("the toy throws at size " + std::to_string(size));

    const double noise = spin(points, i);
    for (const std::span<double>& column : out.metrics) column[i] = std::numeric_limits<double>::quiet_NaN();
    out.status[i] = outcome == "infeasible" ? ToyEstimator::status_infeasible
                    : size > capacity       ? ToyEstimator::status_too_big
                                            : status_ok;
    if (out.status[i] == ToyEstimator::status_infeasible) return;
    out.metrics[ToyEstimator::memory][i] = size;
    if (out.status[i] != status_ok) return;
    const double time = (colour + 1.0) * size / bandwidth(points, i);
    out.metrics[ToyEstimator::time][i] = time;
    out.metrics[ToyEstimator::speed][i] = 1.0 / time;
    if (flavour != "odd") out.metrics[ToyEstimator::margin][i] = capacity - size;
    out.metrics[ToyEstimator::noise][i] = noise;
    out.metrics[ToyEstimator::colour][i] = colour;
  }

  /// A number in [0, 1) that depends on the values and takes `work` steps to find (times 10 000 at skewed points).
  [[nodiscard]] double spin(const PointColumns& points, std::size_t i) const {
    std::uint64_t state = 0;
    for (const SweepValues::Parameter& p : values_->parameters) state = mix(state, points.code(p, i));
    const auto skew = static_cast<std::uint64_t>(number(ToyEstimator::skew, points, i));
    auto steps = static_cast<std::uint64_t>(number(ToyEstimator::work, points, i));
    if (skew != 0 && state % skew == 0) steps *= static_cast<std::uint64_t>(skew_factor);
    for (std::uint64_t step = 0; step < steps; ++step) state = mix(state, step);
    state = mix(state, static_cast<std::uint64_t>(number(ToyEstimator::seed, points, i)));
    return static_cast<double>(state >> 11) * 0x1.0p-53;
  }

  const SweepValues* values_;
};

double highest(const SweepValues& values, ParameterIndex parameter) {
  double result = 0.0;
  for (const ParameterValue& value : values.parameters[parameter].values) result = std::max(result, value.number);
  return result;
}

std::size_t vary(SweepValues& values, ParameterIndex parameter, std::vector<ParameterValue> varied) {
  values.column_sizes.push_back(varied.size());
  values.parameters[parameter] = {std::move(varied), values.column_sizes.size() - 1};
  return values.column_sizes.size() - 1;
}

}  // namespace

std::span<const ParameterInfo> ToyEstimator::parameters() const {
  return parameter_table;
}
std::span<const MetricInfo> ToyEstimator::metrics() const {
  return metric_table;
}
std::span<const StatusInfo> ToyEstimator::statuses() const {
  return status_table;
}

double ToyEstimator::seconds_per_point(const SweepValues& values) const {
  double skewed = 1.0;
  for (const ParameterValue& one_in : values.parameters[skew].values)
    if (one_in.number > 0.0) skewed = std::max(skewed, skew_factor / one_in.number);
  return 5e-8 + 2e-9 * highest(values, work) * skewed;
}

std::unique_ptr<PreparedSweep> ToyEstimator::prepare(const SweepValues& values) const {
  DFSWEEP_EXPECT(values.parameters.size() == parameter_count);
  return std::make_unique<PreparedToy>(values);
}

SweepValues toy_defaults() {
  SweepValues values;
  for (const ParameterInfo& info : parameter_table)
    values.parameters.push_back({{testing::fallback_of(info)}, SweepValues::fixed});
  return values;
}

std::size_t vary(SweepValues& values, ParameterIndex parameter, std::span<const double> numbers) {
  std::vector<ParameterValue> varied;
  for (const double number : numbers) varied.push_back({.number = number, .text = {}, .entry = nullptr});
  return vary(values, parameter, std::move(varied));
}

std::size_t vary(SweepValues& values, ParameterIndex parameter, std::span<const std::string_view> texts) {
  std::vector<ParameterValue> varied;
  for (const std::string_view text : texts) varied.push_back({.text = std::string(text)});
  return vary(values, parameter, std::move(varied));
}

}  // namespace dfsweep
