#include "models/machine/network.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep {

namespace {

/// The largest divisor of `whole` whose `parts`-th power is at most `whole`.
double even_part(double whole, std::size_t parts) {
  double best = 1;
  for (double part = 2;; ++part) {
    if ((parts > 2 ? part * part * part : part * part) > whole) return best;
    if (std::fmod(whole, part) == 0.0) best = part;
  }
}

/// Factors `whole` into `parts` sizes in ascending order, stored in `shape` from dimension `first` on.
void split_evenly(double whole, std::size_t parts, Shape& shape, std::size_t first) {
  for (; parts > 1; --parts, ++first) {
    shape.sizes[first] = even_part(whole, parts);
    whole /= shape.sizes[first];
  }
  shape.sizes[first] = whole;
}

Shape usual_shape(const Topology& topology, const Enclosures& enclosures, double devices) {
  Shape shape;
  shape.count = topology.count;
  const double node = std::min(enclosures.node, devices);
  if (!is_hierarchical(topology)) {
    split_evenly(node, shape.count, shape, 0);
    return shape;
  }
  const double nodes = std::ceil(devices / node);
  shape.sizes[0] = node;
  if (shape.count > 2 && enclosures.pod > 0) {
    shape.sizes[1] = std::min(nodes, std::max(1.0, std::floor(enclosures.pod / node)));
    shape.sizes[2] = std::ceil(nodes / shape.sizes[1]);
  } else {
    split_evenly(nodes, shape.count - 1, shape, 1);
  }
  return shape;
}

/// Devices joined by the first `count` dimensions.
double joined_by(const Shape& shape, std::size_t count) {
  return chips_inside(shape, count);
}

/// Number of leading dimensions that join at most `devices`.
std::size_t dimensions_within(const Shape& shape, double devices) {
  std::size_t count = 0;
  while (count < shape.count && joined_by(shape, count + 1) <= devices) ++count;
  return count;
}

}  // namespace

double links_of_device(const Network& network) {
  const Dimensions& d = network.dimensions;
  if (d.inside == 0)
    return network.node_links == NodeLinks::direct ? std::max(1.0, network.enclosures.node - 1.0) : 1.0;
  double links = 0.0;
  for (std::size_t k = 0; k < d.inside; ++k) {
    const DimensionKind kind = d.topology.kinds[k];
    const double size = d.shape.sizes[k];
    if (kind == DimensionKind::ring) links += std::min(2.0, size - 1.0);
    if (kind == DimensionKind::switched) links += 1.0;
    if (kind == DimensionKind::fully_connected) links += size - 1.0;
  }
  return std::max(1.0, links);
}

std::optional<Network> arranged(const Network& network, const Topology& topology, const Shape& shape, double devices) {
  Network result = network;
  Enclosures& enclosures = result.enclosures;
  Dimensions& d = result.dimensions;
  d.topology = topology;
  d.shape = shape.count > 0 ? shape : usual_shape(topology, enclosures, devices);
  if (d.shape.count != topology.count) return std::nullopt;
  const double all = chips_of(d.shape);
  if (shape.count > 0 && all != devices && all != enclosures.node) return std::nullopt;

  d.inside = dimensions_within(d.shape, enclosures.node);
  const double node = joined_by(d.shape, d.inside);
  if (d.inside < topology.count && node != enclosures.node) return std::nullopt;
  if (d.inside > 0) enclosures.node = node;
  d.in_pod = enclosures.pod > 0 ? std::max(d.inside, dimensions_within(d.shape, enclosures.pod)) : topology.count;
  if (d.in_pod < topology.count && joined_by(d.shape, d.in_pod) != enclosures.pod) return std::nullopt;
  return result;
}

}  // namespace dfsweep
