/// BlockCut: the rows and groups of each block, as numbers that are stored in plan.json, so that a run directory can be
/// verified and published without its sweep.
#pragma once

#include <cstdint>

#include "engine/plan/plan.hpp"

namespace dfsweep {

/// Rows and groups of one *stored* block: a line of the checksum table.
struct StoredBlock {
  std::uint64_t first_row = 0;
  std::uint64_t row_count = 0;
  std::uint64_t first_group = 0;
  std::uint64_t group_count = 0;
};

struct BlockCut {
  BlockKind kind = BlockKind::aligned;
  std::uint32_t block_count = 0;  ///< number of blocks, the units of scheduling and of journal records
  std::uint64_t rows = 0;
  std::uint64_t groups = 0;  ///< rows / rows_per_group
  std::uint64_t rows_per_group = 1;
  std::uint64_t groups_per_block = 1;  ///< 1 with candidates
  std::uint32_t slices_per_group = 1;  ///< more than 1 only with candidates

  bool operator==(const BlockCut&) const = default;
  /// Number of stored blocks: all blocks, or with candidates all groups, whose slices are reduced at publication.
  [[nodiscard]] std::uint32_t stored_count() const;
  [[nodiscard]] StoredBlock stored(std::uint32_t index) const;
};

[[nodiscard]] BlockCut block_cut(const Plan& plan);

}  // namespace dfsweep
