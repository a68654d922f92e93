#include "engine/foreign/training_launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include "io/diagnostic.hpp"
#include "io/number_format.hpp"

namespace dfsweep::foreign {

namespace {

constexpr std::string_view comment_of_values = "# dfsweep:";

std::optional<double> as_number(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool is_same_value(std::string_view a, std::string_view b) {
  const std::optional<double> left = as_number(a);
  const std::optional<double> right = as_number(b);
  if (left && right) return std::abs(*left - *right) <= 1e-12 * std::abs(*left);
  const auto is_same = [](char x, char y) { return x == y || (x ^ y) == 32; };  // True and true
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), is_same);
}

std::span<const Entry> rows_of(const Entry& trainer, std::string_view table) {
  const auto found = trainer.parts.find(table);
  return found == trainer.parts.end() ? std::span<const Entry>() : std::span<const Entry>(found->second);
}

/// The name in "{name}"; nothing for other words. The one without a name is the parameter of the row.
std::optional<std::string> placeholder(std::string_view word, const Entry& row) {
  if (word.size() < 2 || word.front() != '{' || word.back() != '}') return std::nullopt;
  const std::string name(word.substr(1, word.size() - 2));
  return name.empty() ? row.text_or("parameter", "") : name;
}

/// Replaces each "{name}" by its value; nothing where one has none.
std::optional<std::string> filled(std::string text, const Entry& row, const ParameterText& value_of) {
  for (std::size_t begin = text.find('{'); begin != std::string::npos; begin = text.find('{', begin)) {
    const std::size_t end = text.find('}', begin);
    const std::optional<std::string> name = placeholder(std::string_view(text).substr(begin, end + 1 - begin), row);
    const std::optional<std::string> value = quantity_of(*name, value_of);
    if (!value) return std::nullopt;
    text.replace(begin, end + 1 - begin, *value);
    begin += value->size();
  }
  return text;
}

/// Whether what the row needs is there.
bool holds(const Entry& row, const ParameterText& value_of) {
  const std::string name = row.text_or("beside", "");
  if (name.empty()) return true;
  const std::optional<std::string> value = quantity_of(name, value_of);
  return value && *value != "none" && *value != "0";
}

/// Whether the row is for the value that the parameter has.
bool is_for(const Entry& row, const ParameterText& value_of) {
  const std::optional<std::string> value = quantity_of(row.text_or("parameter", ""), value_of);
  if (!value || !is_same_value(row.text_or("value", *value), *value)) return false;
  return !row.has_number("above") || as_number(*value).value_or(0.0) > row.number_or("above", 0.0);
}

// ---- from an execution to flags

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

std::vector<std::string> flags_of_execution(const Entry& trainer, const ParameterText& value_of) {
  std::vector<std::string> flags;
  std::set<std::string> done;
  NodeShares node(value_of);
  for (const Entry& row : rows_of(trainer, "flag")) {
    const std::string parameter = row.text_or("parameter", "");
    if (row.text_or("only", "") == "import" || done.contains(parameter)) continue;
    if (!holds(row, value_of)) continue;
    if (!parameter.empty() && !is_for(row, value_of)) continue;
    const std::optional<std::string> text = text_of_row(row, value_of, node);
    if (!text) continue;
    add_flags(*text, flags);
    if (!parameter.empty()) done.insert(parameter);
  }
  return flags;
}

// ---- from flags to an execution

using FlagsByKey = std::map<std::string, LaunchFlag, std::less<>>;

/// Reads flags with the rows of a trainer. What a row says of flags and quantities becomes values.
class FlagReader {
 public:
  FlagReader(const Entry& trainer, std::span<const LaunchFlag> flags, const LaunchValues& known)
      : trainer_(trainer), known_(known), values_(known) {
    for (const Entry& row : rows_of(trainer, "default"))
      for (const LaunchFlag& flag : flags_of_script(row.text_or("text", ""), trainer.name)) by_key_[flag.key] = flag;
    for (const LaunchFlag& flag : flags) {
      by_key_[flag.key] = flag;
      given_.insert(flag.key);
    }
  }

  LaunchValues read() {
    const ParameterText value_of = [this](std::string_view name) -> std::optional<std::string> {
      const auto found = values_.find(name);
      return found == values_.end() ? std::nullopt : std::optional(found->second);
    };
    for (const Entry& row : rows_of(trainer_, "flag")) {
      const std::string parameter = row.text_or("parameter", "");
      if (parameter.empty() || row.text_or("only", "") == "launch") continue;
      if (values_.contains(parameter) || !holds(row, value_of)) continue;
      read_row(row, parameter);
      tried_.push_back(&row);
    }
    report_unread();
    problems_.raise();
    replace_quantities(values_, known_);
    return std::move(values_);
  }

 private:
  void read_row(const Entry& row, const std::string& parameter) {
    const std::string outer = row.text_or("outer_text", "");
    if (!outer.empty()) return read_axis(row, parameter);
    const std::string value = row.text_or("value", "");
    if (match(row.text_or("text", ""), row) && !value.empty()) values_.emplace(parameter, value);
  }

