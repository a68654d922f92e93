/// Bill of materials of a network: the link and switch bandwidth of a topology, for its price and its power.
#pragma once

#include "models/machine/topology.hpp"

namespace dfsweep {

/// Units of one dimension: multiples of the link bandwidth of that dimension.
struct NetworkUnits {
  double links = 0.0;
  double switches = 0.0;
};

/// With x chips in dimension d, i = chips_inside, o = copies_outside and p = i x o chips in total:
///
///     ring             links p            switches 2 p/x
///     switch           links x o          switches x o
///     fully connected  links x(x-1) o     switches x^2 o, none in dimension 0
///
/// Dimensions after the first, except rings, join groups of i chips through one port each.
/// Reproduces every row of [dfmodel] section 6. Pre: dimension < topology.count.
[[nodiscard]] NetworkUnits units_of_dimension(const Topology& topology, const Shape& shape, std::size_t dimension);

}  // namespace dfsweep
