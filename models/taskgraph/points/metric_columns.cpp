#include "models/taskgraph/points/metric_columns.hpp"

#include <algorithm>

namespace dfsweep::taskgraph {

Status status_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::none:
      return Status::ok;
    case Obstacle::cache:
      return Status::out_of_cache;
    case Obstacle::no_profile:
      return Status::no_profile;
    case Obstacle::no_work:
      return Status::no_work;
    case Obstacle::attention:
    case Obstacle::experts:
      return Status::not_modelled;
    default:
      return Status::invalid;
  }
}

void clear_metrics(EstimateColumns& out, std::size_t points) {
  for (const std::span<double> column : out.metrics)
    if (!column.empty()) std::fill_n(column.begin(), points, absent);
}

namespace detail {

namespace {

/// Tokens of a step.
double tokens_of(const PointQuestion& q) {
  return q.strategy == Strategy::given ? q.run->graph().tokens : q.setting.batch.tokens();
}

/// Absent for a graph of links alone.
double rate_per_device(const PointQuestion& q, const StepEstimate& e) {
  return e.devices > 0.0 ? tokens_of(q) / e.step.value() / e.devices : absent;
}

}  // namespace

void write_times(const PointCells& cells, const StepEstimate& e) {
  cells.set(Metric::step_time, e.step);
  cells.set(Metric::critical_path, e.critical_path);
  cells.set(Metric::attention_time, e.times.of[Part::attention]);
  cells.set(Metric::ffn_time, e.times.of[Part::ffn]);
  cells.set(Metric::communication_time, e.times.of[Part::communication]);
  cells.set(Metric::other_time, e.times.of[Part::other]);
  cells.set(Metric::devices_used, e.devices);
  cells.set(Metric::busy_fraction, e.busy.mean);
  cells.set(Metric::least_busy_fraction, e.busy.least);
  cells.set(Metric::most_busy_fraction, e.busy.most);
  cells.set(Metric::link_busy_fraction, e.busy.link);
}

void write_rates(const PointCells& cells, const PointQuestion& q, const StepEstimate& e) {
  const double rate = tokens_of(q) / e.step.value();
  cells.set(Metric::token_rate, rate);
  cells.set(Metric::token_rate_per_device, rate_per_device(q, e));
  cells.set(Metric::time_per_token, 1.0 / rate);
  if (q.strategy != Strategy::given && q.is_decode) cells.set(Metric::time_per_output_token, e.step);
}

void write_strategy(const PointCells& cells, const PointQuestion& q, const StepEstimate& e) {
  cells.set(Metric::sequential_time, e.sequential);
  cells.set(Metric::overlapped_time, e.overlapped);
  if (q.pool.is_best) cells.set(Metric::best_pool_devices, e.pool_devices);
  cells.set(Metric::token_tile_used, e.token_tile);
  cells.set(Metric::layer_groups, e.layer_groups);
  if (is_given(e.coverage)) cells.set(Metric::coverage, e.coverage);
}

void write_baseline(const PointCells& cells, const PointQuestion& q, const StepEstimate& e) {
  if (!cells.out.wants(Metric::baseline_time) && !cells.out.wants(Metric::speedup) &&
      !cells.out.wants(Metric::speedup_per_device))
    return;
  StepEstimate other;
  const bool is_baseline = q.strategy == Strategy::tensor_pipeline;
  if (!is_baseline) other = baseline_of(q.setting, q.strategy);
  const StepEstimate& baseline = is_baseline ? e : other;
  if (baseline.obstacle != Obstacle::none) return;
  cells.set(Metric::baseline_time, baseline.step);
  cells.set(Metric::speedup, baseline.step / e.step);
  cells.set(Metric::speedup_per_device, rate_per_device(q, e) / rate_per_device(q, baseline));
}

void write_sizes(const PointCells& cells, const PointQuestion& q, const StepEstimate& e) {
  if (q.strategy == Strategy::given) return;
  const Setting& s = q.setting;
  cells.set(Metric::layer_weights, s.convention->layer(s.model, s.batch, 1.0, s.device.word).weights.value());
  cells.set(Metric::layer_activations, s.batch.tokens() * s.model.hidden * s.device.word.value());
  cells.set(Metric::cache_fit, e.cache_fit);
  if (e.obstacle == Obstacle::cache) cells.set(Metric::shortfall, 1.0 / e.cache_fit);
}

}  // namespace detail

bool wants_costs(const EstimateColumns& out) {
  return std::any_of(out.metrics.begin() + index_of(Metric::system_cost), out.metrics.end(),
                     [](std::span<double> column) { return !column.empty(); });
}

void write_costs(EstimateColumns& out, std::size_t i, const PointQuestion& question, const StepEstimate& estimate,
                 const DeviceCosts& costs) {
  const detail::PointCells cells{out, i};
  const auto set = [&](Metric metric, double value) { cells.set(metric, value); };
  cost::write_system<Metric>(set, costs.bill, estimate.devices, detail::tokens_of(question) / estimate.step.value(),
                             costs.ownership);
}

}  // namespace dfsweep::taskgraph
