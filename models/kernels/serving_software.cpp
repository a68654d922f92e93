#include "models/kernels/serving_software.hpp"

#include <cmath>

namespace dfsweep {

double bounded(double share, double bound) {
  const double square = (share / bound) * (share / bound);
  const double fourth = square * square;
  // Nested square roots instead of a power, so that all processors give the same bits.
  return share / std::sqrt(std::sqrt(std::sqrt(1 + fourth * fourth)));
}

}  // namespace dfsweep
