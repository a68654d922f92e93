#include "models/taskgraph/points/point.hpp"

#include <cmath>

#include "models/taskgraph/strategies/tensor_pipeline.hpp"

namespace dfsweep::taskgraph {

namespace {

constexpr double longest_sequence = 67'108'864.0;  // 2^26

StepEstimate pool_estimate(const Setting& setting, const PoolChoice& pool) {
  return pool.is_best ? best_attention_pool(setting, pool.most, pool.objective) : attention_pool(setting);
}

StepEstimate estimate_by(const PointQuestion& q) {
  switch (q.strategy) {
    case Strategy::tensor_pipeline:
      return tensor_pipeline(q.setting);
    case Strategy::attention_pool:
      return pool_estimate(q.setting, q.pool);
    case Strategy::layerwise:
      return layerwise(q.setting);
    case Strategy::given:
      break;
  }
  return q.run->estimate(q.setting);
}

Obstacle obstacle_of_heads(const Transformer& model) {
  if (std::fmod(model.heads, model.key_value_heads) != 0.0) return Obstacle::shared_heads;
  return model.head_dim != std::floor(model.head_dim) ? Obstacle::head_dim : Obstacle::none;
}

}  // namespace

PointScratch::PointScratch(const TaskGraphValues& values, const MeasuredTables& measured_tables)
    : tables(measured_tables) {
  for (const std::unique_ptr<const GivenGraph>& graph : values.graphs)
    runs.push_back(graph == nullptr ? nullptr : std::make_unique<GivenRun>(*graph));
}

StepEstimate estimate_of(const PointQuestion& question) {
  StepEstimate estimate;
  if (question.strategy != Strategy::given) estimate.obstacle = obstacle_of_heads(question.setting.model);
  if (estimate.obstacle != Obstacle::none) return estimate;
  estimate = estimate_by(question);
  if (estimate.obstacle == Obstacle::none && !is_given(estimate.step)) estimate.obstacle = Obstacle::no_profile;
  if (question.setting.device.measured != nullptr)
    estimate.coverage = static_cast<double>(question.setting.device.measured->worst);
  return estimate;
}

StepEstimate baseline_of(const Setting& setting, Strategy strategy) {
  Setting s = setting;
  if (strategy == Strategy::layerwise && s.convention->same_layer != nullptr) s.convention = s.convention->same_layer;
  s.device_count = absent;
  return tensor_pipeline(s);
}

Crossover crossover_of(const PointQuestion& question) {
  Setting s = question.setting;
  const auto pool_wins = [&](double length) {
    s.batch.context = length;
    if (!question.is_decode) s.batch.new_tokens = length;
    const StepEstimate with_pool = pool_estimate(s, question.pool);
    const StepEstimate baseline = baseline_of(s, question.strategy);
    return with_pool.obstacle == Obstacle::none && baseline.obstacle == Obstacle::none &&
           with_pool.step <= baseline.step;
  };
  // The last length from `low` on with the same winner as at `low`; NaN where the winner never changes.
  const auto last_like = [&](double low, bool wins) {
    double high = low;
    do {
      low = high;
      high *= 2.0;
      if (high > longest_sequence) return absent;
    } while (pool_wins(high) == wins);
    while (high - low > 1.0) {
      const double middle = low + std::floor((high - low) / 2.0);
      (pool_wins(middle) == wins ? low : high) = middle;
    }
    return low;
  };
  const double first = pool_wins(1.0) ? 1.0 : last_like(1.0, false) + 1.0;
  return is_given(first) ? Crossover{first, last_like(first, true)} : Crossover{};
}

}  // namespace dfsweep::taskgraph
