/// How long a run takes to find its place: journals of 10 000 ranks with all blocks of 10^10 points, read as at a start
/// and as at publication.
///
///     restart_bench FOLDER [RANKS]
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/run/block_order.hpp"
#include "engine/run/block_queue.hpp"
#include "engine/store/checksum_table.hpp"
#include "engine/store/journal_checksums.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"

namespace {

using namespace dfsweep;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t block_count = 813'803;  ///< 10^10 points in blocks of 12 288
constexpr std::size_t column_count = 12;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

store::RunRecord record_of_run() {
  store::RunRecord record;
  record.fingerprint = std::string(32, 'a');
  record.cut = {.kind = BlockKind::aligned, .block_count = block_count};
  record.missing.resize(column_count);
  return record;
}

/// Writes the journals: rank r evaluated blocks r, r + ranks, ... Returns their bytes.
std::uint64_t write_journals(const store::RunDirectory& directory, const store::RunRecord& record,
                             std::uint32_t ranks) {
  std::filesystem::create_directories(directory.journals());
  const std::vector<std::byte> payload = encode_checksums(std::vector<Checksum>(column_count));
  std::uint64_t written = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::byte> records;
    for (std::uint32_t block = rank; block < block_count; block += ranks) {
      const std::vector<std::byte> encoded = encode_record({.kind = RecordKind::rows,
                                                            .plan = record.plan_checksum(),
                                                            .block = block,
                                                            .generation = 0,
                                                            .payload = payload});
      records.insert(records.end(), encoded.begin(), encoded.end());
    }
    const std::filesystem::path path = directory.journal(fmt::format("part-1-of-1.rank-{}", rank));
    real_file_system().open(path, OpenFor::appending_here)->append(records);
    written += records.size();
  }
  return written;
}

store::JournalState time_reading(const store::RunDirectory& directory, const store::RunRecord& record) {
  const auto start = Clock::now();
  store::JournalState state = store::read_journals(real_file_system(), directory, record);
  fmt::print("  read at a start: {:.2f} s, {} of {} blocks complete, {} MB peak memory of the process\n",
             seconds_since(start), state.complete_count(), block_count, peak_megabytes());
  return state;
}

/// What publication does with the checksums: to their table in the file, and back in the order of blocks.
void time_checksums(const store::RunDirectory& directory, const store::RunRecord& record,
                    const store::JournalState& journals) {
  const ColumnPlace table{.path = {},
                          .offset = 0,
                          .element_bytes = column_count * sizeof(Checksum),
                          .count = block_count,
                          .extent = ColumnExtent::file};
  const std::unique_ptr<File> file = real_file_system().open(directory.partial(), OpenFor::creating);
  auto start = Clock::now();
  store::visit_checksums(real_file_system(), directory, record, journals, store::all_blocks(record),
                         [&](const store::ChecksumTable& batch) { store::write_checksums(*file, table, batch); });
  fmt::print("  checksums written to their table: {:.2f} s, {} MB peak memory of the process\n", seconds_since(start),
             peak_megabytes());
  start = Clock::now();
  std::size_t blocks = 0;
  store::for_each_window(block_count, column_count, [&](store::BlockRange range) {
    blocks += store::read_checksums(*file, table, range).blocks.size();
  });
  fmt::print("  checksums of {} blocks read in windows: {:.2f} s, {} MB peak memory of the process\n", blocks,
             seconds_since(start), peak_megabytes());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: restart_bench FOLDER [RANKS]\n", stderr);
    return 2;
  }
  const std::uint32_t ranks = argc > 2 ? static_cast<std::uint32_t>(std::stoul(argv[2])) : 10'000;
  const store::RunDirectory directory{argv[1]};
  const store::RunRecord record = record_of_run();
  const std::uint64_t bytes = write_journals(directory, record, ranks);
  fmt::print("restart: {} journals of {} columns, {:.0f} MB\n", ranks, column_count, static_cast<double>(bytes) / 1e6);
  time_reading(directory, record);
  const auto start = Clock::now();
  std::vector<BlockId> todo(block_count);
  for (BlockId block = 0; block < block_count; ++block) todo[block] = block;
  const BlockQueue queue(spread_evenly(todo), ranks);
  fmt::print("  queue of {} blocks: {:.3f} s, {} MB peak memory of the process\n", queue.left(), seconds_since(start),
             peak_megabytes());
  time_checksums(directory, record, time_reading(directory, record));
  std::filesystem::remove_all(directory.path);
}
