/// Filter expressions by muParser, in scalar mode, because its bulk mode starts threads.
#include "engine/sweep/filter.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "engine/sweep/other_words.hpp"
#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t max_expression_length = 10'000;

double remainder_of(double a, double b) {
  return std::fmod(a, b);
}
double negation_of(double a) {
  return a == 0.0 ? 1.0 : 0.0;
}

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\n";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// The longer sign first where one begins with the other.
constexpr std::array<std::pair<std::string_view, ComparisonSign>, 4> comparison_signs = {
    {{"<=", ComparisonSign::less_or_equal},
     {">=", ComparisonSign::greater_or_equal},
     {"<", ComparisonSign::less},
     {">", ComparisonSign::greater}}};

/// Position after the quoted text that begins at `begin`; npos if the quote is not closed.
std::size_t after_quoted(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find(text[begin], begin + 1);
  return end == std::string_view::npos ? end : end + 1;
}

}  // namespace

std::vector<FilterTerm> split_conditions(std::string_view text) {
  std::vector<std::size_t> cuts;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      const std::size_t end = after_quoted(text, i);
      if (end == std::string_view::npos) break;
      i = end - 1;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (depth == 0 && (c == '?' || text.substr(i, 2) == "||")) {
      cuts.clear();
      break;
    } else if (depth == 0 && text.substr(i, 2) == "&&") {
      cuts.push_back(i++);
    }
  }
  std::vector<FilterTerm> terms;
  std::size_t begin = 0;
  cuts.push_back(text.size());
  for (const std::size_t cut : cuts) {
    const std::string_view part = text.substr(begin, cut - begin);
    const std::string_view term = without_blanks(part);
    terms.push_back({std::string(term), begin + static_cast<std::size_t>(term.data() - part.data())});
    begin = cut + 2;
  }
  return terms;
}

class FilterExpression::Implementation {
 public:
  Implementation(std::string_view text, SourcePosition at, std::span<const FilterVariable> variables,
                 std::string_view subject)
      : text_(text),
        subject_(subject),
        at_(std::move(at)),
        variables_(variables.begin(), variables.end()),
        slots_(variables.size(), 0.0) {
    if (text_.size() > max_expression_length)
      fail(0, subject_ + " is too long", fmt::format("at most {} characters", max_expression_length), "");
    if (text_.find_first_not_of(" \t\n") == std::string::npos) fail(0, subject_ + " is empty", "", "");
    find_names();
    const std::string numbers = with_numbers_for_labels();
    parser_.DefineOprt("%", remainder_of, mu::prMUL_DIV, mu::oaLEFT, true);
    parser_.DefineInfixOprt("!", negation_of, mu::prINFIX, true);
    try {
      for (const std::size_t v : used_) parser_.DefineVar(variables_[v].name, &slots_[v]);
      parser_.SetExpr(numbers);
      int results = 0;
      parser_.Eval(results);
      if (results != 1) fail(0, subject_ + " has several values", "separated by commas", "Write && between conditions");
      if (used_.size() == 1) comparison_ = comparison_in(numbers);
    } catch (const mu::Parser::exception_type& error) {
      const auto place = static_cast<std::size_t>(std::max(error.GetPos(), 0));
      fail(std::min(place, text_.size()), fmt::format("{} '{}' cannot be evaluated", subject_, text_), reason_of(error),
           "");
    }
  }

  [[nodiscard]] double value() const { return parser_.Eval(); }

  [[nodiscard]] double number_of(std::string_view label) {
    return numbers_.emplace(label, static_cast<double>(numbers_.size())).first->second;
  }

  std::vector<std::size_t> used_;
  std::optional<FilterComparison> comparison_;
  std::vector<double>& slots() { return slots_; }

