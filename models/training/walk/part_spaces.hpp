/// Part spaces: which parameters of a sweep decide each part of a point and of its step.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/prepared/subspace.hpp"
#include "models/training/points/decoded_values.hpp"

namespace dfsweep::training {

/// Parts of a point (points/point_parts.hpp) and of its step (step/estimate.hpp).
enum class Part : std::uint8_t {
  model,
  machine,
  format,
  degrees,
  batch,
  choices,
  sharding,
  offload,
  shape,    ///< of the pipeline, and the layers that it holds
  states,   ///< weights, gradients and optimizer in memory
  layer,    ///< what a layer keeps
  stages,   ///< times of a layer and of the output layer
  sending,  ///< between stages
  bill,     ///< price and power of a device
  update,   ///< exchange of weights and gradients, update of the weights
  count
};

/// A set of parts: bit index_of(part) of each.
using Parts = std::uint32_t;

[[nodiscard]] constexpr Parts set_of(Part part) {
  return Parts{1} << index_of(part);
}
inline constexpr Parts all_parts = set_of(Part::count) - 1;

/// Parts are equal where the numbers of their combinations are.
class PartSpaces {
 public:
  PartSpaces(const SweepValues& values, const DecodedValues& decoded);

  [[nodiscard]] std::uint64_t size(Part part) const { return spaces_[index_of(part)].size(); }
  /// Fills `out` with the parts that points `first`, `first` + 1, ... may not share with the point before: those with
  /// a parameter whose code differs; all parts for the first one.
  void find_changes(const PointColumns& points, std::size_t first, std::span<Parts> out) const;
  /// Number of the combination of a part at point `i`. Where there are too many combinations to be numbered, every
  /// number is a new one: `serial` is raised.
  [[nodiscard]] std::uint64_t number(Part part, const PointColumns& points, std::size_t i,
                                     std::uint64_t& serial) const {
    const Subspace& space = spaces_[index_of(part)];
    return space.size() < std::numeric_limits<std::uint64_t>::max() ? space.index(points, i) : serial++;
  }

 private:
  std::vector<Subspace> spaces_;        ///< [Part]
  std::vector<Parts> parts_by_column_;  ///< [column of the sweep] that it decides
};

}  // namespace dfsweep::training
