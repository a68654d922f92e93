#include "models/training/pipeline/stages.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::training {

StageLoad stage_load(double layers, double vocabulary, double stages, StageSplit split) {
  const double mean = (layers + vocabulary) / stages;
  if (stages <= 1) return {mean, mean, layers, layers};
  const double even = layers / stages;
  StageLoad best{mean, std::max(std::ceil(even), even + vocabulary), std::ceil(even), even};
  if (split == StageSplit::even) return best;
  for (double last = std::floor(even); last >= 0; --last) {
    const double others = std::ceil((layers - last) / (stages - 1));
    const double heaviest = std::max(others, last + vocabulary);
    if (heaviest < best.heaviest) best = {mean, heaviest, others, last};
  }
  return best;
}

}  // namespace dfsweep::training
