/// Kept rows: those that a page carries exactly, why each is there, and a sample of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/report/reduction/reduction.hpp"

namespace dfsweep::report {

/// Bits of KeptRows::why.
enum : std::uint8_t { why_best = 1, why_front = 2, why_top = 4, why_ranked = 8 };

struct KeptRows {
  std::vector<std::uint64_t> rows;     ///< ascending
  std::vector<std::uint8_t> why;       ///< [row]
  std::vector<std::uint64_t> sampled;  ///< rows of the sample, ascending
  bool is_complete = false;            ///< every ok row is kept
  std::size_t front_axes = 0;          ///< filters on this many first axes of the cube leave the fronts exact
  bool are_fronts_whole = true;        ///< no member of a front was thinned out
};

/// What the page can carry.
struct PageRoom {
  std::size_t bytes = 0;       ///< for the cube, kept and sampled rows
  std::size_t cell_bytes = 0;  ///< of one cell of the cube
  std::size_t kept_bytes = 0;  ///< of one kept row
  std::size_t sampled_bytes = 0;
  /// Bytes left for rows beside a cube of this many cells.
  [[nodiscard]] std::size_t beside(std::size_t cells) const {
    return bytes > cells * cell_bytes ? bytes - cells * cell_bytes : 0;
  }
};

/// Drops axes of the cube until its best rows can be kept, uses fewer axes for fronts until those can be kept, too, and
/// gives the rest of the room to the sample.
[[nodiscard]] KeptRows choose_rows(Reduction& reduction, const Subject& subject, const PageRoom& room);

/// The place of a row in KeptRows::rows. Pre: it is kept.
[[nodiscard]] std::size_t place_of(const KeptRows& kept, std::uint64_t row);

}  // namespace dfsweep::report
