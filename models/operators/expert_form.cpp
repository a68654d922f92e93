/// The form of experts, term by term.
#include "models/operators/expert_form.hpp"

#include <algorithm>
#include <cmath>

#include "models/operators/smooth_sum.hpp"

namespace dfsweep::operators {

namespace {

/// Numbers of an expert on one device.
double expert_numbers_on_device(const ExpertShape& s) {
  return s.products * s.hidden * s.inner / s.tensor_parallel;
}

}  // namespace

double balanced_rows(const ExpertShape& s) {
  return s.tokens * s.experts_per_token / s.expert_parallel;
}

double fullest_rows(const ExpertShape& s) {
  return overlapped(balanced_rows(s), 1.0);
}

double visited_experts(const ExpertShape& s) {
  const double held = std::max(s.experts / s.expert_parallel, 1.0);
  const double rows = fullest_rows(s);
  if (held <= 1.0) return 1.0;
  return s.unevenness > 0.0 ? held * (1.0 - std::pow(1.0 - 1.0 / held, rows)) : std::min(held, rows);
}

OperatorWork expert_work(const ExpertShape& s) {
  const double rows = balanced_rows(s);
  return {Flop{2.0 * expert_numbers_on_device(s) * rows},
          Bytes{expert_numbers_on_device(s) * visited_experts(s) * s.weight_bytes +
                rows * s.hidden * (s.activation_bytes + 2.0)}};
}

Seconds expert_time(const ExpertShape& shape, const DeviceRates& rates, const ExpertNumbers& numbers) {
  const double uneven = numbers.uneven * shape.unevenness;
  const double rows = fullest_rows(shape) * (1.0 + uneven) * (1.0 + uneven * std::log(shape.expert_parallel));
  const double weights = expert_numbers_on_device(shape);
  const double visited = visited_experts(shape);
  const double compute = 2.0 * weights * (rows + numbers.half_rows * visited) / (rates.peak.value() * numbers.share);
  const double traffic = weights * visited * shape.weight_bytes / (rates.bandwidth.value() * numbers.memory_share);
  const double moved =
      (numbers.moved * rows + numbers.gathered * shape.tokens) * shape.hidden / rates.bandwidth.value();
  return Seconds{numbers.launch + overlapped(compute, traffic) + moved};
}

}  // namespace dfsweep::operators
