#include "models/dataflow/parallelism/domain.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"

namespace dfsweep::dataflow {

DomainChips domain_chips(const Shape& shape, double domain) {
  DomainChips result;
  if (!is_given(domain)) {
    result.chips[0] = shape.sizes[0];
    return result;
  }
  double left = domain;
  result.inner = 0;
  for (std::size_t d = 0; d < shape.count; ++d) {
    result.chips[d] = std::min(shape.sizes[d], left);
    left = std::floor(left / result.chips[d]);
    if (result.inner == d && result.chips[d] == shape.sizes[d]) result.inner = d + 1;
  }
  return result;
}

PerLink on_links(const Joined& at, double cost) {
  return at.is_inner() ? PerLink{cost, 0.0} : PerLink{0.0, cost};
}

PerLink domain_pass(double inside, double chips) {
  if (inside >= chips) return {chips > 1.0 ? (chips - 1.0) / chips : 0.0, 0.0};
  return {(inside - 1.0) / inside, (chips / inside - 1.0) / chips};
}

PerLink one_pass(const Joined& at) {
  if (at.is_inner() || at.inside <= 1.0) return on_links(at, one_pass(at.kind, at.chips));
  if (at.kind != DimensionKind::fully_connected) return domain_pass(at.inside, at.chips);
  return {one_pass(at.kind, at.inside), one_pass(at.kind, at.chips / at.inside) / at.inside};
}

PerLink steps(const Joined& at, CollectiveSteps count) {
  if (at.is_inner() || at.inside <= 1.0) return on_links(at, count(at.kind, at.chips));
  return {count(at.kind, at.inside), count(at.kind, std::ceil(at.chips / at.inside))};
}

}  // namespace dfsweep::dataflow