 private:
  /// Finds variables and functions; rejects unknown names and single '=', with suggestions.
  void find_names() {
    for (std::size_t i = 0; i < text_.size();) {
      const char c = text_[i];
      if (c == '\'' || c == '"') {
        const std::size_t end = after_quoted(text_, i);
        if (end == std::string::npos) fail(i, subject_ + " has an unterminated quote", "", "");
        i = end;
      } else if (c >= '0' && c <= '9') {
        while (i < text_.size() && (is_name_character(text_[i]) || text_[i] == '.')) ++i;
      } else if (is_name_character(c)) {
        const std::size_t begin = i;
        while (i < text_.size() && is_name_character(text_[i])) ++i;
        note_name(text_.substr(begin, i - begin), begin);
      } else if (c == '=' && text_.compare(i, 2, "==") != 0) {
        fail(i, subject_ + " has a single '='", "it would assign", "Write == to compare");
      } else {
        i += c == '=' || ((c == '!' || c == '<' || c == '>') && text_.compare(i + 1, 1, "=") == 0) ? 2 : 1;
      }
    }
    std::sort(used_.begin(), used_.end());
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
  }

  void note_name(const std::string& name, std::size_t offset) {
    for (std::size_t v = 0; v < variables_.size(); ++v)
      if (variables_[v].name == name) return used_.push_back(v);
    const bool is_function = parser_.GetFunDef().contains(name) || parser_.GetConst().contains(name);
    if (is_function) return;
    fail(offset, fmt::format("unknown name '{}' in a {}", name, subject_), "", hint_for(name, offset));
  }

  /// Suggestion for an unknown name.
  [[nodiscard]] std::string hint_for(const std::string& name, std::size_t offset) const {
    constexpr std::array<std::array<std::string_view, 2>, 3> words = {{{"and", "&&"}, {"or", "||"}, {"not", "!"}}};
    for (const auto& [word, sign] : words)
      if (name == word) return fmt::format("Write {} instead of '{}'", sign, word);
    if (const std::string label = label_at(offset); !label.empty())
      return fmt::format("Write '{}' in quotes, because it is a label", label);
    std::vector<std::string> names;
    for (const FilterVariable& variable : variables_) names.push_back(variable.name);
    return word_hint(name, names, "Names are parameters or columns; labels stand in quotes: device == 'h100'");
  }

  /// The longest label of any variable at `offset` without quotes; labels may contain '-' and '.'.
  [[nodiscard]] std::string label_at(std::size_t offset) const {
    std::string longest;
    for (const FilterVariable& variable : variables_)
      for (const std::string& label : variable.labels) {
        const std::size_t end = offset + label.size();
        const bool stands_here =
            text_.compare(offset, label.size(), label) == 0 && (end == text_.size() || !is_name_character(text_[end]));
        if (stands_here && label.size() > longest.size()) longest = label;
      }
    return longest;
  }

