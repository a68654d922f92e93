/// How long a run of 10^10 points takes to find its place and to be published: journals of 10 000 ranks with all
/// blocks, read as at a start, and blocks of one row each instead of 12 288, published and queried.
///
///     restart_bench FOLDER [RANKS [COLUMNS]]
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/parallel/communicator.hpp"
#include "engine/run/block_order.hpp"
#include "engine/run/block_queue.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/publication.hpp"
#include "io/hdf5/dataset_reader.hpp"
#include "tests/support/many_blocks.hpp"

namespace {

using namespace dfsweep;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t block_count = 813'803;  ///< 10^10 points in blocks of 12 288

long peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

template <typename Act>
void time_step(const char* step, const Act& act) {
  const auto start = Clock::now();
  act();
  fmt::print("  {}: {:.2f} s, {} MB peak memory of the process\n", step,
             std::chrono::duration<double>(Clock::now() - start).count(), peak_megabytes());
}

void read_column(const std::filesystem::path& path) {
  const DatasetReader reader(path);
  std::vector<double> values(65536);
  for (std::uint64_t first = 0; first < block_count; first += values.size()) {
    values.resize(std::min<std::uint64_t>(values.size(), block_count - first));
    reader.read(*reader.column("metric_1"), first, std::span(values));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: restart_bench FOLDER [RANKS [COLUMNS]]\n", stderr);
    return 2;
  }
  const BlockNumbers numbers{.blocks = block_count,
                             .columns = argc > 3 ? std::stoul(argv[3]) : 12,
                             .writers = argc > 2 ? static_cast<std::uint32_t>(std::stoul(argv[2])) : 10'000};
  const ManyBlocks run(argv[1], numbers);
  fmt::print("restart: {} journals of {} columns, {:.0f} MB; {} MB peak memory of the process\n", numbers.writers,
             numbers.columns, static_cast<double>(run.journal_bytes()) / 1e6, peak_megabytes());
  time_step("journals read at a start",
            [&] { static_cast<void>(store::read_journals(real_file_system(), run.directory(), run.record())); });
  time_step("queue of all blocks", [&] {
    std::vector<BlockId> todo(block_count);
    for (BlockId block = 0; block < block_count; ++block) todo[block] = block;
    const BlockQueue queue(spread_evenly(todo), numbers.writers);
  });
  const std::unique_ptr<Communicator> alone = make_serial_communicator();
  time_step("published, every block verified",
            [&] { static_cast<void>(store::publish(real_file_system(), run.directory().path, *alone, 2)); });
  time_step("a column read", [&] { read_column(run.directory().result()); });
  std::filesystem::remove_all(run.directory().path);
}
