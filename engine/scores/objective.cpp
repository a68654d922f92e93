#include "engine/scores/objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/console/usage_error.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A piece of the text: a number, a name or one character. `depth`: parentheses around it.
struct Token {
  std::string_view text;
  std::size_t offset = 0;
  int depth = 0;
  [[nodiscard]] bool is(std::string_view other) const { return text == other; }
  [[nodiscard]] bool is_name() const { return is_letter(text.front()); }
  [[nodiscard]] bool ends_operand() const {
    return is_name() || is_digit(text.front()) || text.front() == '.' || is(")");
  }
};

/// Length of the number at the front, with its exponent.
std::size_t number_length(std::string_view text) {
  std::size_t end = 0;
  const auto skip_digits = [&] {
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
  };
  skip_digits();
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t mark = end++;
    if (end < text.size() && (text[end] == '+' || text[end] == '-')) ++end;
    if (end == text.size() || !is_digit(text[end])) return mark;
    skip_digits();
  }
  return end;
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == ' ' || c == '\t' || c == '\n') {
      ++i;
      continue;
    }
    std::size_t length = 1;
    if (is_digit(c) || c == '.') {
      length = std::max<std::size_t>(number_length(text.substr(i)), 1);
    } else if (is_letter(c)) {
      while (i + length < text.size() && (is_letter(text[i + length]) || is_digit(text[i + length]))) ++length;
    }
    if (c == ')') --depth;
    tokens.push_back({text.substr(i, length), i, depth});
    if (c == '(') ++depth;
    i += length;
  }
  return tokens;
}

class Reader {
 public:
  Reader(std::string_view text, Better direction, std::string_view option, std::span<const ScoredName> results)
      : text_(text), option_(option), results_(results), tokens_(tokens_of(text)) {
    objective_.text = text;
    objective_.direction = direction;
    objective_.terms.resize(results.size());
  }

  Objective read() {
    if (tokens_.empty()) fail(0, "the objective is empty", "Write metrics with their results: cost(A) + latency(B)");
    std::size_t begin = 0;
    std::size_t end = tokens_.size();
    const std::string_view worst = objective_.direction == Better::lower ? "max" : "min";
    if (tokens_[0].is(worst) && end > 3 && tokens_[1].is("(") && closing(1) == end - 1) {
      objective_.joining = Joining::worst;
      begin = 2;
      --end;
    }
    split(begin, end);
    for (std::size_t r = 0; r < results_.size(); ++r)
      if (objective_.terms[r].empty())
        fail(0, fmt::format("the objective has no metric of result {}", results_[r].name),
             fmt::format("Write one as METRIC({})", results_[r].name));
    return std::move(objective_);
  }

 private:
  /// Place of the parenthesis that closes the one at `open`.
  [[nodiscard]] std::size_t closing(std::size_t open) const {
    for (std::size_t i = open + 1; i < tokens_.size(); ++i)
      if (tokens_[i].is(")") && tokens_[i].depth == tokens_[open].depth) return i;
    fail(tokens_[open].offset, "'(' is not closed", "");
  }

