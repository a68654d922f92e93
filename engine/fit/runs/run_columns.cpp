/// Names of columns and how they are recognised.
#include "engine/fit/runs/run_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "engine/console/usage_error.hpp"
#include "io/suggestion.hpp"

namespace dfsweep::fit {

namespace {

/// Our name first; of several known names the earlier one wins ("smooth loss" is the loss to use, SOURCES of the
/// released files say why: the last step's own loss scatters by 1.3 %).
struct KnownNames {
  std::string_view ours;
  std::array<std::string_view, 8> others;
};
constexpr std::array<KnownNames, run_column_count> known = {{
    {"parameters",
     {"N", "params", "n_params", "num_params", "n_parameters", "num_parameters", "model_size", "non_embedding_params"}},
    {"activated_parameters",
     {"Na", "active_params", "activated_params", "active_parameters", "n_active", "n_active_params", "n_activated",
      ""}},
    {"train_tokens", {"D", "tokens", "n_tokens", "num_tokens", "training_tokens", "total_tokens", "tokens_seen", ""}},
    {"learning_rate", {"lr", "peak_lr", "max_lr", "peak_learning_rate", "max_learning_rate", "", "", ""}},
    {"batch_tokens", {"B", "tokens_per_step", "tokens_per_batch", "batch_size_tokens", "", "", "", ""}},
    {"batch_sequences", {"bs", "batch_size", "global_batch_size", "", "", "", "", ""}},
    {"smooth_loss", {"smooth loss", "loss", "final_loss", "train_loss", "val_loss", "eval_loss", "", ""}},
    {"recipe", {"moe_name", "", "", "", "", "", "", ""}},
    {"sequence_length", {"seq_len", "seq_length", "context_length", "", "", "", "", ""}},
    {"flops_per_token", {"M", "", "", "", "", "", "", ""}},
    {"iterations", {"ti", "", "", "", "", "", "", ""}},
    {"hidden", {"h", "", "", "", "", "", "", ""}},
    {"ffn_hidden", {"ffnh", "", "", "", "", "", "", ""}},
    {"layers", {"numl", "", "", "", "", "", "", ""}},
    {"step_time",
     {"average_iter_time", "iteration_time", "iter_time", "seconds_per_step", "time_per_step", "sec_per_step", "", ""}},
    {"seed", {"random_seed", "rng_seed", "data_seed", "init_seed", "model_seed", "", "", ""}},
}};

/// A name with small letters and without what parts its words. A single letter keeps its case: B is tokens and b is
/// not.
std::string plain(std::string_view name) {
  if (name.size() == 1) return std::string(name);
  std::string text;
  for (const char c : name)
    if (c != '_' && c != '-' && c != ' ') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_name_of(std::string_view name, std::size_t column) {
  const KnownNames& names = known[column];
  return name == names.ours || name == name_of(static_cast<RunColumn>(column)) ||
         (!name.empty() && std::find(names.others.begin(), names.others.end(), name) != names.others.end());
}

std::optional<std::size_t> role_named(std::string_view name) {
  for (std::size_t c = 0; c < run_column_count; ++c)
    if (is_name_of(name, c)) return c;
  return std::nullopt;
}

std::optional<std::size_t> position_of(std::span<const std::string> names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (name.empty() || found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

/// The first column whose name is `name` apart from case, blanks, '_' and '-'.
std::optional<std::size_t> like(std::span<const std::string> names, std::string_view name) {
  const std::string wanted = plain(name);
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const std::string& each) { return plain(each) == wanted; });
  if (name.empty() || found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string our_names() {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < run_column_count; ++c) names.emplace_back(name_of(static_cast<RunColumn>(c)));
  return listed(names, names.size());
}

void apply_pairs(RunColumnMap& map, std::span<const std::string> names, std::span<const ColumnPair> pairs,
                 const SourcePosition& header, std::vector<Problem>& problems) {
  for (const auto& [left, right] : pairs) {
    auto role = role_named(left);
    auto column = position_of(names, right);
    if (!role || !column) {
      const auto reversed_role = role_named(right);
      const auto reversed_column = position_of(names, left);
      if (reversed_role && reversed_column) {
        role = reversed_role;
        column = reversed_column;
      }
    }
    if (role && column) {
      map.index[*role] = *column;
    } else if (role) {
      problems.push_back({header, fmt::format("there is no column '{}'", right),
                          fmt::format("--columns {}={}", left, right),
                          did_you_mean(right, {names.begin(), names.end()})});
    } else {
      problems.push_back({header, fmt::format("'{}' says nothing that a fit uses", left),
                          fmt::format("--columns {}={}", left, right), "What it uses: " + our_names()});
    }
  }
}

/// What a fit cannot do without, in the order in which the unused columns are looked through: the name of a batch may
/// speak of tokens, and that of a number of tokens of a model.
struct NeededColumn {
  RunColumn column;
  std::string_view meaning;
  std::array<std::string_view, 4> parts;  ///< of plain names that look like it
};
constexpr std::array<NeededColumn, 5> needed = {{
    {RunColumn::loss, "the loss", {"loss", "nll", "crossentropy", "final"}},
    {RunColumn::learning_rate, "the learning rate", {"learning", "lr", "rate", "eta"}},
    {RunColumn::batch_tokens, "the batch", {"batch", "bsz", "perstep", "bs"}},
    {RunColumn::train_tokens, "the training tokens", {"token", "seen", "data", "corpus"}},
    {RunColumn::parameters, "the number of parameters", {"param", "size", "model", "weights"}},
}};

/// The column that looks most like it: names that have the first of its parts come first.
std::optional<std::string> lookalike(const NeededColumn& wanted, std::vector<std::string>& unused) {
  for (const std::string_view part : wanted.parts)
    for (std::string& name : unused)
      if (plain(name).find(part) != std::string::npos) return std::exchange(name, std::string());
  return std::nullopt;
}

/// Names all that is missing, and offers a mapping by what the names of unused columns look like.
std::optional<Problem> problem_of_missing(const RunColumnMap& map, std::span<const std::string> names,
                                          const SourcePosition& header) {
  std::vector<std::string> unused;
  for (std::size_t c = 0; c < names.size(); ++c)
    if (std::find(map.index.begin(), map.index.end(), c) == map.index.end()) unused.push_back(names[c]);
  std::vector<std::string> missing;
  std::vector<ColumnPair> pairs;
  bool is_guessed = false;
  for (const NeededColumn& each : needed) {
    if (map.has(each.column) || (each.column == RunColumn::batch_tokens && map.has(RunColumn::batch_sequences)))
      continue;
    const std::optional<std::string> like = lookalike(each, unused);
    const bool is_of_sequences =
        each.column == RunColumn::batch_tokens && like && plain(*like).find("tok") == std::string::npos;
    is_guessed |= like.has_value();
    missing.emplace_back(each.meaning);
    pairs.emplace_back(name_of(is_of_sequences ? RunColumn::batch_sequences : each.column), like.value_or("NAME"));
  }
  if (missing.empty()) return std::nullopt;
  std::string hint = fmt::format("{}{}", is_guessed ? "Perhaps " : "Name it with ", columns_option(pairs));
  if (names.size() == 1) hint = "Columns are separated by commas, tabs, semicolons or bars (|)";
  return Problem{header, fmt::format("no column for {}", listed(missing, missing.size())),
                 fmt::format("columns here: {}", listed({names.begin(), names.end()}, 40)), std::move(hint)};
}

}  // namespace

std::string_view name_of(RunColumn column) {
  return column == RunColumn::loss ? "loss" : known[static_cast<std::size_t>(column)].ours;
}

RunColumnMap map_columns(std::span<const std::string> names, std::span<const ColumnPair> pairs,
                         const SourcePosition& header) {
  RunColumnMap map;
  std::vector<Problem> problems;
  for (std::size_t c = 0; c < run_column_count; ++c) {
    std::vector<std::string_view> candidates{known[c].ours};
    candidates.insert(candidates.end(), known[c].others.begin(), known[c].others.end());
    for (const auto& find : {position_of, like})
      for (const std::string_view candidate : candidates)
        if (const auto found = find(names, candidate); found && map.index[c] == RunColumnMap::absent)
          map.index[c] = *found;
  }
  apply_pairs(map, names, pairs, header, problems);
  if (std::optional<Problem> missing = problem_of_missing(map, names, header)) problems.push_back(std::move(*missing));
  if (!problems.empty()) throw UserError(std::move(problems));
  return map;
}

}  // namespace dfsweep::fit
