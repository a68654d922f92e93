#include "models/kernels/serving_software.hpp"

#include <cmath>

namespace dfsweep::serving {

double bounded(double share, double bound) {
  const double square = (share / bound) * (share / bound);
  const double fourth = square * square;
  // Roots of roots rather than a power, so that it is the same on every processor.
  return share / std::sqrt(std::sqrt(std::sqrt(1 + fourth * fourth)));
}

}  // namespace dfsweep::serving
