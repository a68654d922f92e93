/// The form P, term by term.
#include "models/operators/product_form.hpp"

#include <algorithm>
#include <cmath>

#include "models/operators/smooth_sum.hpp"

namespace dfsweep::operators {

namespace {

/// Pieces into which libraries cut the depth of a product with few blocks.
constexpr double most_pieces = 32.0;

}  // namespace

OperatorWork product_work(const ProductShape& s) {
  return {Flop{2.0 * s.m * s.n * s.k},
          Bytes{s.activation_bytes * s.m * s.k + s.weight_bytes * s.k * s.n + 2.0 * s.m * s.n}};
}

Seconds product_time(const ProductShape& shape, const DeviceRates& rates, const ProductNumbers& numbers) {
  const OperatorWork work = product_work(shape);
  const double compute = work.flop.value() * (1.0 + numbers.half_rows / shape.m) / (rates.peak.value() * numbers.share);
  const double moved = work.bytes.value() + 2.0 * (numbers.written - 1.0) * shape.m * shape.n;
  const double traffic = moved / (rates.bandwidth.value() * numbers.memory_share);
  const double walk = numbers.walk * shape.k;
  const double longest = std::min(walk, numbers.split + walk / most_pieces);
  const double cast = numbers.cast * 2.0 * shape.m * (shape.k + numbers.cast_row) / rates.bandwidth.value();
  const double both = overlapped(compute, traffic);
  const double body = std::sqrt(longest * longest + numbers.exposed * longest * both + both * both);
  return Seconds{numbers.launch + body + cast};
}

}  // namespace dfsweep::operators
