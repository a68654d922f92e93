/// Estimates of single points: the strategy of the point, its baseline, and the crossover with a pool.
#pragma once

#include <memory>
#include <vector>

#include "models/taskgraph/points/decoded_values.hpp"
#include "models/taskgraph/points/measured_tables.hpp"
#include "models/taskgraph/strategies/given_run.hpp"
#include "models/taskgraph/strategies/layerwise.hpp"

namespace dfsweep::taskgraph {

/// How the pool devices of a point are chosen.
struct PoolChoice {
  bool is_best = false;
  double most = 1.0;
  PoolObjective objective = PoolObjective::step_time;
};

/// Size of the numbers in the measured tables.
inline constexpr Bytes half_word{2.0};

/// Scratch memory of one thread, reused for all points.
struct PointScratch {
  /// Pre: `values` and `measured` outlive the object.
  PointScratch(const TaskGraphValues& values, const MeasuredTables& measured);
  std::vector<std::unique_ptr<GivenRun>> runs;  ///< by code of `strategy`; null for built-in strategies
  const MeasuredTables& tables;
  MeasuredPoint measured;
};

/// A point: its setting and the parameters outside the setting.
struct PointQuestion {
  Strategy strategy = Strategy::tensor_pipeline;
  GivenRun* run = nullptr;  ///< set for a given graph
  PoolChoice pool;
  bool is_decode = false;
  Setting setting;
};

template <class CodeOf>
[[nodiscard]] PointQuestion question_at(const TaskGraphValues& values, const CodeOf& code, PointScratch& scratch) {
  const std::uint32_t strategy = code(Parameter::strategy);
  const auto number = [&](Parameter p) { return values.numbers[p][code(p)]; };
  PointQuestion question{
      values.strategies[strategy], scratch.runs[strategy].get(),
      PoolChoice{values.is_best_pool[code(Parameter::pool_devices)], number(Parameter::most_pool_devices),
                 static_cast<PoolObjective>(static_cast<std::uint8_t>(number(Parameter::pool_objective)))},
      number(Parameter::phase) == 1.0, setting_at(values, code)};
  if (scratch.tables.is_given()) {
    const bool is_half = question.setting.device.word == half_word;
    scratch.measured = {is_half ? &scratch.tables.of_device(code(Parameter::device)) : nullptr,
                        number(Parameter::fallback) == 1.0, Coverage::measured};
    question.setting.device.measured = &scratch.measured;
  }
  return question;
}

/// Any NaN in the times gives Obstacle::no_profile.
[[nodiscard]] StepEstimate estimate_of(const PointQuestion& question);

/// Estimate of strategy tensor_pipeline with the same degrees, independent of device_count. For layerwise, with the
/// same layers as layerwise.
[[nodiscard]] StepEstimate baseline_of(const Setting& setting, Strategy strategy);

/// Sequence lengths at which a pool is no slower than its baseline.
struct Crossover {
  double first = absent;  ///< the shortest length; NaN: never
  double last = absent;   ///< the longest length without a gap from `first` on; NaN: no upper end, or never
};

/// Tests lengths 1, 2, 4, ... 2^26, then finds both ends by bisection between neighbouring powers of two. A window
/// between two powers of two is missed. The sequence length of `question` is ignored. Points without an estimate count
/// as slower.
[[nodiscard]] Crossover crossover_of(const PointQuestion& question);

}  // namespace dfsweep::taskgraph
