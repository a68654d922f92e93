/// Cost of collectives and exchanges.
#include "models/machine/collectives.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep {

namespace {

/// Chips that exchange data through dimension `d`: those joined by dimensions up to `d` where outer dimensions use
/// gateways, all chips in a mesh of rings.
double chips_reached(const Topology& topology, const Shape& shape, std::size_t d) {
  return is_hierarchical(topology) ? chips_inside(shape, d) * shape.sizes[d] : chips_of(shape);
}

void raise(ExchangeCost& cost, bool is_inner, double value) {
  double& part = is_inner ? cost.first : cost.outer;
  part = std::max(part, value);
}

using FullyConnectedLinks = double (*)(double size);

ExchangeCost pairwise_exchange(const Topology& topology, const Shape& shape, std::size_t inner,
                               FullyConnectedLinks links_between) {
  const double p = chips_of(shape);
  ExchangeCost cost;
  for (std::size_t d = 0; d < topology.count; ++d) {
    const double x = shape.sizes[d];
    if (x <= 1.0) continue;
    const double c = chips_reached(topology, shape, d);
    double links = x;
    if (topology.kinds[d] == DimensionKind::ring) links = 2.0 * (is_hierarchical(topology) ? 1.0 : p / x);
    if (topology.kinds[d] == DimensionKind::fully_connected) links = links_between(x);
    raise(cost, d < inner, c * (c - 1.0) / (2.0 * p * p * links));
  }
  return cost;
}

}  // namespace

double one_pass(DimensionKind kind, double chips) {
  if (chips <= 1.0) return 0.0;
  return kind == DimensionKind::fully_connected ? 1.0 / chips : (chips - 1.0) / chips;
}

double gather_shards(DimensionKind kind, double chips) {
  if (chips <= 1.0) return 0.0;
  return kind == DimensionKind::fully_connected ? 1.0 : chips - 1.0;
}

double published_all_to_all(DimensionKind kind, double chips) {
  if (chips <= 1.0) return 0.0;
  if (kind == DimensionKind::ring) return chips * chips / 8.0;
  return kind == DimensionKind::switched ? chips / 4.0 : 1.0;
}

double scheduled_all_to_all(DimensionKind kind, double chips) {
  if (chips <= 1.0) return 0.0;
  if (kind == DimensionKind::ring) return std::floor(chips * chips / 4.0) / chips / 2.0;
  return kind == DimensionKind::switched ? (chips - 1.0) / chips : 1.0 / chips;
}

double no_steps(DimensionKind, double) {
  return 0.0;
}

double ring_all_reduce_steps(DimensionKind, double chips) {
  return 2.0 * (chips - 1.0);
}

double all_reduce_steps(DimensionKind kind, double chips) {
  return 2.0 * gather_steps(kind, chips);
}

double gather_steps(DimensionKind kind, double chips) {
  if (chips <= 1.0) return 0.0;
  if (kind == DimensionKind::ring) return chips - 1.0;
  if (kind == DimensionKind::fully_connected) return 1.0;
  double steps = 0.0;
  for (double reached = 1.0; reached < chips; reached *= 2.0) steps += 1.0;
  return steps;
}

double all_to_all_steps(DimensionKind kind, double chips) {
  if (chips <= 1.0) return 0.0;
  if (kind == DimensionKind::ring) return std::floor(chips / 2.0);
  return kind == DimensionKind::switched ? chips - 1.0 : 1.0;
}

ExchangeCost last_dimension_exchange(const Topology& topology, const Shape& shape, std::size_t inner) {
  if (chips_of(shape) <= 1.0) return {};
  const std::size_t last = topology.count - 1;
  const double y = shape.sizes[last];
  double links = y;
  if (topology.kinds[last] == DimensionKind::ring) links = chips_inside(shape, last);
  if (topology.kinds[last] == DimensionKind::fully_connected) links = y * y / 4.0;
  ExchangeCost cost;
  raise(cost, last < inner, 1.0 / (4.0 * links));
  return cost;
}

ExchangeCost pairwise_exchange_quarter(const Topology& topology, const Shape& shape, std::size_t inner) {
  return pairwise_exchange(topology, shape, inner, [](double x) { return x * x / 4.0; });
}

ExchangeCost pairwise_exchange_pairs(const Topology& topology, const Shape& shape, std::size_t inner) {
  return pairwise_exchange(topology, shape, inner, [](double x) { return x * (x - 1.0) / 2.0; });
}

ExchangeCost bisection_exchange(const Topology& topology, const Shape& shape, std::size_t inner) {
  const double p = chips_of(shape);
  ExchangeCost cost;
  for (std::size_t d = 0; d < topology.count; ++d) {
    const double x = shape.sizes[d];
    if (x <= 1.0) continue;
    const double reached = chips_reached(topology, shape, d);
    const double lower = std::floor(x / 2.0);
    const double crossing = lower * (x - lower) / (x * x) * (reached / p);
    double links = 0.0;
    switch (topology.kinds[d]) {
      case DimensionKind::ring:
        links = 2.0 * p / x;
        break;
      case DimensionKind::fully_connected:
        links = lower * (x - lower) * copies_outside(shape, d);
        break;
      case DimensionKind::switched:
        links = lower * copies_outside(shape, d);
        break;
    }
    raise(cost, d < inner, crossing / links);
  }
  return cost;
}

}  // namespace dfsweep
