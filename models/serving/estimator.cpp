/// Evaluation of blocks of points from the deployments of a sweep.
#include "models/serving/estimator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "models/kernels/software_table.hpp"
#include "models/serving/points/arrivals.hpp"
#include "models/serving/points/explanation.hpp"
#include "models/serving/points/kept.hpp"
#include "models/serving/points/operator_prices.hpp"
#include "models/serving/points/point_cursor.hpp"

namespace dfsweep::serving {

namespace {

WantedParts wanted_parts(const EstimateColumns& out) {
  using enum Metric;
  const bool flops = out.wants(model_flops_utilization);
  const bool phase =
      flops || out.wants(compute_time) || out.wants(memory_time) || out.wants(network_time) || out.wants(host_time);
  constexpr auto of_watts =
      published::joined(std::array{energy_per_token, cost_per_million_tokens},
                        cost::places_of<Metric, cost::WattsMetric>, cost::places_of<Metric, cost::OwnershipMetric>);
  const bool has_watts = std::any_of(of_watts.begin(), of_watts.end(), [&](Metric m) { return out.wants(m); });
  const bool has_coverage = out.wants(Metric::coverage) || out.wants(expected_error);
  return {.phase = phase,
          .flops = flops,
          .capacity = out.wants(Metric::capacity),
          .watts = has_watts,
          .coverage = has_coverage,
          .steps = out.wants(decode_rate),
          .prompts = out.wants(prefill_rate)};
}

bool has_choice(const SweepValues& values, Parameter parameter, std::string_view choice) {
  const std::vector<ParameterValue>& given = values[parameter].values;
  return std::any_of(given.begin(), given.end(), [&](const ParameterValue& value) { return value.text == choice; });
}

bool is_one_of(std::span<const Metric> some, MetricIndex metric) {
  return std::any_of(some.begin(), some.end(), [&](Metric m) { return index_of(m) == metric; });
}

/// Metrics of one way to queue, and of drafts, have values where the sweep has these.
bool belongs_to_sweep(MetricIndex metric, const SweepValues& values) {
  using enum Metric;
  constexpr Metric of_simulations[] = {goodput, preemptions};
  constexpr Metric of_closed_forms[] = {first_token_queueing_error, token_time_queueing_error};
  constexpr Metric of_drafts[] = {acceptance_length, draft_time, verification_time, speculative_rate, speedup};
  const bool is_quantile = metric >= index_of(time_to_first_token_p50) && metric <= index_of(waiting_time_p99);
  if (is_quantile || is_one_of(of_simulations, metric)) return has_choice(values, Parameter::queueing, "simulated");
  if (is_one_of(of_closed_forms, metric)) return has_choice(values, Parameter::queueing, "steady");
  if (!is_one_of(of_drafts, metric)) return true;
  return has_choice(values, Parameter::speculation, "sequence") || has_choice(values, Parameter::speculation, "tree");
}

class PreparedServing final : public PreparedSweep {
 public:
  PreparedServing(const SweepValues& values, MakeStepTimes make_step_times)
      : values_(values),
        decoded_(decode_values(values)),
        deployments_(values, deployment_parameters()),
        demands_(values, demand_parameters()),
        neighbourhoods_(numbered(values, parameters_of_neighbours())),
        only_varied_size_(only_varied_size(values)),
        trace_(trace_of(values)) {
    using enum Parameter;
    if (const operators::OperatorTables* const tables = operators_of(values))
      prices_.emplace(values, decoded_, *tables);
    if (!has_profiles(values)) return;
    profiles_ = make_step_times(
        values, {values[model], values[device], values[network], values[tensor_parallel], values[pipeline_parallel]});
  }

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const PointCodes codes(values_, points);
    const FigureColumns columns(out);
    PointCursor cursor(wanted_parts(out), trace_);
    Run run;
    Scratch scratch;
    for (std::size_t first = 0; first < points.count(); first += Kept<Deployment>::run) {
      run.first = first;
      run.count = std::min(points.count() - first, Kept<Deployment>::run);
      deployments_.number(points, first, run.count, run.deployments);
      demands_.number(points, first, run.count, run.demands);
      if (knows_neighbours()) neighbourhoods_->numbers(points, first, std::span(run.neighbourhoods).first(run.count));
      evaluate_run({codes, points, first}, run, cursor, scratch, columns);
    }
  }
  bool leaves_out_unwanted() const override { return true; }
  Explanation explain(const PointColumns& points) const override {
    const PointCodes codes(values_, points);
    const PointValues v(decoded_.numbers, codes, 0);
    OperatorPrices::Scratch prices;
    const Deployment deployment = deployment_of(decoded_, v, prices_at(points, 0, v, prices));
    const Demand demand = demand_of(v, trace_);
    PointCursor cursor({.phase = true,
                        .flops = true,
                        .capacity = true,
                        .watts = true,
                        .coverage = true,
                        .steps = true,
                        .prompts = true},
                       trace_);
    const Figures& found = figures(cursor, deployment, demand, {codes, points, 0});
    Explanation all = explain_point(deployment, demand, found);
    if (prices_ && is_given(found[Metric::running_batch]))
      all.sections.push_back(
          prices_->explain(v, deployment.costs, request_of(deployment, demand), found[Metric::running_batch]));
    return all;
  }
  std::span<const DataProblem> warnings() const override {
    return profiles_ ? profiles_->warnings() : std::span<const DataProblem>{};
  }

