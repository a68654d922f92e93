/// Part spaces: which parameters of a sweep decide each part of a point and of its step.
#pragma once

#include <cstdint>
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
  storage,
  shape,    ///< of the pipeline, and the layers that it holds
  states,   ///< weights, gradients and optimizer in memory
  layer,    ///< what a layer keeps
  stages,   ///< times of a layer and of the output layer
  sending,  ///< between stages
  bill,     ///< price and power of a device
  update,   ///< exchange of weights and gradients, update of the weights
  count
};

/// Parts are equal where the numbers of their combinations are.
class PartSpaces {
 public:
  PartSpaces(const SweepValues& values, const DecodedValues& decoded);

  [[nodiscard]] std::uint64_t size(Part part) const { return spaces_[index_of(part)].size(); }
  /// Whether each column of codes is constant in the range of `count` points from `first` on: [column] not 0.
  void find_constant(const PointColumns& points, std::size_t first, std::size_t count,
                     std::vector<std::uint8_t>& is_constant) const;
  /// Fills `out` with the numbers of points `first`, `first` + 1, ... Returns whether all are equal; then only the
  /// first one is filled. Where there are too many combinations to be numbered, every number is a new one: `serial` is
  /// raised.
  bool number(Part part, const PointColumns& points, std::size_t first, std::span<const std::uint8_t> is_constant,
              std::uint64_t& serial, std::span<std::uint64_t> out) const;

 private:
  std::vector<Subspace> spaces_;  ///< [Part]
  std::size_t columns_ = 0;       ///< of the sweep
};

}  // namespace dfsweep::training
