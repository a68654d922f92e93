#include "models/training/pipeline/stages.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::training {

StageLoad split_at(double last, double layers, double vocabulary, double stages) {
  const double others = std::ceil((layers - last) / (stages - 1));
  return {(layers + vocabulary) / stages, std::max(others, last + vocabulary), others, last};
}

StageLoad stage_load(double layers, double vocabulary, double stages, StageSplit split) {
  const double mean = (layers + vocabulary) / stages;
  if (stages <= 1) return {mean, mean, layers, layers};
  const double even = layers / stages;
  StageLoad best{mean, std::max(std::ceil(even), even + vocabulary), std::ceil(even), even};
  if (split == StageSplit::even) return best;
  for (double last = std::floor(even); last >= 0; --last) {
    const StageLoad load = split_at(last, layers, vocabulary, stages);
    if (load.first_layers >= best.heaviest) break;  // they only grow as the last stage shrinks
    if (load.heaviest < best.heaviest) best = load;
  }
  return best;
}

}  // namespace dfsweep::training
