/// Candidates: what the slices of one reported point journal, already encoded as rows, so that they are reduced at
/// publication by comparing numbers and copying bytes, without the sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// One row: the bytes of its element in each row column, in the order of the columns.
using RowBytes = std::vector<std::vector<std::byte>>;

struct SliceCandidates {
  struct Best {
    double value = 0.0;       ///< of the searched metric
    std::uint64_t point = 0;  ///< grid index
    RowBytes row;             ///< its rank is that within the slice
  };
  std::uint64_t first_point = 0;  ///< lowest grid index seen; no_point: the slice is empty and all else too
  RowBytes group;                 ///< reported_point, and rejections as uint64 by status
  RowBytes no_feasible;           ///< the row of a rank without a feasible execution
  std::vector<Best> best;         ///< best first, ties by point; `top` at most
};

[[nodiscard]] std::vector<std::byte> encode_slice(const SliceCandidates& slice);
/// Throws LogicError if the bytes are malformed (their journal record was valid).
[[nodiscard]] SliceCandidates decode_slice(std::span<const std::byte> bytes);

/// How candidates are ordered, and how many rows a reported point has.
struct CandidateOrder {
  Better better = Better::lower;
  std::uint32_t top = 1;
  std::size_t rank_column = 0;  ///< index of `rank` among the row columns
  bool operator==(const CandidateOrder&) const = default;
};

/// The rows of one reported point: all its slices in order. Result: bytes of each row column for `top` rows, then of
/// reported_point and rejections. Pre: at least one slice is not empty.
[[nodiscard]] std::vector<std::vector<std::byte>> reduce_slices(std::span<const SliceCandidates> slices,
                                                                const CandidateOrder& order);

}  // namespace dfsweep
