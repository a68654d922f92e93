/// SplitRule: which part of a split a row belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Without axes, a point belongs to a part by a random number of its own, so it stays there in larger samples of the
/// same grid. With axes, the combinations of their values are put into random order, and each part gets its share of
/// them.
class SplitRule {
 public:
  /// Pre: the sample of `spec` has a split.
  explicit SplitRule(const SweepSpec& spec);
  /// Index of the part. `code(axis)`: the code of the row on an axis of the split.
  template <class Code>
  [[nodiscard]] std::uint32_t part(std::uint64_t point, Code code) const {
    if (axes_.empty()) return part_at(fraction_of(point));
    std::uint64_t combination = 0;
    for (const SizedAxis& axis : axes_) combination = combination * axis.size + code(axis.axis);
    return parts_[combination];
  }
  /// The part of a reported point of a search, from the codes of any of its points: that of the point at which the
  /// searched axes have code 0.
  [[nodiscard]] std::uint32_t part_of_group(std::span<const std::uint32_t> codes) const;

 private:
  struct SizedAxis {
    std::size_t axis = 0;
    std::uint64_t size = 0;
  };
  [[nodiscard]] double fraction_of(std::uint64_t point) const;
  /// The part whose share of [0, 1) holds `fraction`.
  [[nodiscard]] std::uint32_t part_at(double fraction) const;

  std::uint64_t key_;
  std::vector<double> ends_;  ///< [part] sum of the shares up to it
  std::vector<SizedAxis> axes_;
  std::vector<std::uint64_t> strides_;  ///< [axis of the sweep] factor of its code in the point; 0 if it is searched
  std::vector<std::uint8_t> parts_;     ///< [combination of values of the axes]
};

}  // namespace dfsweep