 private:
  struct Scratch {
    Kept<Deployment>::Last deployment;
    Kept<Demand>::Last demand;
    OperatorPrices::Scratch prices;
  };
  /// Of points that are written together.
  using Sizes = std::array<double, most_together>;
  /// Where a point is found.
  struct Place {
    const PointCodes& codes;
    const PointColumns& points;
    std::size_t i = 0;
  };
  /// Combinations of points that follow one another.
  struct Run {
    std::size_t first = 0;
    std::size_t count = 0;
    Kept<Deployment>::Numbers deployments;
    Kept<Demand>::Numbers demands;
    Kept<Demand>::Numbers neighbourhoods;
    /// Whether two points differ in the size of their traffic alone. Pre: knows_neighbours().
    [[nodiscard]] bool are_neighbours(std::size_t a, std::size_t b) const {
      return deployments[a] == deployments[b] && neighbourhoods[a] == neighbourhoods[b];
    }
  };
  [[nodiscard]] bool knows_neighbours() const { return neighbourhoods_ && deployments_.has_numbers() && !profiles_; }
  void evaluate_run(const Place& start, const Run& run, PointCursor& cursor, Scratch& scratch,
                    const FigureColumns& columns) const {
    Sizes sizes;
    for (std::size_t k = 0; k < run.count;) {
      const Place at{start.codes, start.points, run.first + k};
      const Demand& asked = demand(at.codes, at.i, run.demands[k], scratch);
      if (deployments_.replaces(run.deployments[k], scratch.deployment)) cursor.forget();
      const Deployment& here = deployment(at, run.deployments[k], scratch);
      std::span<const double> alike;
      std::size_t written = 0;
      if (knows_neighbours() && k + 1 < run.count && run.are_neighbours(k, k + 1)) {
        const bool differs_in_batch = has_neighbouring_batches(here, asked);
        if (differs_in_batch || is_computed_with_neighbours(here, asked))
          alike = sizes_of_neighbours(asked, run, k, at.codes, sizes);
        if (alike.size() > 1)
          written = differs_in_batch ? cursor.write_batches(here, asked, alike, {columns, at.i})
                                     : cursor.write_together(here, asked, alike, {columns, at.i});
      }
      if (written == 0) {
        const Figures& found = figures(cursor, here, asked, at);
        const auto differs = [&](double size) { return size < cursor.size_of_same_figures(); };
        const auto same = std::find_if(alike.begin(), alike.end(), differs) - alike.begin();
        written = std::max<std::size_t>(1, static_cast<std::size_t>(same));
        columns.write(at.i, written, found);
      }
      k += written;
    }
  }
  /// Sizes of the traffic, or batches, of point k of the run and of those after it that differ in nothing else. Pre:
  /// knows_neighbours().
  std::span<const double> sizes_of_neighbours(const Demand& asked, const Run& run, std::size_t k,
                                              const PointCodes& codes, Sizes& sizes) const {
    const std::size_t most = std::min(sizes.size(), run.count - k);
    const Parameter parameter = parameter_of_size(asked);
    const double highest = parameter == Parameter::load ? 1.0 : INFINITY;
    const auto values_at = [&](std::size_t i) { return PointValues(decoded_.numbers, codes, run.first + k + i); };
    const auto add = [&](std::size_t i, double size) {
      sizes[i] = size;
      return is_given(size);
    };
    if (!add(0, neighbour_size(values_at(0), asked))) return {};
    std::size_t count = 1;
    if (parameter == only_varied_size_)
      for (; count < most && run.are_neighbours(k, k + count); ++count) {
        sizes[count] = values_at(count).number(parameter);
        if (!(sizes[count] > 0 && sizes[count] < highest)) break;
      }
    while (count < most && run.are_neighbours(k, k + count) && add(count, neighbour_size(values_at(count), asked)))
      ++count;
    return std::span(sizes).first(count);
  }
  [[nodiscard]] const Figures& figures(PointCursor& cursor, const Deployment& deployment, const Demand& demand,
                                       const Place& at) const {
    const PointValues v(decoded_.numbers, at.codes, at.i);
    if (!profiles_) return cursor.advance_to(deployment, demand, v);
    return cursor.advance_to(deployment, demand, v, ProfiledPlace{*profiles_, at.points, at.i});
  }
  [[nodiscard]] OperatorPrices::Prices prices_at(const PointColumns& points, std::size_t i, const PointValues& v,
                                                 OperatorPrices::Scratch& scratch) const {
    return prices_ ? prices_->at(points, i, v, scratch) : nullptr;
  }
  const Deployment& deployment(const Place& at, std::uint32_t number, Scratch& scratch) const {
    return deployments_.at(number, scratch.deployment, [&] {
      const PointValues v(decoded_.numbers, at.codes, at.i);
      return deployment_of(decoded_, v, prices_at(at.points, at.i, v, scratch.prices));
    });
  }
  const Demand& demand(const PointCodes& codes, std::size_t i, std::uint32_t number, Scratch& scratch) const {
    return demands_.at(number, scratch.demand,
                       [&] { return demand_of(PointValues(decoded_.numbers, codes, i), trace_); });
  }

