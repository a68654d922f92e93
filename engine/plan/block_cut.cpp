#include "engine/plan/block_cut.hpp"

#include <algorithm>

#include "models/expect.hpp"

namespace dfsweep {

std::uint32_t BlockCut::stored_count() const {
  return kind == BlockKind::candidates ? static_cast<std::uint32_t>(groups) : block_count;
}

StoredBlock BlockCut::stored(std::uint32_t index) const {
  DFSWEEP_EXPECT(index < stored_count());
  const std::uint64_t first = index * groups_per_block;
  const std::uint64_t count = std::min(groups_per_block, groups - first);
  return {.first_row = first * rows_per_group,
          .row_count = count * rows_per_group,
          .first_group = first,
          .group_count = count};
}

BlockCut block_cut(const Plan& plan) {
  const std::uint64_t rows_per_group = plan.rows_per_group();
  const bool is_sliced = plan.kind() == BlockKind::candidates;
  return {.kind = plan.kind(),
          .block_count = plan.block_count(),
          .rows = plan.row_count(),
          .groups = plan.row_count() / rows_per_group,
          .rows_per_group = rows_per_group,
          .groups_per_block = is_sliced ? 1 : plan.block(0).group_count,
          .slices_per_group = plan.slices_per_group()};
}

}  // namespace dfsweep