  /// The text with every quoted label replaced by its number, padded so that positions do not change.
  std::string with_numbers_for_labels() {
    std::string numbers = text_;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (numbers[i] != '\'' && numbers[i] != '"') continue;
      const std::size_t end = after_quoted(numbers, i);
      const std::string label = numbers.substr(i + 1, end - i - 2);
      std::string number;
      if (const auto quantity = quantity_of(label, i)) {
        number = fmt::format("({})", *quantity);
      } else {
        check_label(label, i);
        number = fmt::format("{}", number_of(label));
      }
      number.resize(std::max(number.size(), end - i), ' ');
      numbers.replace(i, end - i, number);
      i += number.size() - 1;
    }
    return numbers;
  }

  std::optional<double> quantity_of(const std::string& label, std::size_t offset) const {
    const auto parsed = parse_quantity(label);
    const auto* quantity = std::get_if<QuantityText>(&parsed);
    if (quantity == nullptr || !quantity->has_unit) return std::nullopt;
    const FilterVariable* meant = nullptr;
    double scale = 1.0;
    for (const std::size_t v : used_) {
      const FilterVariable& variable = variables_[v];
      const auto unit = parse_unit(shown_unit(variable.unit));
      const auto* known = std::get_if<ScaledUnit>(&unit);
      if (variable.kind != VariableKind::number || known == nullptr || known->exponents != quantity->unit.exponents)
        continue;
      if (meant != nullptr && in_base_units(*known) != scale)
        fail(offset, fmt::format("'{}' is ambiguous", label),
             fmt::format("{} is in {}, {} in {}", meant->name, shown_unit(meant->unit), variable.name,
                         shown_unit(variable.unit)),
             "Write numbers without units");
      meant = &variable;
      scale = in_base_units(*known);
    }
    if (meant != nullptr) return quantity->value / scale;
    fail(offset, fmt::format("'{}' has a unit that no variable in the {} has", label, subject_), "", "");
  }

  void check_label(const std::string& label, std::size_t offset) const {
    std::vector<std::string> known;
    for (const std::size_t v : used_) {
      if (variables_[v].kind == VariableKind::text) return;
      if (variables_[v].kind == VariableKind::label)
        known.insert(known.end(), variables_[v].labels.begin(), variables_[v].labels.end());
    }
    if (std::find(known.begin(), known.end(), label) != known.end()) return;
    if (known.empty())
      fail(offset, fmt::format("{} compares numbers with '{}'", subject_, label), "no variable in it has labels", "");
    fail(offset, fmt::format("unknown label '{}' in a {}", label, subject_), "",
         did_you_mean(label, known, "Known: " + listed(known)));
  }

  /// Pre: one variable is used, and quoted texts are numbers.
  [[nodiscard]] std::optional<FilterComparison> comparison_in(std::string_view numbers) const {
    const FilterVariable& variable = variables_[used_.front()];
    std::string_view rest = without_blanks(numbers);
    if (variable.kind != VariableKind::number || !rest.starts_with(variable.name)) return std::nullopt;
    rest = without_blanks(rest.substr(variable.name.size()));
    for (const auto& [text, sign] : comparison_signs) {
      if (!rest.starts_with(text)) continue;
      rest = without_blanks(rest.substr(text.size()));
      if (rest.starts_with('(') && rest.ends_with(')')) rest = without_blanks(rest.substr(1, rest.size() - 2));
      double number = 0.0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
      if (error != std::errc() || end != rest.data() + rest.size()) return std::nullopt;
      return FilterComparison{.variable = used_.front(), .sign = sign, .number = number};
    }
    return std::nullopt;
  }

  std::string reason_of(const mu::Parser::exception_type& error) const {
    std::string message = error.GetMsg();
    while (!message.empty() && (message.back() == '.' || message.back() == '\n')) message.pop_back();
    return message;
  }

  [[noreturn]] void fail(std::size_t offset, std::string problem, std::string reason, std::string hint) const {
    SourcePosition place = at_;
    if (place.column > 0) place.column += static_cast<std::uint32_t>(offset);
    throw UserError({{place, std::move(problem), std::move(reason), std::move(hint)}});
  }

  std::string text_;
  std::string subject_;
  SourcePosition at_;
  std::vector<FilterVariable> variables_;
  std::vector<double> slots_;  ///< [variable] current values; the parser holds pointers to them
  std::map<std::string, double, std::less<>> numbers_;
  mu::Parser parser_;
};

FilterExpression::FilterExpression(std::string_view text, const SourcePosition& at,
                                   std::span<const FilterVariable> variables, std::string_view subject)
    : implementation_(std::make_unique<Implementation>(text, at, variables, subject)) {}
FilterExpression::~FilterExpression() = default;
FilterExpression::FilterExpression(FilterExpression&&) noexcept = default;
FilterExpression& FilterExpression::operator=(FilterExpression&&) noexcept = default;

const std::vector<std::size_t>& FilterExpression::used() const {
  return implementation_->used_;
}
double FilterExpression::number_of(std::string_view label) const {
  return implementation_->number_of(label);
}
void FilterExpression::set(std::size_t variable, double value) {
  implementation_->slots()[variable] = value;
}
bool FilterExpression::keeps() const {
  const double number = value();
  return number != 0.0 && is_given(number);
}
double FilterExpression::value() const {
  return implementation_->value();
}
const std::optional<FilterComparison>& FilterExpression::comparison() const {
  return implementation_->comparison_;
}

}  // namespace dfsweep