  void read_axis(const Entry& row, const std::string& parameter) {
    double degree = 1.0;
    for (const char* const field : {"text", "outer_text"}) {
      if (!match(row.text_or(field, ""), row)) continue;
      if (const auto found = values_.find(parameter); found != values_.end()) {
        degree *= as_number(found->second).value_or(1.0);
        values_.erase(found);
      }
    }
    values_.emplace(parameter, shortest(degree));
  }

  /// Whether the flags have all that the text of a row has; then values of its placeholders are kept.
  bool match(const std::string& text, const Entry& row) {
    LaunchValues found;
    for (const LaunchFlag& pattern : flags_of_script(text, trainer_.name)) {
      const auto flag = by_key_.find(pattern.key);
      if (flag == by_key_.end()) return false;
      for (std::size_t w = 0; w < pattern.words.size(); ++w) {
        const std::vector<std::string>& words = flag->second.words;
        if (const std::optional<std::string> name = placeholder(pattern.words[w], row)) {
          if (w >= words.size() || !as_number(words[w])) return complain(flag->second);
          found.emplace(*name, words[w]);
        } else if (std::none_of(words.begin(), words.end(),
                                [&](const std::string& word) { return is_same_value(word, pattern.words[w]); })) {
          return false;
        }
      }
    }
    for (const LaunchFlag& flag : flags_of_script(text, trainer_.name)) read_.insert(flag.key);
    values_.merge(found);
    return true;
  }

  bool complain(const LaunchFlag& flag) {
    if (complained_.insert(flag.key).second)
      problems_.add(flag.at, fmt::format("{} has no number", flag.key),
                    flag.words.empty() ? "nothing follows it" : "it is '" + flag.words.front() + "'",
                    "Write the value in the file, or set the variable there.");
    return false;
  }

  /// First flags of rows for a value, where the file has another value that no row has.
  void report_unread() {
    for (const Entry* row : tried_) {
      const std::vector<LaunchFlag> patterns = flags_of_script(row->text_or("text", ""), trainer_.name);
      if (row->text_or("value", "").empty() || patterns.empty()) continue;
      const std::string& key = patterns.front().key;
      const auto flag = by_key_.find(key);
      if (flag == by_key_.end() || !given_.contains(key) || read_.contains(key)) continue;
      if (flag->second.words.empty() || is_off(flag->second.words.front())) continue;
      if (!complained_.insert(key).second) continue;
      const std::string parameter = row->text_or("parameter", "");
      problems_.add(flag->second.at, fmt::format("'{} {}' is not known", key, fmt::join(flag->second.words, " ")),
                    fmt::format("it says {}", parameter), fmt::format("Use --set {}=VALUE.", parameter));
    }
  }
  static bool is_off(std::string_view word) {
    return is_same_value(word, "false") || is_same_value(word, "none") || is_same_value(word, "null") || word.empty();
  }

  const Entry& trainer_;
  FlagsByKey by_key_;
  std::set<std::string, std::less<>> given_;
  std::set<std::string, std::less<>> read_;
  std::set<std::string, std::less<>> complained_;
  std::vector<const Entry*> tried_;  ///< rows that could have said something
  const LaunchValues& known_;
  LaunchValues values_;
  Problems problems_;
};

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
                                   std::span<const ExecutionValue> execution) {
  TrainingLaunch launch;
  launch.program = filled(trainer.text_or("launch", ""), trainer, value_of).value_or(trainer.text_or("launch", ""));
  launch.flags = flags_of_execution(trainer, value_of);
  launch.rest = rest_of(trainer, launch.program, launch.flags, value_of, execution);
  for (const Entry& lack : rows_of(trainer, "lack"))
    if (holds(lack, value_of) && is_for(lack, value_of)) launch.lacks.push_back(lack.text_or("text", ""));
  return launch;
}

std::string launch_text(const TrainingLaunch& launch) {
  std::string text = launch.program;
  for (const std::string& flag : launch.flags)  // brackets are a pattern of file names to a shell
    text += " \\\n  " + (flag.find('[') == std::string::npos ? flag : "'" + flag + "'");
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

std::size_t known_flags(const Entry& trainer, std::span<const LaunchFlag> flags) {
  std::set<std::string, std::less<>> keys;
  for (const char* const table : {"flag", "default"})
    for (const Entry& row : rows_of(trainer, table))
      for (const char* const field : {"text", "outer_text"})
        for (const LaunchFlag& flag : flags_of_script(row.text_or(field, ""), "")) keys.insert(flag.key);
  return static_cast<std::size_t>(
      std::count_if(flags.begin(), flags.end(), [&](const LaunchFlag& flag) { return keys.contains(flag.key); }));
}

LaunchValues execution_of_flags(const Entry& trainer, std::span<const LaunchFlag> flags, const LaunchValues& known) {
  return FlagReader(trainer, flags, known).read();
}

}  // namespace dfsweep::foreign
