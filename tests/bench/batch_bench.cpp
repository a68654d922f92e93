/// Batches priced from measured tables: how soon the first and how many a second, beside hash tables as the original
/// keeps them.
///
///     batch_bench [PROFILES]       (default: the released tables)
///
/// Times are those of the processor where one thread works, so that other programs do not count, and those of the clock
/// where all cores do.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/parallel/threads.hpp"
#include "engine/plan/loaded_sweep.hpp"
#include "engine/run/evaluator.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "tests/bench/clocks.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::testing;

constexpr double rounds = 5;

/// One replica: a million batches of 1 to 128 requests that decode, with and without a chunk of a prompt.
std::string sweep_text(const std::string& profiles, const std::string& convention) {
  return "[sweep]\nname = 'bench'\nestimator = 'profiled'\n[parameters]\nmodel = 'meta-llama/Llama-2-7b-hf'\n"
         "device = 'a100'\nconvention = '" +
         convention +
         "'\ndecode_batch = { from = 1, to = 128, step = 1 }\ndecode_context = { from = 64, to = 4032, step = 32 }\n"
         "prefill_chunk = { from = 0, to = 1008, step = 16 }\nprefill_context = 64\n[data]\nprofiles = '" +
         profiles + "'\n";
}

void evaluate_blocks(const LoadedSweep& sweep, BlockId blocks, unsigned threads) {
  BlockId next = 0;
  Evaluator evaluator(sweep.plan, *sweep.prepared, threads);
  evaluator.run({.next = [&]() -> std::optional<Block> {
                   if (next == blocks) return std::nullopt;
                   return sweep.plan.block(next++);
                 },
                 .done = [&](EvaluatedBlock block) { evaluator.recycle(std::move(block.bytes)); },
                 .abandon = [] { return false; }});
}

/// All points of a sweep in pieces that fit in caches, decoded once.
class Pieces {
 public:
  explicit Pieces(const LoadedSweep& sweep) : sweep_(sweep) {
    for (std::uint64_t first = 0; first < sweep.rows.kept(); first += piece) {
      points_.emplace_back();
      sweep.rows.decode(first, std::min(piece, sweep.rows.kept() - first), points_.back());
    }
    metrics_.assign(sweep.spec.estimator->metrics().size(), std::vector<double>(piece));
    status_.resize(piece);
    for (std::vector<double>& metric : metrics_) columns_.emplace_back(metric);
  }
  /// Sum of the times of the steps of all points.
  double evaluate() {
    EstimateColumns out{status_, columns_};
    double sum = 0.0;
    for (const PointBuffer& points : points_) {
      sweep_.prepared->evaluate(points.view(), out);
      sum += metrics_[0][points.points.size() - 1];
    }
    return sum;
  }
  [[nodiscard]] double count() const { return static_cast<double>(sweep_.rows.kept()); }

 private:
  static constexpr std::uint64_t piece = Evaluator::max_piece_points;
  const LoadedSweep& sweep_;
  std::vector<PointBuffer> points_;
  std::vector<std::uint8_t> status_;
  std::vector<std::vector<double>> metrics_;
  std::vector<std::span<double>> columns_;
};

/// What the original does for a batch, in this language: a hash table for each of twelve operators.
class HashTables {
 public:
  HashTables() {
    for (std::uint64_t tokens = 8; tokens <= 4096; tokens += 8)
      for (auto& table : token_) table[tokens] = 1e-6 * static_cast<double>(tokens);
    for (std::uint64_t batch = 1; batch <= 128; ++batch)
      for (std::uint64_t context = 0; context <= 4096; context += 64) decode_[batch << 32 | context] = 1e-6;
    for (std::uint64_t context = 0; context <= 4096; context += 64)
      for (std::uint64_t chunk = 1; chunk <= 4096; ++chunk) prefill_[context << 32 | chunk * chunk] = 1e-6;
  }
  [[nodiscard]] double step(std::uint64_t batch, std::uint64_t context, std::uint64_t chunk) const {
    const std::uint64_t tokens = (batch + chunk + 7) / 8 * 8;
    double block = 0.0;
    for (const auto& table : token_) block += table.find(tokens)->second;
    block += decode_.find(batch << 32 | (context + 63) / 64 * 64)->second;
    if (chunk > 0) block += prefill_.find(std::uint64_t{64} << 32 | chunk * chunk)->second;
    return 32.0 * block;
  }

 private:
  std::unordered_map<std::uint64_t, double> token_[10];
  std::unordered_map<std::uint64_t, double> decode_;
  std::unordered_map<std::uint64_t, double> prefill_;
};

void time_start(const std::string& profiles, const std::string& convention) {
  const double clock = clock_seconds();
  const double processor = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const LoadedSweep sweep(read_sweep_text(sweep_text(profiles, convention), "bench.toml", ".", {}));
  evaluate_blocks(sweep, 1, allowed_cores());
  std::printf("ready with convention %-8s %.2f s, %.2f s of processor time: tables read, trained, %u blocks of %llu\n",
              convention.c_str(), clock_seconds() - clock, processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - processor, 1U,
              static_cast<unsigned long long>(sweep.plan.block(0).row_count));
}

void time_batches(const std::string& profiles, const std::string& convention) {
  const LoadedSweep sweep(read_sweep_text(sweep_text(profiles, convention), "bench.toml", ".", {}));
  evaluate_blocks(sweep, 1, 1);  // trains
  Pieces pieces(sweep);
  const auto seconds_of = [](auto work) {
    const double start = processor_seconds();
    const double sum = work();
    return std::pair(processor_seconds() - start, sum);
  };
  const double first = seconds_of([&] { return pieces.evaluate(); }).first;
  double ours = 1e300;
  double hashed = 1e300;
  double sum = 0.0;
  const HashTables tables;
  for (int round = 0; round < rounds; ++round) {
    ours = std::min(ours, seconds_of([&] { return pieces.evaluate(); }).first);
    const auto [seconds, steps] = seconds_of([&] {
      double all = 0.0;
      for (std::uint64_t batch = 1; batch <= 128; ++batch)
        for (std::uint64_t context = 64; context <= 4032; context += 32)
          for (std::uint64_t chunk = 0; chunk <= 1008; chunk += 16) all += tables.step(batch, context, chunk);
      return all;
    });
    hashed = std::min(hashed, seconds);
    sum += steps;
  }
  const double million = pieces.count() / 1e6;
  std::printf(
      "convention %-8s %.2f million batches on one core: %.1f M/s, the first time %.1f M/s; hash tables %.1f M/s"
      " (ratio %.1f)%s\n",
      convention.c_str(), million, million / ours, million / first, million / hashed, hashed / ours,
      sum > 0.0 ? "" : " ?");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string profiles = argc > 1 ? argv[1] : DFSWEEP_GOLDEN_DIR "/data/profiling";
  if (!std::filesystem::is_directory(profiles)) {
    std::printf("batch_bench: no tables in '%s'\n", profiles.c_str());
    return 0;
  }
  for (const char* convention : {"measured", "vidur"}) time_start(profiles, convention);
  for (const char* convention : {"measured", "vidur"}) time_batches(profiles, convention);
}
