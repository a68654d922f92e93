#include "engine/results/open_result.hpp"

#include <fmt/core.h>

#include "engine/console/foreign_run.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"

namespace dfsweep {

namespace {

/// Complete blocks and their checksums. Rows of a sliced search exist from publication on only.
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

}  // namespace

DatasetReader open_result(const std::filesystem::path& path) {
  const bool is_unfinished_file = path.filename() == "result.partial.h5";
  if (!is_unfinished_file && !std::filesystem::is_directory(path)) return DatasetReader(path);
  const store::RunDirectory directory{is_unfinished_file ? path.parent_path() : path};
  FileSystem& files = real_file_system();
  if (!files.exists(directory.partial())) {
    if (files.exists(directory.result())) return DatasetReader(directory.result());
    static_cast<void>(store::read_run_record(files, directory));  // throws where this is not a run directory
    throw store::without_result(directory);
  }
  const store::RunRecord record = store::read_run_record(files, directory);
  return DatasetReader(directory.partial(),
                       {.file_size = record.file_size,
                        .frame = record.frame,
                        .places = record.places,
                        .complete = complete_blocks(record, store::read_journals(files, directory, record))});
}

}  // namespace dfsweep
