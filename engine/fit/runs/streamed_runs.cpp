/// The second walk over files that are too large to keep, and what both walks give.
#include "engine/fit/runs/streamed_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/fit/runs/loaded_runs.hpp"
#include "engine/fit/runs/run_packing.hpp"
#include "engine/fit/runs/run_survey.hpp"
#include "engine/fit/runs/setting_sums.hpp"
#include "engine/parallel/threads.hpp"
#include "models/hash_step.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// Numbers that were seen before.
class SeenNumbers {
 public:
  /// Whether `number` is new, which it is no longer.
  bool add(std::uint64_t number) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    std::uint64_t& slot = slot_of(number + (number == 0));
    if (slot != 0) return false;
    slot = number + (number == 0);
    ++count_;
    return true;
  }

 private:
  std::uint64_t& slot_of(std::uint64_t number) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = number & mask;
    while (slots_[at] != 0 && slots_[at] != number) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    std::vector<std::uint64_t> old(std::max<std::size_t>(least_slots, 2 * slots_.size()), 0);
    old.swap(slots_);
    for (const std::uint64_t number : old)
      if (number != 0) slot_of(number) = number;
  }
  static constexpr std::size_t least_slots = 64;
  std::vector<std::uint64_t> slots_;  ///< open addressing; 0: free
  std::size_t count_ = 0;
};

/// A run within the widest window of its group.
struct NearRun {
  std::uint32_t group = 0;
  std::uint32_t line = 0;
  double learning_rate = 0.0;
  double batch_tokens = 0.0;
  double loss = 0.0;
  std::uint64_t seed = 0;
  [[nodiscard]] std::uint64_t fingerprint() const {
    return hash_step(hash_step(group, {learning_rate, batch_tokens, loss}), seed);
  }
};

/// Settings whose mean loss is this near the least of their group tell the variance between seeds.
constexpr double near_optimum = 0.01;

/// A run far above the best of its group.
struct FarRun {
  std::uint32_t line = 0;
  double rel = 0.0;
};

/// The second walk: sums of the groups of this rank.
class Summation {
 public:
  Summation(const RunSurvey& survey, const RunInput& input, std::span<const double> windows, std::uint32_t rank,
            std::uint32_t ranks, unsigned threads)
      : survey_(survey),
        input_(input),
        widest_(windows.back()),
        rank_(rank),
        ranks_(ranks),
        shards_(std::max(threads, 1U)) {
    for (std::size_t g = rank; g < survey.minima.size(); g += ranks)
      selections_.emplace_back(survey.minima[g], windows);
    seen_.resize(selections_.size());
    const auto files = input.files();
    if (std::any_of(files.begin(), files.end(), [](const auto& file) { return file->has_seeds(); }))
      settings_.resize(selections_.size());
  }

  void add(std::uint64_t number, std::span<const RunBlock> wave) {
    std::vector<std::vector<NearRun>> near(wave.size());
    std::vector<std::vector<FarRun>> diverged(wave.size());
    parallel_for(wave.size(), static_cast<unsigned>(shards_.size()),
                 [&](std::size_t i) { near[i] = near_runs(wave[i], diverged[i]); });
    parallel_for(shards_.size(), static_cast<unsigned>(shards_.size()), [&](std::size_t s) {
      for (std::size_t i = 0; i < near.size(); ++i) add_to_shard(s, near[i], number + i);
    });
    for (std::size_t i = 0; i < diverged.size(); ++i)
      for (const FarRun& run : diverged[i]) add_diverged(run, number + i);
  }

  [[nodiscard]] std::vector<RunMoments> moments() const {
    std::vector<RunMoments> all;
    for (const RunSelection& selection : selections_) {
      const std::vector<RunMoments> own = selection.moments();
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }
  /// [group / ranks] Of settings near the optimum; empty where no file has seeds.
  [[nodiscard]] std::vector<SeedSums> seeds() const {
    std::vector<SeedSums> all(settings_.size());
    for (std::size_t g = 0; g < settings_.size(); ++g) settings_[g].add_to(all[g], near_optimum);
    return all;
  }
  [[nodiscard]] RunFindings findings() const {
    RunFindings all = findings_;
    for (const RunFindings& shard : shards_) all.merge(shard);
    return all;
  }

 private:
  [[nodiscard]] RunPlace place(std::uint64_t number, std::uint32_t line) const {
    std::uint32_t file = 0;
    while (file + 1 < input_.files().size() && input_.number(file + 1, 0) <= number) ++file;
    return {file, static_cast<std::uint32_t>(number - input_.number(file, 0)), line};
  }

  void add_diverged(const FarRun& run, std::uint64_t number) {
    const bool is_named = findings_.counts[static_cast<std::size_t>(RunDefect::diverged)] < RunFindings::most_named;
    findings_.add({place(number, run.line), RunDefect::diverged,
                   is_named ? fmt::format("{:.0f} % above the least", 100.0 * run.rel) : std::string()});
  }

  [[nodiscard]] std::vector<NearRun> near_runs(const RunBlock& block, std::vector<FarRun>& diverged) const {
    std::vector<NearRun> near;
    std::vector<Recipe> recipes = survey_.recipes;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (!is_of_group_before(block, i)) group = survey_.index.find(key_of(block, i, recipes));
      if (group % ranks_ != rank_) continue;
      const double rel = block.loss[i] / survey_.minima[group].loss - 1.0;
      if (rel < widest_)
        near.push_back({group, block.line[i], block.learning_rate[i], block.batch_tokens[i], block.loss[i],
                        block.seed.empty() ? 0 : block.seed[i]});
      else if (rel > diverged_rel)
        diverged.push_back({block.line[i], rel});
    }
    return near;
  }

