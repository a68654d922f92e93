/// ExportGroups: the rows that an export writes, cut into groups that are encoded and written at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/results/scan.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// Consecutive rows of the file.
struct RowStretch {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::vector<std::uint8_t> kept = {};  ///< [row] 0: left out; empty: none is
};

struct ExportGroup {
  std::vector<RowStretch> stretches;
  std::uint64_t rows = 0;  ///< without those that are left out; never 0
};

class ExportGroups {
 public:
  /// Groups of at least `least_rows` rows, except the last one. Where all rows are written, they end where blocks of
  /// the file do, so that a block is read and verified at once; a group is at most eight times as large. `best`: only
  /// these rows, ascending. Pre: all arguments outlive the groups.
  ExportGroups(const DatasetReader& file, const RowFilter& filter,
               const std::optional<std::vector<std::uint64_t>>& best, std::uint64_t least_rows);
  ExportGroups(const ExportGroups&) = delete;
  ExportGroups& operator=(const ExportGroups&) = delete;

  /// The next group; null after the last one. Throws BadDataset if what the filter reads is damaged.
  [[nodiscard]] std::shared_ptr<const ExportGroup> next();

 private:
  void cut_all_rows();
  [[nodiscard]] std::shared_ptr<const ExportGroup> next_filtered();

  const DatasetReader& file_;
  const std::optional<std::vector<std::uint64_t>>& best_;
  std::uint64_t least_rows_;
  std::vector<RowRange> ranges_;  ///< the groups, where all rows are written
  std::size_t next_range_ = 0;
  std::optional<RowScan> scan_;  ///< else
};

}  // namespace dfsweep
