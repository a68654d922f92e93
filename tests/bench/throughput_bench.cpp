/// Throughput of a sweep: evaluation alone, the raw writing of the same bytes, and the whole command, in one run.
///
///     throughput_bench SWEEP FOLDER [--threads N] [--rounds R]
///
/// The three are measured in turn, R times, and the best of each is compared, so that a machine that is busy for a
/// while spoils one round and not the ratio. FOLDER must be on the disk that is meant; what is written there is
/// removed.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
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
double evaluation_alone(const Prepared& prepared, unsigned threads) {
  const auto start = Clock::now();
  BlockId next = 0;
  Evaluator evaluator(prepared.plan, *prepared.sweep, threads);
  evaluator.run({.next = [&]() -> std::optional<Block> {
                   if (next == prepared.plan.block_count()) return std::nullopt;
                   return prepared.plan.block(next++);
                 },
                 .done = [&](EvaluatedBlock block) { evaluator.recycle(std::move(block.bytes)); },
                 .abandon = [] { return false; }});
  return seconds_since(start);
}

std::uint64_t result_bytes(const Prepared& prepared) {
  BlockBytes block;
  BlockEncoder(prepared.plan).resize(1, block);
  std::uint64_t row = 0;
  for (const auto& column : block) row += column.size();
  return row * prepared.plan.row_count();
}

/// The same bytes in pieces of 1 MiB into a reserved file, made durable once.
double raw_writing(const std::filesystem::path& path, std::uint64_t bytes) {
  std::vector<std::byte> piece(std::size_t{1} << 20, std::byte{0x5a});
  FileSystem& files = real_file_system();
  const auto start = Clock::now();
  {
    const std::unique_ptr<File> file = files.open(path, OpenFor::creating);
    files.reserve(path, bytes);
    for (std::uint64_t at = 0; at < bytes; at += piece.size())
      file->write_at(at, std::span(piece).first(std::min<std::uint64_t>(piece.size(), bytes - at)));
    file->sync_data();
  }
  const double seconds = seconds_since(start);
  files.remove(path);
  return seconds;
}

/// From the start of a process to its end with a published and verified result.
double whole_command(const std::string& sweep, const std::filesystem::path& directory, unsigned threads) {
  std::filesystem::remove_all(directory);
  const auto start = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    RunOptions options;
    options.sweep = sweep;
    options.directory = directory;
    options.threads = threads;
    options.verbosity = Verbosity::quiet;
    _exit(static_cast<int>(run_sweep(options)));
  }
  int status = 0;
  waitpid(child, &status, 0);
  const double seconds = seconds_since(start);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("the run failed");
  std::filesystem::remove_all(directory);
  return seconds;
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

  std::array<double, 3> best = {1e300, 1e300, 1e300};
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  for (int round = 0; round < rounds; ++round) {
    // First the command: a process that has not started threads yet may fork.
    best[2] = std::min(best[2], whole_command(words.at(0), folder / "run", threads));
    const Prepared prepared(words.at(0));
    rows = prepared.plan.row_count();
    bytes = result_bytes(prepared);
    best[1] = std::min(best[1], raw_writing(folder / "raw", bytes));
    const pid_t child = fork();
    if (child == 0) {
      std::FILE* out = std::fopen((folder / "seconds").c_str(), "w");
      std::fprintf(out, "%.6f", evaluation_alone(prepared, threads));
      std::fclose(out);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    double evaluation = 0.0;
    std::FILE* in = std::fopen((folder / "seconds").c_str(), "r");
    if (in == nullptr || std::fscanf(in, "%lf", &evaluation) != 1) throw std::runtime_error("the evaluation failed");
    std::fclose(in);
    best[0] = std::min(best[0], evaluation);
  }
  std::filesystem::remove(folder / "seconds");

  const double million = static_cast<double>(rows) / 1e6;
  std::printf("throughput: %.2f M rows, %.2f GB, %u threads, best of %d\n", million, static_cast<double>(bytes) / 1e9,
              threads, rounds);
  std::printf("  evaluation alone   %7.3f s  %6.2f M rows/s\n", best[0], million / best[0]);
  std::printf("  raw writing        %7.3f s  %6.2f M rows/s  %.2f GB/s\n", best[1], million / best[1],
              static_cast<double>(bytes) / 1e9 / best[1]);
  std::printf("  whole command      %7.3f s  %6.2f M rows/s\n", best[2], million / best[2]);
  std::printf("  whole command / slower of the two: %.2f\n", best[2] / std::max(best[0], best[1]));
}
