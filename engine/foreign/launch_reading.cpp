#include "engine/foreign/launch_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/foreign/trainer_rows.hpp"
#include "io/diagnostic.hpp"
#include "io/number_format.hpp"

namespace dfsweep::foreign {

namespace {

/// Parameters and quantities that count devices, sequences or tokens.
constexpr std::string_view counts[] = {"tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel",
                                       "micro_batch",     "global_batch",      "sequence_length",  "tensor_group",
                                       "stages",          "context_group",     "node_ranks",       "nodes"};

/// Why the word at `place` cannot be this parameter or quantity; nullptr: it can. Pre: the word is a number.
const char* why_no_count(std::string_view name, const std::vector<std::string>& words, std::size_t place) {
  if (std::find(std::begin(counts), std::end(counts), name) == std::end(counts)) return nullptr;
  const double value = *as_number(words[place]);
  if (!(value >= 1) || value != std::floor(value)) return "it has to be a whole number of at least 1";
  if (place + 1 < words.size() && as_number(words[place + 1])) return "it has several numbers";
  return nullptr;
}

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
          if (const char* why = why_no_count(*name, words, w)) return complain_of_count(flag->second, why);
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

  bool complain_of_count(const LaunchFlag& flag, const char* why) {
    if (complained_.insert(flag.key).second)
      problems_.add(flag.at, fmt::format("{} {} is not a count", flag.key, fmt::join(flag.words, " ")), why,
                    "Write one whole number of 1 or more.");
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

}  // namespace

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
