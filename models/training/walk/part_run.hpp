/// PartRun: a run of points, the parts that each may not share with the point before, and the numbers of their
/// combinations.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "models/training/walk/part_spaces.hpp"

namespace dfsweep::training {

/// What points do not share with the point before is found for runs of this many.
inline constexpr std::size_t walk_run = 256;

/// Most columns are constant in a run, so that a number is a sum over the few others.
class PartRun {
 public:
  /// Pre: `spaces` outlive the object.
  explicit PartRun(const PartSpaces& spaces);

  /// Starts at point `first`; returns how many points the run holds. Pre: the points outlive the run.
  std::size_t start(const PointColumns& points, std::size_t first);

  /// Place of the first point.
  [[nodiscard]] std::size_t first() const { return first_; }
  /// The parts with a parameter whose code differs from that of the point before; all parts for the first one.
  [[nodiscard]] Parts changes(std::size_t k) const { return changes_[k]; }
  /// Number of the combination of a part at point `k`. Where there are too many combinations to be numbered, every
  /// number is a new one.
  [[nodiscard]] std::uint64_t number(Part part, std::size_t k) {
    const Numbers& numbers = numbers_[part];
    if (!numbers.is_countable) return serial_++;
    std::uint64_t number = numbers.constant;
    for (const Varying& one : numbers.varying) number += one.weight * one.codes[k];
    return number;
  }

 private:
  struct Varying {
    const std::uint32_t* codes;  ///< [point of the run]
    std::uint64_t weight;
  };
  struct Numbers {
    bool is_countable = true;
    std::uint64_t constant = 0;  ///< of the columns that are constant in the run
    std::vector<Varying> varying;
  };
  /// Notes the parts that change with a column. Returns whether the column varies in the run.
  bool note_changes(std::span<const std::uint32_t> codes, Parts parts, std::size_t count);

  const PartSpaces* spaces_;
  std::size_t first_ = 0;
  std::array<Parts, walk_run> changes_{};
  std::vector<unsigned char> varies_;  ///< [column]
  EnumArray<Part, Numbers> numbers_;
  std::uint64_t serial_ = 0;
};

}  // namespace dfsweep::training
