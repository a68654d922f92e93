/// Stages: how layers, embedding and output layer are split over a pipeline, and how much the heaviest stage has to do.
#pragma once

#include "models/kernels/execution.hpp"

namespace dfsweep::training {

/// Work in units of one layer.
struct StageLoad {
  double mean = 0.0;
  double heaviest = 0.0;
  double first_layers = 0.0;  ///< layers of the first stage
  double last_layers = 0.0;   ///< layers of the last stage, which also has the output layer
};

/// `layers` over `stages`; `vocabulary`: work of output layer and loss in units of a layer.
/// even: ceil(L/p) layers on the fullest stage, L/p on the last; heaviest = max(ceil(L/p), L/p + vocabulary).
/// balanced: the last stage has x layers, 0 <= x <= L/p, the first one at most as many as fit; heaviest =
/// min over x of max(ceil((L-x)/(p-1)), x + vocabulary).
/// Pre: stages >= 1; layers >= 1.
[[nodiscard]] StageLoad stage_load(double layers, double vocabulary, double stages, StageSplit split);

/// With `last` layers on the last stage, and on the others as many as there are on the fullest of them.
/// Pre: stages >= 2; last <= layers.
[[nodiscard]] StageLoad split_at(double last, double layers, double vocabulary, double stages);

}  // namespace dfsweep::training
