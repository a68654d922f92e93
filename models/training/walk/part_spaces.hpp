/// Part spaces: which parameters of a sweep decide each part of a point and of its step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/enum_array.hpp"
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
  /// By how much the code of a column counts in the number of a combination, which is the sum over all columns.
  struct Weight {
    std::size_t column = 0;
    std::uint64_t weight = 0;
  };

  PartSpaces(const SweepValues& values, const DecodedValues& decoded);

  /// Number of combinations of a part; saturates at 2^64 - 1: then they cannot be numbered.
  [[nodiscard]] std::uint64_t size(Part part) const { return sizes_[part]; }
  [[nodiscard]] std::span<const Weight> weights(Part part) const { return weights_[part]; }
  [[nodiscard]] std::size_t columns() const { return parts_by_column_.size(); }
  /// The parts that a column of the sweep decides.
  [[nodiscard]] Parts decided_by(std::size_t column) const { return parts_by_column_[column]; }

 private:
  EnumArray<Part, std::uint64_t> sizes_;
  EnumArray<Part, std::vector<Weight>> weights_;
  std::vector<Parts> parts_by_column_;  ///< [column of the sweep]
};

}  // namespace dfsweep::training