  /// Operators that bind less than a sum: what has them is one term.
  [[nodiscard]] bool has_looser_operator(std::size_t begin, std::size_t end, int depth) const {
    return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens_.begin() + static_cast<std::ptrdiff_t>(end), [&](const Token& token) {
                         return token.depth == depth &&
                                std::string_view("?:<>=!&|").find(token.text[0]) != std::string_view::npos;
                       });
  }

  void split(std::size_t begin, std::size_t end) {
    const bool is_sum = objective_.joining == Joining::sum;
    const int depth = tokens_[begin].depth;
    const bool is_one_term = is_sum && has_looser_operator(begin, end, depth);
    double sign = 1.0;
    std::size_t first = begin;
    for (std::size_t i = begin; i < end && !is_one_term; ++i) {
      if (tokens_[i].depth != depth) continue;
      const bool is_sign = tokens_[i].is("+") || tokens_[i].is("-");
      const bool cuts = is_sum ? is_sign && i > begin && tokens_[i - 1].ends_operand() : tokens_[i].is(",");
      if (!cuts) continue;
      add_term(first, i, sign);
      sign = is_sum && tokens_[i].is("-") ? -1.0 : 1.0;
      first = i + 1;
    }
    add_term(first, end, sign);
  }

  void add_term(std::size_t begin, std::size_t end, double sign) {
    if (begin >= end) fail(begin < tokens_.size() ? tokens_[begin].offset : text_.size(), "a term is empty", "");
    const std::size_t offset = tokens_[begin].offset;
    const std::size_t stop = tokens_[end - 1].offset + tokens_[end - 1].text.size();
    ObjectiveTerm term{std::string(text_.substr(offset, stop - offset)), offset, sign};
    std::optional<std::size_t> result;
    for (std::size_t i = begin; i < end; ++i) {
      if (!tokens_[i].is_name()) continue;
      const std::optional<std::size_t> named = named_result(i, end);
      if (!named) {
        refuse_bare_metric(i, end);
        continue;
      }
      if (result && *result != *named)
        fail(offset,
             fmt::format("the term '{}' joins results {} and {}", text_.substr(offset, stop - offset),
                         results_[*result].name, results_[*named].name),
             fmt::format("Write a sum of terms, or {}(term, ...), each of one result",
                         objective_.direction == Better::lower ? "max" : "min"));
      result = named;
      use_metric(i, *named);
      write_variable(term, i, *named);
      i += 3;
    }
    (result ? objective_.terms[*result] : objective_.constants).push_back(std::move(term));
  }

  /// The result of "metric(A)" at token i.
  [[nodiscard]] std::optional<std::size_t> named_result(std::size_t i, std::size_t end) const {
    if (i + 3 >= end || !tokens_[i + 1].is("(") || !tokens_[i + 3].is(")")) return std::nullopt;
    for (std::size_t r = 0; r < results_.size(); ++r)
      if (tokens_[i + 2].is(results_[r].name)) return r;
    return std::nullopt;
  }

  void use_metric(std::size_t i, std::size_t result) {
    const std::vector<std::string>& known = results_[result].metrics;
    const std::string metric(tokens_[i].text);
    if (std::find(known.begin(), known.end(), metric) == known.end())
      fail(tokens_[i].offset, fmt::format("result {} has no numbers called '{}'", results_[result].name, metric),
           did_you_mean(metric, known, "Known: " + listed(known)));
    const UsedMetric used{result, metric};
    if (std::find(objective_.used.begin(), objective_.used.end(), used) == objective_.used.end())
      objective_.used.push_back(used);
  }

  /// Replaces "metric ( A )" by the variable and blanks, so that positions stay.
  void write_variable(ObjectiveTerm& term, std::size_t i, std::size_t result) const {
    const std::size_t begin = tokens_[i].offset - term.offset;
    const std::size_t length = tokens_[i + 3].offset + 1 - tokens_[i].offset;
    std::string variable = variable_of(tokens_[i].text, results_[result].name);
    variable.resize(length, ' ');
    term.expression.replace(begin, length, variable);
  }

  void refuse_bare_metric(std::size_t i, std::size_t end) const {
    const std::string_view name = tokens_[i].text;
    const bool is_called = i + 1 < end && tokens_[i + 1].is("(");
    for (const ScoredName& result : results_) {
      if (std::find(result.metrics.begin(), result.metrics.end(), name) == result.metrics.end()) continue;
      if (is_called && i + 3 < end && tokens_[i + 2].is_name() && tokens_[i + 3].is(")")) refuse_result(i + 2);
      fail(tokens_[i].offset, fmt::format("'{}' is of no result", name),
           fmt::format("Write {}({}), with the name of a result", name, result.name));
    }
    if (is_called || name.starts_with('_')) return;
    std::vector<std::string> known;
    for (const ScoredName& result : results_)
      for (const std::string& metric : result.metrics) known.push_back(fmt::format("{}({})", metric, result.name));
    fail(tokens_[i].offset, fmt::format("'{}' is not known", name), did_you_mean(std::string(name), known));
  }

  [[noreturn]] void refuse_result(std::size_t i) const {
    std::vector<std::string> names;
    for (const ScoredName& result : results_) names.push_back(result.name);
    fail(tokens_[i].offset, fmt::format("'{}' names no result", tokens_[i].text),
         fmt::format("Results are {}; NAME=PATH gives one a name", listed(names)));
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& problem, const std::string& hint) const {
    throw UsageError(
        fmt::format("{}:1:{}: {}.{}", option_, offset + 1, problem,
                    hint.empty() ? "" : " " + hint + (hint.back() == '?' || hint.back() == '.' ? "" : ".")));
  }

  std::string_view text_;
  std::string_view option_;
  std::span<const ScoredName> results_;
  std::vector<Token> tokens_;
  Objective objective_;
};

}  // namespace

std::string variable_of(std::string_view metric, std::string_view name) {
  return fmt::format("{}_{}_", metric, name);
}

Objective objective_of(std::string_view text, Better direction, std::string_view option,
                       std::span<const ScoredName> results) {
  return Reader(text, direction, option, results).read();
}

}  // namespace dfsweep
