/// Throughput of a sweep: evaluation alone, the raw writing of the same bytes, and the whole command, in one run.
///
///     throughput_bench SWEEP FOLDER [--threads N] [--rounds R]
///
/// The three are measured in turn, R times, and the best of each is compared, so that a machine that is busy for a
/// while spoils one round and not the ratio. Each is a process of its own, whose processor time is printed, too: other
/// work on the machine changes that less. FOLDER must be on the disk that is meant; what is written there is removed.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/commands/run.hpp"
#include "engine/console/output_form.hpp"
#include "engine/dataset/block_encoding.hpp"
#include "engine/dataset/description.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/run/evaluator.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "io/file_system.hpp"

namespace {

using namespace dfsweep;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Prepared {
  SweepSpec spec;
  RowSource rows;
  Plan plan;
  std::unique_ptr<PreparedSweep> sweep;
  explicit Prepared(const std::string& path)
      : spec(read_sweep(path, {})), rows(spec), plan(spec, rows), sweep(spec.estimator->prepare(spec.values)) {}
};

/// Every point evaluated and encoded, nothing written.
int evaluation_alone(const Prepared& prepared, unsigned threads) {
  BlockId next = 0;
  Evaluator evaluator(prepared.plan, *prepared.sweep, threads);
  evaluator.run({.next = [&]() -> std::optional<Block> {
                   if (next == prepared.plan.block_count()) return std::nullopt;
                   return prepared.plan.block(next++);
                 },
                 .done = [&](EvaluatedBlock block) { evaluator.recycle(std::move(block.bytes)); },
                 .abandon = [] { return false; }});
  return 0;
}

std::uint64_t result_bytes(const Prepared& prepared) {
  BlockBytes block;
  BlockEncoder(prepared.plan).resize(1, block);
  std::uint64_t row = 0;
  for (const auto& column : block) row += column.size();
  return row * prepared.plan.row_count();
}

/// The same bytes in pieces of 1 MiB into a reserved file, made durable once.
int raw_writing(const std::filesystem::path& path, std::uint64_t bytes) {
  std::vector<std::byte> piece(std::size_t{1} << 20, std::byte{0x5a});
  FileSystem& files = real_file_system();
  const std::unique_ptr<File> file = files.open(path, OpenFor::creating);
  files.reserve(path, {0, bytes});
  for (std::uint64_t at = 0; at < bytes; at += piece.size())
    file->write_at(at, std::span(piece).first(std::min<std::uint64_t>(piece.size(), bytes - at)));
  file->sync_data();
  return 0;
}

/// What a process took, from its start to its end.
struct Taken {
  double seconds = 1e300;    ///< on the clock
  double processor = 1e300;  ///< of all its threads and the kernel for them
};

Taken faster(const Taken& a, const Taken& b) {
  return {std::min(a.seconds, b.seconds), std::min(a.processor, b.processor)};
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Runs work in a process of its own. Pre: this process has started no threads.
Taken taken_by(const std::function<int()>& work) {
  const auto start = Clock::now();
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("a process failed");
  return {seconds_since(start), seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime)};
}

/// From the text of the sweep to a published and verified result.
int whole_command(const std::string& sweep, const std::filesystem::path& directory, unsigned threads) {
  RunOptions options;
  options.sweep = sweep;
  options.directory = directory;
  options.threads = threads;
  options.verbosity = Verbosity::quiet;
  return static_cast<int>(run_sweep(options));
}

void print(const char* name, const Taken& taken, double million, double gigabytes) {
  std::printf("  %-18s %7.3f s  %6.2f M rows/s  %.2f GB/s  %7.3f s of processor time\n", name, taken.seconds,
              million / taken.seconds, gigabytes / taken.seconds, taken.processor);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) {
    std::fputs("usage: throughput_bench SWEEP FOLDER [--threads N] [--rounds R]\n", stderr);
    return 2;
  }
  unsigned threads = allowed_cores();
  int rounds = 3;
  for (std::size_t i = 2; i + 1 < words.size(); i += 2)
    (words[i] == "--threads" ? threads = static_cast<unsigned>(std::stoul(words[i + 1]))
                             : static_cast<unsigned>(rounds = std::stoi(words[i + 1])));
  const std::filesystem::path folder = words.at(1);
  std::filesystem::create_directories(folder);

  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::array<Taken, 3> best;
  for (int round = 0; round < rounds; ++round) {
    best[2] = faster(best[2], taken_by([&] { return whole_command(words.at(0), folder / "run", threads); }));
    std::filesystem::remove_all(folder / "run");
    const Prepared prepared(words.at(0));
    rows = prepared.plan.row_count();
    bytes = result_bytes(prepared);
    best[0] = faster(best[0], taken_by([&] { return evaluation_alone(prepared, threads); }));
    best[1] = faster(best[1], taken_by([&] { return raw_writing(folder / "raw", bytes); }));
    std::filesystem::remove(folder / "raw");
  }

  const double million = static_cast<double>(rows) / 1e6;
  const double gigabytes = static_cast<double>(bytes) / 1e9;
  std::printf("throughput: %.2f M rows, %.2f GB, %u threads, best of %d\n", million, gigabytes, threads, rounds);
  print("evaluation alone", best[0], million, gigabytes);
  print("raw writing", best[1], million, gigabytes);
  print("whole command", best[2], million, gigabytes);
  std::printf("  whole command / slower of the two: %.2f; processor time / both: %.2f\n",
              best[2].seconds / std::max(best[0].seconds, best[1].seconds),
              best[2].processor / (best[0].processor + best[1].processor));
}
