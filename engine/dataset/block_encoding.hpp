/// Block encoding: the bytes of a block's rows in each column of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/dataset/candidates.hpp"
#include "engine/dataset/row_columns.hpp"
#include "engine/evaluation/estimates.hpp"
#include "engine/plan/plan.hpp"

namespace dfsweep {

/// Bytes of one block, one vector per column of describe_dataset(plan).columns that blocks fill, in that order.
using BlockBytes = std::vector<std::vector<std::byte>>;

/// Encodes ranges of points as rows. Threads encode their own ranges of a block while the estimates are still in cache.
/// Pre: the plan outlives the encoder.
class BlockEncoder {
 public:
  explicit BlockEncoder(const Plan& plan);
  /// Gives every column of `bytes` the size of `rows` rows; keeps what is already allocated. The bytes are undefined.
  void resize(std::uint64_t rows, BlockBytes& bytes) const;
  /// Encodes the points as rows [first_row, first_row + points.points.size()) of the block. Thread-safe for disjoint
  /// rows. `estimates` may be longer than the points; its first elements are used. Pre: the plan has no search.
  void encode(const PointBuffer& points, const EstimateBuffer& estimates, std::uint64_t first_row,
              BlockBytes& bytes) const;

 private:
  RowColumns columns_;
};

/// Encodes a complete block of a search: the rows of its groups. Pre: plan.kind() is aligned or small.
[[nodiscard]] BlockBytes encode_groups(const Plan& plan, std::span<const GroupResult> groups);

/// Encodes the candidates of a slice for the journal; engine/dataset/candidates.hpp reduces them to rows without the
/// plan. Pre: plan.kind() is candidates.
[[nodiscard]] std::vector<std::byte> encode_candidates(const Plan& plan, const GroupResult& group,
                                                       SliceExtent extent = SliceExtent::slice);

}  // namespace dfsweep
