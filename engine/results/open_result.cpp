#include "engine/results/open_result.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/console/foreign_run.hpp"
#include "engine/store/journal_checksums.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"

namespace dfsweep {

namespace {

/// What is needed to read checksums of complete blocks when they are asked for.
struct JournaledBlocks {
  FileSystem& files;
  store::RunDirectory directory;
  store::RunRecord record;
  store::JournalState journals;
  std::vector<std::uint32_t> complete = {};  ///< ascending

  /// Checksums of complete[first] and those after it.
  void read(std::size_t first, std::span<Checksum> checksums) const {
    const std::size_t last = first + checksums.size() / record.filled_columns() - 1;
    const store::BlockRange range{complete[first], complete[last] - complete[first] + 1};
    const store::ChecksumTable found = store::journal_checksums(files, directory, record, journals, range);
    std::copy(found.checksums.begin(), found.checksums.end(), checksums.begin());
  }
};

/// Complete blocks and their checksums. The rows of a sliced search are written at publication.
BlockChecksums complete_blocks(std::shared_ptr<JournaledBlocks> run) {
  BlockChecksums complete;
  const store::RunRecord& record = run->record;
  if (record.cut.kind == BlockKind::candidates) return complete;
  for (std::uint32_t b = 0; b < record.cut.stored_count(); ++b) {
    if (!run->journals.complete[b]) continue;
    const StoredBlock block = record.cut.stored(b);
    complete.blocks.push_back({block.first_row, block.row_count});
    run->complete.push_back(b);
  }
  complete.blocks_at_once =
      std::max<std::size_t>(store::window_bytes / (record.filled_columns() * sizeof(Checksum)), 1);
  complete.kept_windows = 2;  // threads at the end of one window need the next one, too; each reads all journals
  complete.read = [run = std::move(run)](std::size_t first, std::span<Checksum> checksums) {
    run->read(first, checksums);
  };
  return complete;
}

/// The rows of complete blocks. The journals are read before the file is opened, so that they list no block which the
/// file does not have.
OpenedResult open_unfinished(FileSystem& files, const store::RunDirectory& directory) {
  const store::RunRecord record = store::read_run_record(files, directory);
  store::JournalState journals = store::read_journals(files, directory, record);
  const BlockProgress progress{.done = journals.complete_count(), .all = record.cut.block_count};
  BlockChecksums complete = complete_blocks(
      std::make_shared<JournaledBlocks>(JournaledBlocks{files, directory, record, std::move(journals)}));
  return {.file = DatasetReader(directory.partial(), {.file_size = record.file_size,
                                                      .frame = record.frame,
                                                      .places = record.places,
                                                      .complete = std::move(complete)}),
          .progress = progress};
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
