#include "engine/results/open_result.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "engine/console/foreign_run.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"

namespace dfsweep {

namespace {

/// Complete blocks and their checksums. The rows of a sliced search are written at publication.
BlockChecksums complete_blocks(const store::RunRecord& record, const store::JournalState& journals) {
  BlockChecksums complete;
  if (record.cut.kind == BlockKind::candidates) return complete;
  for (std::uint32_t b = 0; b < record.cut.stored_count(); ++b) {
    if (!journals.complete[b]) continue;
    const StoredBlock block = record.cut.stored(b);
    complete.blocks.push_back({block.first_row, block.row_count});
    complete.checksums.insert(complete.checksums.end(), journals.checksums[b].begin(), journals.checksums[b].end());
  }
  return complete;
}

/// Whether the rows of a block were complete when `file` was opened; the run may have completed more since then.
bool has_rows(const DatasetReader& file, const StoredBlock& block) {
  const auto& ranges = file.complete();
  return std::any_of(ranges.begin(), ranges.end(), [&](const RowRange& range) {
    return block.first_row >= range.first && block.first_row + block.row_count <= range.first + range.count;
  });
}

}  // namespace

DatasetReader open_result(const std::filesystem::path& path) {
  const bool is_unfinished_file = path.filename() == "result.partial.h5";
  if (!is_unfinished_file && !std::filesystem::is_directory(path)) return DatasetReader(path);
  const store::RunDirectory directory{is_unfinished_file ? path.parent_path() : path};
  FileSystem& files = real_file_system();
  if (!files.exists(directory.partial())) {
    if (files.exists(directory.result())) return DatasetReader(directory.result());
    static_cast<void>(store::read_run_record(files, directory));  // throws if this is not a run directory
    throw store::no_result_yet(directory);
  }
  const store::RunRecord record = store::read_run_record(files, directory);
  return DatasetReader(directory.partial(),
                       {.file_size = record.file_size,
                        .frame = record.frame,
                        .places = record.places,
                        .complete = complete_blocks(record, store::read_journals(files, directory, record))});
}

std::optional<BlockProgress> block_progress(const std::filesystem::path& path, const DatasetReader& file) {
  if (file.file().filename() != "result.partial.h5") return std::nullopt;
  FileSystem& files = real_file_system();
  const store::RunDirectory directory{std::filesystem::is_directory(path) ? path : path.parent_path()};
  const store::RunRecord record = store::read_run_record(files, directory);
  const store::JournalState journals = store::read_journals(files, directory, record);
  if (record.cut.kind == BlockKind::candidates)
    return BlockProgress{.done = journals.complete_count(), .all = record.cut.block_count};
  BlockProgress progress{.done = 0, .all = record.cut.stored_count()};
  for (std::uint32_t b = 0; b < record.cut.stored_count(); ++b)
    if (has_rows(file, record.cut.stored(b))) ++progress.done;
  return progress;
}

}  // namespace dfsweep
