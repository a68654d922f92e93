/// Estimates of single points: the strategy of the point, its baseline, and where a pool overtakes it.
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

/// Of the numbers that tables were measured with.
inline constexpr Bytes half_word{2.0};

/// Memory of one thread, used again from point to point.
struct PointScratch {
  /// Pre: both outlive the object.
  PointScratch(const TaskGraphValues& values, const MeasuredTables& measured);
  std::vector<std::unique_ptr<GivenRun>> runs;  ///< by code of `strategy`; null where built in
  LayerPlacement placement;
  const MeasuredTables& tables;
  MeasuredPoint measured;
};

/// The parameters of a point that are not part of its setting.
struct PointQuestion {
  Strategy strategy = Strategy::tensor_pipeline;
  GivenRun* run = nullptr;  ///< of a given graph
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
                        number(Parameter::fallback) == 1.0, inference::Coverage::measured};
    question.setting.device.measured = &scratch.measured;
  }
  return question;
}

/// NaN anywhere in the times makes it Obstacle::no_profile.
[[nodiscard]] StepEstimate estimate_of(const PointQuestion& question, PointScratch& scratch);

/// The tensor_pipeline strategy with the same degrees, however many devices the point is given. Of layerwise, its
/// layers are those that layerwise has.
[[nodiscard]] StepEstimate baseline_of(const Setting& setting, Strategy strategy);

/// Sequence lengths at which a pool is no slower than its baseline.
struct Crossover {
  double first = absent;  ///< the least; NaN: never
  double last = absent;   ///< the greatest of those without a gap from the least on; NaN: never slower again, or never
};

/// Lengths 1, 2, 4, ... 2^26 are tried. Between the first one at which the pool is no slower and the one before it, the
/// least is found by bisection, and likewise the last. A window that lies between two powers of two is not seen. The
/// length of the question does not matter. Points without an estimate count as slower.
[[nodiscard]] Crossover crossover_of(const PointQuestion& question);

}  // namespace dfsweep::taskgraph
