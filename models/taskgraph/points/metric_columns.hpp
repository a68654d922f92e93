/// Metric columns of one point.
#pragma once

#include "models/cost/columns.hpp"
#include "models/taskgraph/points/point.hpp"

namespace dfsweep::taskgraph {

/// Status of an obstacle; ok without one.
[[nodiscard]] Status status_of(Obstacle obstacle);

/// Marks the metrics of the first `points` points as absent.
void clear_metrics(EstimateColumns& out, std::size_t points);

/// Fills the status of point `i` and the metrics that apply; columns of unread metrics are empty. Calls `crossover()`
/// only where a crossover metric is read and applies. Pre: the columns are cleared.
template <class CrossoverOf>
void write_point(EstimateColumns& out, std::size_t i, const PointQuestion& question, const StepEstimate& estimate,
                 const CrossoverOf& crossover);

/// Whether some metric of price, power or ownership is read.
[[nodiscard]] bool wants_costs(const EstimateColumns& out);

/// Of a device: its bill, and what the sweep says of the years of service.
struct DeviceCosts {
  cost::Bill bill;
  cost::OwnershipChoices ownership;
};
/// Fills price, power and ownership of all devices of point `i`. Pre: its status is ok.
void write_costs(EstimateColumns& out, std::size_t i, const PointQuestion& question, const StepEstimate& estimate,
                 const DeviceCosts& costs);

namespace detail {

/// Cells of all columns at one point.
struct PointCells {
  EstimateColumns& out;
  std::size_t i;
  void set(Metric metric, double value) const {
    const std::span<double> column = out.metrics[index_of(metric)];
    if (!column.empty()) column[i] = value;
  }
  void set(Metric metric, Seconds time) const { set(metric, time.value()); }
};

void write_times(const PointCells& cells, const StepEstimate& estimate);
void write_rates(const PointCells& cells, const PointQuestion& question, const StepEstimate& estimate);
void write_strategy(const PointCells& cells, const PointQuestion& question, const StepEstimate& estimate);
void write_baseline(const PointCells& cells, const PointQuestion& question, const StepEstimate& estimate);
void write_sizes(const PointCells& cells, const PointQuestion& question, const StepEstimate& estimate);

}  // namespace detail

template <class CrossoverOf>
void write_point(EstimateColumns& out, std::size_t i, const PointQuestion& question, const StepEstimate& estimate,
                 const CrossoverOf& crossover) {
  const Status status = status_of(estimate.obstacle);
  out.status[i] = index_of(status);
  const detail::PointCells cells{out, i};
  if (status == Status::ok || status == Status::out_of_cache) detail::write_sizes(cells, question, estimate);
  if (status != Status::ok) return;
  detail::write_times(cells, estimate);
  detail::write_rates(cells, question, estimate);
  detail::write_strategy(cells, question, estimate);
  if (question.strategy == Strategy::given) return;
  detail::write_baseline(cells, question, estimate);
  if (question.strategy != Strategy::attention_pool) return;
  if (!out.wants(Metric::crossover_length) && !out.wants(Metric::crossover_end)) return;
  const Crossover lengths = crossover();
  cells.set(Metric::crossover_length, lengths.first);
  cells.set(Metric::crossover_end, lengths.last);
}

}  // namespace dfsweep::taskgraph
