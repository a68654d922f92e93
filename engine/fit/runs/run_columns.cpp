/// Names of columns and how they are recognised.
#include "engine/fit/runs/run_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

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
    {"parameters", {"N", "params", "n_params", "num_params", "n_parameters", "num_parameters", "", ""}},
    {"activated_parameters",
     {"Na", "active_params", "activated_params", "active_parameters", "n_active", "n_active_params", "n_activated",
      ""}},
    {"train_tokens", {"D", "tokens", "n_tokens", "num_tokens", "training_tokens", "total_tokens", "", ""}},
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
  const auto require = [&](RunColumn column, bool is_there, std::string_view meaning) {
    if (is_there) return;
    problems.push_back({header, fmt::format("no column for {}", meaning),
                        fmt::format("columns here: {}", listed({names.begin(), names.end()}, 40)),
                        fmt::format("Name it with --columns {}=NAME", name_of(column))});
  };
  require(RunColumn::parameters, map.has(RunColumn::parameters), "the number of parameters");
  require(RunColumn::train_tokens, map.has(RunColumn::train_tokens), "the training tokens");
  require(RunColumn::learning_rate, map.has(RunColumn::learning_rate), "the learning rate");
  require(RunColumn::batch_tokens, map.has(RunColumn::batch_tokens) || map.has(RunColumn::batch_sequences),
          "the batch");
  require(RunColumn::loss, map.has(RunColumn::loss), "the loss");
  if (!problems.empty()) throw UserError(std::move(problems));
  return map;
}

}  // namespace dfsweep::fit
