/// Link and switch units of a topology.
#include "models/machine/bill.hpp"

#include "models/expect.hpp"

namespace dfsweep {

NetworkUnits units_of_dimension(const Topology& topology, const Shape& shape, std::size_t dimension) {
  DFSWEEP_EXPECT(dimension < topology.count);
  const double x = shape.sizes[dimension];
  const double o = copies_outside(shape, dimension);
  switch (topology.kinds[dimension]) {
    case DimensionKind::ring:
      return {chips_of(shape), 2.0 * chips_of(shape) / x};
    case DimensionKind::switched:
      return {x * o, x * o};
    case DimensionKind::fully_connected:
      return {x * (x - 1.0) * o, dimension == 0 ? 0.0 : x * x * o};
  }
  return {};
}

}  // namespace dfsweep
