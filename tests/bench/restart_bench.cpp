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

void time_reading(const char* purpose, const store::RunDirectory& directory, const store::RunRecord& record,
                  store::JournalUse use) {
  const auto start = Clock::now();
  const store::JournalState state = store::read_journals(real_file_system(), directory, record, use);
  fmt::print("  read {}: {:.2f} s, {} of {} blocks complete, {} MB peak memory of the process\n", purpose,
             seconds_since(start), state.complete_count(), block_count, peak_megabytes());
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
  time_reading("at a start", directory, record, store::JournalUse::completeness);
  const auto start = Clock::now();
  std::vector<BlockId> todo(block_count);
  for (BlockId block = 0; block < block_count; ++block) todo[block] = block;
  const BlockQueue queue(spread_evenly(todo), ranks);
  fmt::print("  queue of {} blocks: {:.3f} s, {} MB peak memory of the process\n", queue.left(), seconds_since(start),
             peak_megabytes());
  time_reading("at publication", directory, record, store::JournalUse::contents);
  std::filesystem::remove_all(directory.path);
}