  void add_to_shard(std::size_t s, const std::vector<NearRun>& runs, std::uint64_t number) {
    for (const NearRun& run : runs) {
      if (run.group / ranks_ % shards_.size() != s) continue;
      const std::size_t own = run.group / ranks_;
      if (seen_[own].add(run.fingerprint())) {
        selections_[own].add(run.learning_rate, run.batch_tokens, run.loss);
        if (!settings_.empty())
          settings_[own].add(run.learning_rate, run.batch_tokens, std::log(run.loss / survey_.minima[run.group].loss));
      } else {
        shards_[s].add({place(number, run.line), RunDefect::duplicate,
                        fmt::format("lr {}, {} tokens per step", run.learning_rate, run.batch_tokens)});
      }
    }
  }

  const RunSurvey& survey_;
  const RunInput& input_;
  double widest_;
  std::uint32_t rank_;
  std::uint32_t ranks_;
  std::vector<RunFindings> shards_;       ///< of the threads that share the groups
  std::vector<RunSelection> selections_;  ///< [group / ranks]
  std::vector<SettingSums> settings_;     ///< [group / ranks] empty where no file has seeds
  std::vector<SeenNumbers> seen_;         ///< [group / ranks], so that neighbours in a file are neighbours here
  RunFindings findings_;
};

StreamedRuns assembled(const RunSurvey& survey, std::span<const double> bounds,
                       const std::vector<std::vector<RunMoments>>& moments) {
  const std::size_t windows = bounds.size();
  StreamedRuns result;
  result.recipes = survey.recipes;
  result.selected.windows.assign(bounds.begin(), bounds.end());
  std::vector<std::size_t> order(survey.minima.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return survey.index.entries()[a] < survey.index.entries()[b]; });
  for (const std::size_t g : order) {
    const GroupKey& key = survey.index.entries()[g];
    const GroupMinimum& minimum = survey.minima[g];
    const std::vector<RunMoments>& own = moments[g % moments.size()];
    const auto first = own.begin() + static_cast<std::ptrdiff_t>(g / moments.size() * windows);
    result.selected.groups.push_back({.key = key,
                                      .scale = {.parameters = key.parameters,
                                                .activated_parameters = key.activated_parameters,
                                                .train_tokens = key.train_tokens,
                                                .flops_per_token = survey.flops_per_token[g],
                                                .loss = minimum.loss},
                                      .minimum = minimum,
                                      .reference = minimum.argmin(),
                                      .box = minimum.box(),
                                      .moments = {first, first + static_cast<std::ptrdiff_t>(windows)}});
  }
  return result;
}

/// Of all groups, in their order. `seeds`: [rank][group / ranks].
SeedSums sum_of(const std::vector<std::vector<SeedSums>>& seeds, std::size_t groups) {
  SeedSums all;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::vector<SeedSums>& own = seeds[g % seeds.size()];
    if (own.empty()) return all;
    const SeedSums& sums = own[g / seeds.size()];
    all.settings += sums.settings;
    all.runs += sums.runs;
    all.squares += sums.squares;
  }
  return all;
}

}  // namespace

StreamedRuns stream_runs(const RunInput& input, std::span<const double> windows, unsigned threads,
                         Communicator& communicator) {
  auto [survey, findings] = survey_runs(input, threads, communicator);
  LineNumbers(input, findings).expect_well_formed(findings);
  if (survey.minima.empty())
    throw UserError({{{input.files().front()->name(), 0, 0},
                      "no usable run",
                      fmt::format("{} were set aside", findings.set_aside()),
                      ""}});
  Summation sums(survey, input, windows, communicator.rank(), communicator.size(), threads);
  input.read(0, input.block_count(), threads,
             [&](std::uint64_t number, std::span<RunBlock> wave) { sums.add(number, wave); });
  Packer packed;
  pack_plain<RunMoments>(packed, sums.moments());
  pack_plain<SeedSums>(packed, sums.seeds());
  pack(packed, sums.findings());
  const auto all = communicator.gather(packed.take());
  if (communicator.rank() != 0) return {};
  std::vector<std::vector<RunMoments>> moments;
  std::vector<std::vector<SeedSums>> seeds;
  for (const std::vector<std::byte>& bytes : all) {
    Unpacker from(bytes);
    moments.push_back(unpack_plain<RunMoments>(from));
    seeds.push_back(unpack_plain<SeedSums>(from));
    findings.merge(unpack_findings(from));
  }
  StreamedRuns result = assembled(survey, windows, moments);
  result.seeds = sum_of(seeds, survey.minima.size());
  result.findings = std::move(findings);
  return result;
}

}  // namespace dfsweep::fit
