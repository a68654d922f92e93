/// Plan: the rows of a sweep cut into blocks, and the fingerprint of everything that determines the results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/row_source.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

using BlockId = std::uint32_t;

/// Raised whenever result.h5, plan.json or the journals change their form; part of every fingerprint.
inline constexpr std::uint32_t dataset_format_version = 2;

/// Who writes the rows of a block, decided by the plan alone.
enum class BlockKind : std::uint8_t {
  aligned,     ///< a multiple of 4096 rows: the rank that computed it writes it
  small,       ///< fewer: sent to rank 0, which alone writes such blocks
  candidates,  ///< a slice of one reported point's search space: its best candidates are journalled, rows come later
};

/// A fixed range of kept points to evaluate and of rows to write; with candidates: a slice of one group.
struct Block {
  BlockId id = 0;
  std::uint64_t first_kept = 0;
  std::uint64_t kept_count = 0;  ///< points to evaluate; 0 is possible for the last slices of a group
  std::uint64_t first_group = 0;
  std::uint64_t group_count = 0;  ///< without a search: equal to kept_count
  std::uint64_t first_row = 0;    ///< rows of those groups
  std::uint64_t row_count = 0;
};

class Plan {
 public:
  /// Pre: both outlive the plan. The cut depends on the sweep alone.
  Plan(const SweepSpec& spec, const RowSource& rows);

  [[nodiscard]] const SweepSpec& spec() const { return *spec_; }
  [[nodiscard]] const RowSource& rows() const { return *rows_; }
  [[nodiscard]] std::uint32_t block_count() const { return block_count_; }
  [[nodiscard]] Block block(BlockId id) const;
  [[nodiscard]] BlockKind kind() const { return kind_; }  ///< the same for all blocks of a plan
  /// Rows of the dataset: kept points, or with a search `top` per reported point.
  [[nodiscard]] std::uint64_t row_count() const;
  /// Rows of one group: 1 without a search, else `top` (ranks without a feasible execution have status no_feasible).
  [[nodiscard]] std::uint32_t rows_per_group() const;
  /// 32 hexadecimal digits over the resolved sweep, inputs, metric list, program version and format version.
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  /// Points per block (aligned, small), or per slice (candidates).
  [[nodiscard]] std::uint64_t points_per_block() const { return points_per_block_; }
  /// Groups per block; 1 with candidates.
  [[nodiscard]] std::uint64_t groups_per_block() const { return groups_per_block_; }
  [[nodiscard]] std::uint32_t slices_per_group() const { return slices_per_group_; }

 private:
  const SweepSpec* spec_;
  const RowSource* rows_;
  BlockKind kind_ = BlockKind::aligned;
  std::uint32_t block_count_ = 0;
  std::uint32_t slices_per_group_ = 1;
  std::uint64_t points_per_block_ = 0;
  std::uint64_t groups_per_block_ = 0;
  std::string fingerprint_;
};

}  // namespace dfsweep
