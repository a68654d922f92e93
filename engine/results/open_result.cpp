#include "engine/results/open_result.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

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
    const std::span<const Checksum> checksums = journals.checksums.of(b);
    complete.checksums.insert(complete.checksums.end(), checksums.begin(), checksums.end());
  }
  return complete;
}

/// The rows of complete blocks. The journals are read before the file is opened, so that they list no block which the
/// file does not have.
OpenedResult open_unfinished(FileSystem& files, const store::RunDirectory& directory) {
  const store::RunRecord record = store::read_run_record(files, directory);
  const store::JournalState journals = store::read_journals(files, directory, record);
  return {.file = DatasetReader(directory.partial(), {.file_size = record.file_size,
                                                      .frame = record.frame,
                                                      .places = record.places,
                                                      .complete = complete_blocks(record, journals)}),
          .progress = BlockProgress{.done = journals.complete_count(), .all = record.cut.block_count}};
}

}  // namespace

OpenedResult open_with_progress(const std::filesystem::path& path) {
  const bool is_unfinished_file = path.filename() == "result.partial.h5";
  if (!is_unfinished_file && !std::filesystem::is_directory(path)) return {.file = DatasetReader(path)};
  const store::RunDirectory directory{is_unfinished_file ? path.parent_path() : path};
  FileSystem& files = real_file_system();
  if (files.exists(directory.partial())) {
    try {
      return open_unfinished(files, directory);
    } catch (const IoError&) {
      if (files.exists(directory.partial())) throw;  // else it was published after its name was found
    }
  }
  if (files.exists(directory.result())) return {.file = DatasetReader(directory.result())};
  static_cast<void>(store::read_run_record(files, directory));  // throws if this is not a run directory
  throw store::no_result_yet(directory);
}

DatasetReader open_result(const std::filesystem::path& path) {
  return open_with_progress(path).file;
}

std::string progress_text(const BlockProgress& progress, const DatasetReader& file) {
  const std::uint64_t rows = std::max<std::uint64_t>(file.row_count(), 1);
  const auto thousandths = std::floor(1000.0 * static_cast<double>(file.complete_count()) / static_cast<double>(rows));
  return fmt::format("{} of {} blocks, {:.1f} % of the rows", progress.done, progress.all, thousandths / 10.0);
}

}  // namespace dfsweep
