#include "engine/foreign/training_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "engine/foreign/launch_reading.hpp"
#include "engine/foreign/trainer_rows.hpp"
#include "io/number_format.hpp"

namespace dfsweep::foreign {

namespace {

constexpr std::string_view comment_of_values = "# dfsweep:";

/// A degree as devices of a node and nodes: MaxText splits each axis of its mesh like that.
class NodeShares {
 public:
  explicit NodeShares(const ParameterText& value_of)
      : left_(as_number(quantity_of("node_ranks", value_of).value_or("1")).value_or(1.0)) {}

  /// The share of a degree inside the node, which later degrees cannot use.
  double inner(double degree) {
    const auto share = static_cast<double>(std::gcd(static_cast<long long>(degree), static_cast<long long>(left_)));
    left_ /= share;
    return share;
  }

 private:
  double left_;
};

std::optional<std::string> text_of_row(const Entry& row, const ParameterText& value_of, NodeShares& node) {
  const std::string outer = row.text_or("outer_text", "");
  if (outer.empty()) return filled(row.text_or("text", ""), row, value_of);
  const std::string parameter = row.text_or("parameter", "");
  const std::optional<double> degree = as_number(quantity_of(parameter, value_of).value_or(""));
  if (!degree || *degree < 1) return std::nullopt;
  const double inner = node.inner(*degree);
  const auto with = [](const std::string& text, double share) {
    std::string flag = text;
    return flag.replace(flag.find("{}"), 2, shortest(share));
  };
  std::string text;
  if (inner > 1) text = with(row.text_or("text", ""), inner);
  if (*degree > inner) text += (text.empty() ? "" : " ") + with(outer, *degree / inner);
  return text;
}

/// Adds each flag of a text on its own, without those that are there.
void add_flags(const std::string& text, std::vector<std::string>& flags) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find(' ', begin);
    // Words that follow a key belong to it: `--key word word`.
    while (text[begin] == '-' && end != std::string::npos && text[end + 1] != '-') end = text.find(' ', end + 1);
    std::string flag = text.substr(begin, end == std::string::npos ? end : end - begin);
    if (std::find(flags.begin(), flags.end(), flag) == flags.end()) flags.push_back(std::move(flag));
    begin = end == std::string::npos ? text.size() : end + 1;
  }
}

struct WrittenFlags {
  std::vector<std::string> flags;
  std::set<std::string> parameters;  ///< those that the flags say
};

WrittenFlags flags_of_execution(const Entry& trainer, const ParameterText& value_of) {
  WrittenFlags written;
  NodeShares node(value_of);
  for (const Entry& row : rows_of(trainer, "flag")) {
    const std::string parameter = row.text_or("parameter", "");
    if (row.text_or("only", "") == "import" || written.parameters.contains(parameter)) continue;
    if (!holds(row, value_of) || !is_for(row, value_of)) continue;
    const std::optional<std::string> text = text_of_row(row, value_of, node);
    if (!text) continue;
    add_flags(*text, written.flags);
    if (!parameter.empty()) written.parameters.insert(parameter);
  }
  return written;
}

/// The fields of the model that no flag says, as a sentence; empty where flags say all.
std::string unsaid_model(const Entry& trainer, const WrittenFlags& written, const LaunchValues& model) {
  std::string fields;
  for (const auto& [field, value] : model)
    if (!written.parameters.contains("model." + field)) fields += fmt::format(" {}={}", field, value);
  if (fields.empty()) return "";
  const std::string place = trainer.text_or("model_place", "");
  return place.empty() ? fmt::format("No flags say these fields of the model:{}", fields)
                       : fmt::format("{} has to be for a model with{}", place, fields);
}

/// Parameters that say nothing without a group that uses them.
constexpr std::pair<std::string_view, std::string_view> users[] = {{"sequence_parallel", "tensor_group"},
                                                                   {"tensor_overlap", "tensor_group"},
                                                                   {"schedule", "stages"},
                                                                   {"stage_split", "stages"},
                                                                   {"interleaving", "stages"},
                                                                   {"context_exchange", "context_group"},
                                                                   {"capacity_factor", "experts"},
                                                                   {"expert_tensor_parallel", "experts"}};

bool is_used(std::string_view parameter, const ParameterText& value_of) {
  return std::none_of(std::begin(users), std::end(users),
                      [&](const auto& user) { return user.first == parameter && !quantity_of(user.second, value_of); });
}

LaunchValues rest_of(const Entry& trainer, const std::string& program, const std::vector<std::string>& flags,
                     const ParameterText& value_of, std::span<const ExecutionValue> execution) {
  LaunchValues known;
  for (const char* const size : {"model.layers", "model.experts"})
    if (const std::optional<std::string> value = value_of(size)) known.emplace(size, *value);
  std::string text = program;
  for (const std::string& flag : flags) text += "\n" + flag;
  const LaunchValues said = execution_of_flags(trainer, flags_of_script(text, trainer.name), known);
  LaunchValues rest;
  for (const ExecutionValue& wanted : execution) {
    const auto found = said.find(wanted.parameter);
    const std::string& value = found == said.end() ? wanted.otherwise : found->second;
    if (is_used(wanted.parameter, value_of) && !is_same_value(value, wanted.value))
      rest.emplace(wanted.parameter, wanted.value);
  }
  return rest;
}

}  // namespace

TrainingLaunch launch_of_execution(const Entry& trainer, const ParameterText& value_of,
                                   std::span<const ExecutionValue> execution, const LaunchValues& model) {
  TrainingLaunch launch;
  launch.program = filled(trainer.text_or("launch", ""), trainer, value_of).value_or(trainer.text_or("launch", ""));
  WrittenFlags written = flags_of_execution(trainer, value_of);
  const std::string unsaid = unsaid_model(trainer, written, model);
  if (!unsaid.empty()) launch.lacks.push_back(unsaid);
  launch.flags = std::move(written.flags);
  launch.rest = rest_of(trainer, launch.program, launch.flags, value_of, execution);
  for (const Entry& lack : rows_of(trainer, "lack"))
    if (holds(lack, value_of) && is_for(lack, value_of)) launch.lacks.push_back(lack.text_or("text", ""));
  return launch;
}

std::string launch_text(const TrainingLaunch& launch) {
  std::string text = launch.program;
  for (const std::string& flag : launch.flags)  // brackets have a meaning of their own to a shell
    text += " \\\n  " + (flag.find_first_of("[(") == std::string::npos ? flag : "'" + flag + "'");
  text += "\n";
  for (const std::string& lack : launch.lacks) text += "# " + lack + "\n";
  if (launch.rest.empty()) return text;
  text += comment_of_values;
  for (const auto& [parameter, value] : launch.rest) {
    const char* const quote = value.find(' ') == std::string::npos ? "" : "'";
    text += fmt::format(" {}={}{}{}", parameter, quote, value, quote);
  }
  return text + "\n";
}

LaunchValues values_of_comment(std::string_view text) {
  LaunchValues values;
  for (std::size_t begin = text.find(comment_of_values); begin != std::string_view::npos;
       begin = text.find(comment_of_values, begin + 1)) {
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    for (const LaunchFlag& flag : flags_of_script(line.substr(comment_of_values.size()), ""))
      if (!flag.words.empty()) values[flag.key] = flag.words.front();
  }
  return values;
}

}  // namespace dfsweep::foreign
