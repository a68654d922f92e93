/// Candidates: journal payload of the slices of one reported point. Rows are already encoded, so publication reduces
/// them without the sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/sweep/search_order.hpp"

namespace dfsweep {

/// One row: the bytes of its element in each row column, in the order of the columns.
using RowBytes = std::vector<std::vector<std::byte>>;

/// Of which points of a group candidates are.
enum class SliceExtent : std::uint8_t {
  slice,
  group,  ///< of all, as a former result has them: one such slice says everything about its group
};

struct SliceCandidates {
  struct Best {
    double value = 0.0;       ///< value of the searched metric; without meaning where the slice has the whole group
    std::uint64_t point = 0;  ///< grid index
    RowBytes row;             ///< its rank is the rank within the slice
  };
  std::uint64_t first_point =
      0;                 ///< lowest grid index of the slice; no_point: the slice is empty, and so are all other members
  RowBytes group;        ///< reported_point, and rejections as uint64 by status
  RowBytes no_feasible;  ///< row for a rank without a feasible execution
  std::vector<Best> best;  ///< best first, ties by point; `top` at most
  SliceExtent extent = SliceExtent::slice;
};

[[nodiscard]] std::vector<std::byte> encode_slice(const SliceCandidates& slice);
/// Throws LogicError if the bytes are malformed (their journal record was valid).
[[nodiscard]] SliceCandidates decode_slice(std::span<const std::byte> bytes);

/// Ranking of candidates, and number of rows of a reported point.
struct CandidateOrder {
  Better better = Better::lower;
  std::uint32_t top = 1;
  SearchTies ties = SearchTies::all;
  std::size_t rank_column = 0;  ///< index of `rank` among the row columns
  bool operator==(const CandidateOrder&) const = default;
};

/// Reduces all slices of one reported point, in order, or takes the first one that has the whole group. Returns the
/// bytes of each row column for `top` rows, then of reported_point and rejections. Pre: at least one slice is not
/// empty.
[[nodiscard]] std::vector<std::vector<std::byte>> reduce_slices(std::span<const SliceCandidates> slices,
                                                                const CandidateOrder& order);

}  // namespace dfsweep
