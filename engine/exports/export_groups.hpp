/// ExportGroups: the rows that an export writes, cut into groups that are encoded and written at once. ExportParts: the
/// columns of these groups in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/results/scan.hpp"
#include "io/compression.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// What an export spends on the same rows.
struct ExportEffort {
  unsigned threads = 1;
  Compression compression = Compression::none;
};

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

/// What an export encodes at once: a column of a group.
struct ExportPart {
  std::shared_ptr<const ExportGroup> group;
  std::size_t column = 0;
};

/// The columns of each group, one after the other.
class ExportParts {
 public:
  /// Pre: `groups` outlives the parts; columns > 0.
  ExportParts(ExportGroups& groups, std::size_t columns) : groups_(groups), columns_(columns), next_column_(columns) {}

  /// The next part; nothing after the last one. Throws as ExportGroups::next().
  [[nodiscard]] std::optional<ExportPart> next();
  /// Rows of the groups that were begun.
  [[nodiscard]] std::uint64_t rows() const { return rows_; }

 private:
  ExportGroups& groups_;
  std::size_t columns_;
  std::size_t next_column_;
  std::shared_ptr<const ExportGroup> group_;
  std::uint64_t rows_ = 0;
};

}  // namespace dfsweep