  const SweepValues& values_;
  DecodedValues decoded_;
  Kept<Deployment> deployments_;
  Kept<Demand> demands_;
  std::optional<DistinctSubspace> neighbourhoods_;  ///< demands of any size; nothing: too many
  std::optional<Parameter> only_varied_size_;
  const StreamedRows* trace_;             ///< null where no trace is given
  std::optional<OperatorPrices> prices_;  ///< nothing where no measured operators are given
  std::unique_ptr<StepTimes> profiles_;   ///< null where no tables are given
};

class ServingEstimator final : public Estimator {
 public:
  explicit ServingEstimator(MakeStepTimes make_step_times) : make_step_times_(make_step_times) {}
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override { return "serving of a transformer: latency, throughput, memory, cost"; }
  std::uint32_t version() const override { return 13; }
  std::span<const ParameterInfo> parameters() const override { return serving::parameters(); }
  std::span<const CalibrationInfo> calibration() const override { return serving_calibration(); }
  std::span<const MetricInfo> metrics() const override { return serving::metrics(); }
  ResultViews views() const override { return serving::views(); }
  std::span<const StatusInfo> statuses() const override { return serving::statuses(); }
  std::span<const DataInfo> data() const override { return serving::data(); }
  std::optional<MetricIndex> shortfall() const override { return index_of(Metric::shortfall); }
  double seconds_per_point(const SweepValues&) const override { return 1e-7; }
  bool applies(MetricIndex metric, const SweepValues& values) const override {
    if (!belongs_to_sweep(metric, values)) return false;
    if (metric >= index_of(Metric::ownership)) return cost::asks_ownership<Parameter>(values);
    if (metric == index_of(Metric::coverage)) return operators_of(values) != nullptr;
    if (metric == index_of(Metric::expected_error) && operators_of(values) != nullptr) return true;
    if (metric != index_of(Metric::expected_error) && metric != index_of(Metric::expected_memory_error)) return true;
    const std::vector<ParameterValue>& software = values[Parameter::software].values;
    return std::any_of(software.begin(), software.end(), [&](const ParameterValue& value) {
      return value.entry != nullptr && value.entry->has_number(metrics()[metric].name);
    });
  }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override {
    std::vector<ValueProblem> problems = problems_of_values(values);
    const std::vector<ValueProblem> arrivals = problems_of_arrivals(values);
    problems.insert(problems.end(), arrivals.begin(), arrivals.end());
    return problems;
  }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<PreparedServing>(values, make_step_times_);
  }

 private:
  MakeStepTimes make_step_times_;
};

}  // namespace

std::unique_ptr<Estimator> make_serving_estimator(MakeStepTimes make_step_times) {
  return std::make_unique<ServingEstimator>(make_step_times);
}

}  // namespace dfsweep::serving
