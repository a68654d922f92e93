#include "engine/results/open_result.hpp"

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/store.hpp"

namespace dfsweep {

namespace {

/// Rows of complete blocks, neighbours joined. Rows of a sliced search exist from publication on only.
std::vector<RowRange> complete_rows(const RunRecord& record, const JournalState& journals) {
  std::vector<RowRange> ranges;
  if (record.cut.kind == BlockKind::candidates) return ranges;
  for (std::uint32_t b = 0; b < record.cut.stored_count(); ++b) {
    if (!journals.complete[b]) continue;
    const StoredBlock block = record.cut.stored(b);
    if (!ranges.empty() && ranges.back().first + ranges.back().count == block.first_row)
      ranges.back().count += block.row_count;
    else
      ranges.push_back({block.first_row, block.row_count});
  }
  return ranges;
}

}  // namespace

DatasetReader open_result(const std::filesystem::path& path) {
  const bool is_unfinished_file = path.filename() == "result.partial.h5";
  if (!is_unfinished_file && !std::filesystem::is_directory(path)) return DatasetReader(path);
  const RunDirectory directory{is_unfinished_file ? path.parent_path() : path};
  FileSystem& files = real_file_system();
  if (!files.exists(directory.partial())) {
    if (files.exists(directory.result())) return DatasetReader(directory.result());
    throw ForeignRun(
        fmt::format("{} holds no result (neither result.h5 nor result.partial.h5)", directory.path.string()));
  }
  const RunRecord record = read_run_record(files, directory);
  return DatasetReader(directory.partial(), complete_rows(record, read_journals(files, directory, record)));
}

}  // namespace dfsweep
