#include "models/queueing/steps_of_answer.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::queueing {

double steps_of_answer(double output, double output_variation_squared, double tokens_per_step) {
  if (tokens_per_step == 1.0) return output - 1.0;
  if (output_variation_squared == 0.0) return std::ceil((output - 1.0) / tokens_per_step);
  // The standard deviation of even lengths is their reach over the root of 3.
  const double reach = std::min(std::sqrt(3.0 * output_variation_squared) * output, output - 1.0);
  constexpr int lengths = 32;
  double steps = 0.0;
  for (int i = 0; i < lengths; ++i) {
    const double length = std::nearbyint(output + reach * ((2.0 * i + 1.0) / lengths - 1.0));
    steps += std::ceil((length - 1.0) / tokens_per_step);
  }
  return steps / lengths;
}

}  // namespace dfsweep::queueing
