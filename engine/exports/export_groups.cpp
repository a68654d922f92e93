#include "engine/exports/export_groups.hpp"

#include <algorithm>

#include "engine/dataset/copied_layout.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t most_times_least = 8;

/// Where blocks begin; empty where the file does not say it.
std::vector<std::uint64_t> first_rows_of_blocks(const DatasetReader& file) {
  for (const DatasetColumn& table : file.tables()) {
    if (table.name != block_table || table.width != 1 || table.type != ElementType::uint64) continue;
    std::vector<std::uint64_t> rows(table.count);
    file.read(table, 0, std::span(rows));
    return rows;
  }
  return {};
}

}  // namespace

ExportGroups::ExportGroups(const DatasetReader& file, const RowFilter& filter,
                           const std::optional<std::vector<std::uint64_t>>& best, std::uint64_t least_rows)
    : file_(file), best_(best), least_rows_(least_rows) {
  if (filter.keep || best)
    scan_.emplace(file, std::span<const DatasetColumn* const>(), filter);
  else
    cut_all_rows();
}

void ExportGroups::cut_all_rows() {
  std::vector<std::uint64_t> ends;
  if (file_.complete_count() == file_.row_count() && file_.verifiable() == Verifiable::whole)
    ends = first_rows_of_blocks(file_);
  for (const RowRange& range : file_.complete()) {
    const std::uint64_t last = range.first + range.count;
    auto end = std::upper_bound(ends.begin(), ends.end(), range.first);
    for (std::uint64_t first = range.first; first < last;) {
      std::uint64_t next = std::min(first + least_rows_, last);
      end = std::lower_bound(end, ends.end(), next);
      const std::uint64_t at_block = end == ends.end() ? last : std::min(*end, last);
      if (!ends.empty() && at_block - first <= most_times_least * least_rows_) next = at_block;
      ranges_.push_back({first, next - first});
      first = next;
    }
  }
}

std::shared_ptr<const ExportGroup> ExportGroups::next() {
  if (scan_) return next_filtered();
  if (next_range_ == ranges_.size()) return nullptr;
  const RowRange& range = ranges_[next_range_++];
  auto group = std::make_shared<ExportGroup>();
  group->stretches.push_back({range.first, range.count});
  group->rows = range.count;
  return group;
}

std::shared_ptr<const ExportGroup> ExportGroups::next_filtered() {
  auto group = std::make_shared<ExportGroup>();
  while (group->rows < least_rows_) {
    const std::optional<RowChunk> chunk = scan_->next();
    if (!chunk) break;
    RowStretch stretch{chunk->first_row, chunk->kept.size(), {chunk->kept.begin(), chunk->kept.end()}};
    if (best_) {
      std::vector<std::uint8_t> is_best(stretch.kept.size());
      auto row = std::lower_bound(best_->begin(), best_->end(), stretch.first);
      for (; row != best_->end() && *row < stretch.first + stretch.count; ++row) is_best[*row - stretch.first] = 1;
      stretch.kept = std::move(is_best);
    }
    const auto kept = static_cast<std::uint64_t>(std::count(stretch.kept.begin(), stretch.kept.end(), 1));
    if (kept == 0) continue;
    group->rows += kept;
    group->stretches.push_back(std::move(stretch));
  }
  return group->rows == 0 ? nullptr : group;
}

std::optional<ExportPart> ExportParts::next() {
  if (next_column_ == columns_) {
    group_ = groups_.next();
    if (group_ == nullptr) return std::nullopt;
    rows_ += group_->rows;
    next_column_ = 0;
  }
  return ExportPart{group_, next_column_++};
}

}  // namespace dfsweep
