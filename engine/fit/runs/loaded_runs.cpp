/// Runs are appended in file order; then exact duplicates go and dense runs come first.
#include "engine/fit/runs/loaded_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "models/absent.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// Everything in the files, and the seed of every run, 0 where a file names none.
struct WrittenRuns {
  LoadedRuns loaded;
  std::vector<std::uint64_t> seed;
};

void append(const RunBlock& block, std::uint32_t file, std::uint32_t number, WrittenRuns& written) {
  LoadedRuns& out = written.loaded;
  TrainingRuns& runs = out.runs;
  static const std::string unnamed;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::string& name = block.recipes.empty() ? unnamed : block.recipes[block.recipe[i]];
    const Recipe recipe = recipe_of(name, block.parameters[i], block.activated_parameters[i]);
    runs.recipe.push_back(recipe_number(runs.recipes, recipe));
    out.place.push_back({file, number, block.line[i]});
  }
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(runs.parameters, block.parameters);
  add(runs.activated_parameters, block.activated_parameters);
  add(runs.train_tokens, block.train_tokens);
  add(runs.flops_per_token, block.flops_per_token);
  add(runs.learning_rate, block.learning_rate);
  add(runs.batch_tokens, block.batch_tokens);
  add(runs.loss, block.loss);
  add(out.step_time, block.step_time);
  out.step_time.resize(runs.size(), absent);
  written.seed.insert(written.seed.end(), block.seed.begin(), block.seed.end());
  written.seed.resize(runs.size(), 0);
}

/// The runs of these numbers, in this order.
LoadedRuns taken(const LoadedRuns& from, const std::vector<std::size_t>& order) {
  LoadedRuns out;
  out.runs.recipes = from.runs.recipes;
  out.findings = from.findings;
  const auto take = [&order](auto& to, const auto& source) {
    to.reserve(order.size());
    for (const std::size_t i : order) to.push_back(source[i]);
  };
  take(out.place, from.place);
  take(out.step_time, from.step_time);
  take(out.runs.recipe, from.runs.recipe);
  take(out.runs.parameters, from.runs.parameters);
  take(out.runs.activated_parameters, from.runs.activated_parameters);
  take(out.runs.train_tokens, from.runs.train_tokens);
  take(out.runs.flops_per_token, from.runs.flops_per_token);
  take(out.runs.learning_rate, from.runs.learning_rate);
  take(out.runs.batch_tokens, from.runs.batch_tokens);
  take(out.runs.loss, from.runs.loss);
  return out;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// The first run of each setting of N, Na, D, recipe, learning rate and batch; those that repeat it are reported. Runs
/// of one setting, with other seeds, share what the setting does to the loss: they are one run with their median loss,
/// which a seed that diverged does not move far.
std::vector<std::size_t> distinct_runs(WrittenRuns& written) {
  LoadedRuns& loaded = written.loaded;
  TrainingRuns& runs = loaded.runs;
  using Point = std::tuple<GroupKey, double, double>;
  std::map<Point, std::vector<std::size_t>> seen;
  std::vector<std::size_t> distinct;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    std::vector<std::size_t>& earlier = seen[{runs.key(i), runs.learning_rate[i], runs.batch_tokens[i]}];
    const bool is_same = std::any_of(earlier.begin(), earlier.end(), [&](std::size_t other) {
      return runs.loss[other] == runs.loss[i] && written.seed[other] == written.seed[i];
    });
    if (!earlier.empty())
      loaded.findings.add({loaded.place[i], is_same ? RunDefect::duplicate : RunDefect::repeated,
                           fmt::format("lr {}, {} tokens per step", runs.learning_rate[i], runs.batch_tokens[i])});
    if (is_same) continue;
    if (earlier.empty()) distinct.push_back(i);
    earlier.push_back(i);
  }
  for (const auto& [point, repeats] : seen) {
    if (repeats.size() == 1) continue;
    SeedRepeats setting{repeats.front(), {}};
    for (const std::size_t i : repeats) setting.losses.push_back(runs.loss[i]);
    runs.loss[repeats.front()] = median_of(setting.losses);
    loaded.repeats.push_back(std::move(setting));
  }
  return distinct;
}

/// Numbers the repeated runs as `order` does.
std::vector<SeedRepeats> renumbered(std::vector<SeedRepeats> repeats, const std::vector<std::size_t>& order) {
  std::map<std::size_t, std::size_t> place;
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (SeedRepeats& setting : repeats) setting.run = place.at(setting.run);
  std::sort(repeats.begin(), repeats.end(), [](const SeedRepeats& a, const SeedRepeats& b) { return a.run < b.run; });
  return repeats;
}

void find_diverged(LoadedRuns& loaded) {
  const TrainingRuns& runs = loaded.runs;
  std::map<GroupKey, double> least;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto [found, is_new] = least.try_emplace(runs.key(i), runs.loss[i]);
    if (!is_new) found->second = std::min(found->second, runs.loss[i]);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double rel = runs.loss[i] / least[runs.key(i)] - 1.0;
    if (rel > diverged_rel)
      loaded.findings.add({loaded.place[i], RunDefect::diverged, fmt::format("{:.0f} % above the least", 100.0 * rel)});
  }
}

}  // namespace

LoadedRuns load_runs(const RunInput& input, unsigned threads) {
  WrittenRuns written;
  LoadedRuns& loaded = written.loaded;
  std::uint32_t file = 0;
  input.read(0, input.block_count(), threads, [&](std::uint64_t first, std::span<RunBlock> blocks) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      while (file + 1 < input.files().size() && input.number(file + 1, 0) <= first + i) ++file;
      loaded.findings.add(blocks[i], first + i);
      append(blocks[i], file, static_cast<std::uint32_t>(first + i - input.number(file, 0)), written);
    }
  });
  LineNumbers(input, loaded.findings).expect_well_formed(loaded.findings);
  std::vector<std::size_t> order = distinct_runs(written);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
    return loaded.runs.recipes[loaded.runs.recipe[i]].family == RunFamily::dense;
  });
  if (order.empty())
    throw UserError({{{input.files().front()->name(), 0, 0},
                      "no usable run",
                      fmt::format("{} were set aside", loaded.findings.set_aside()),
                      ""}});
  LoadedRuns result = taken(loaded, order);
  if (!loaded.repeats.empty()) result.repeats = renumbered(std::move(loaded.repeats), order);
  find_diverged(result);
  return result;
}

}  // namespace dfsweep::fit
