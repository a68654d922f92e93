/// Plan: the partition of the rows of a sweep into blocks, and the fingerprint of everything that determines the
/// results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/plan/row_source.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

using BlockId = std::uint32_t;

/// Incremented when the format of result.h5, plan.json or the journals changes; part of every fingerprint.
inline constexpr std::uint32_t dataset_format_version = 3;

/// Who writes the rows of a block; depends on the plan only.
enum class BlockKind : std::uint8_t {
  aligned,     ///< a multiple of 4096 rows: written by the rank that evaluates it
  small,       ///< fewer rows: sent to rank 0, which writes all such blocks
  candidates,  ///< a slice of the search space of one reported point: its best candidates are journalled
};

/// A range of kept points to evaluate and of rows to write; with candidates a slice of one group.
struct Block {
  BlockId id = 0;
  std::uint64_t first_kept = 0;
  std::uint64_t kept_count = 0;  ///< number of points to evaluate; may be 0 for the last slices of a group
  std::uint64_t first_group = 0;
  std::uint64_t group_count = 0;  ///< without a search: equal to kept_count
  std::uint64_t first_row = 0;    ///< rows of those groups
  std::uint64_t row_count = 0;
};

class Plan {
 public:
  /// The partition depends on the sweep only. Pre: both arguments outlive the plan.
  Plan(const SweepSpec& spec, const RowSource& rows);

  [[nodiscard]] const SweepSpec& spec() const { return *spec_; }
  [[nodiscard]] const RowSource& rows() const { return *rows_; }
  [[nodiscard]] std::uint32_t block_count() const { return block_count_; }
  [[nodiscard]] Block block(BlockId id) const;
  [[nodiscard]] BlockKind kind() const { return kind_; }  ///< the same for all blocks of a plan
  /// Number of rows of the dataset: kept points, or with a search `top` per reported point.
  [[nodiscard]] std::uint64_t row_count() const;
  /// Rows per group: 1 without a search, else `top` (rows without a feasible execution have status no_feasible).
  [[nodiscard]] std::uint32_t rows_per_group() const;
  /// Hash of the resolved sweep, inputs, metric list, program version and format version; 32 hexadecimal digits.
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
