/// The form P, term by term.
#include "models/operators/product_form.hpp"

#include <algorithm>

#include "models/operators/smooth_sum.hpp"

namespace dfsweep::operators {

OperatorWork product_work(const ProductShape& s) {
  return {Flop{2.0 * s.m * s.n * s.k},
          Bytes{s.activation_bytes * s.m * s.k + s.weight_bytes * s.k * s.n + 2.0 * s.m * s.n}};
}

Seconds product_time(const ProductShape& shape, const DeviceRates& rates, const ProductNumbers& numbers) {
  const OperatorWork work = product_work(shape);
  const double compute = work.flop.value() * (1.0 + numbers.half_rows / shape.m) / (rates.peak.value() * numbers.share);
  const double traffic = work.bytes.value() / (rates.bandwidth.value() * numbers.memory_share);
  const double longest = std::min(numbers.walk * shape.k, numbers.split);
  const double cast = numbers.cast * 2.0 * shape.m * shape.k / rates.bandwidth.value();
  return Seconds{numbers.launch + longest + overlapped(compute, traffic) + cast};
}

}  // namespace dfsweep::operators
