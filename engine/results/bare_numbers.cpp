#include "engine/results/bare_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dfsweep {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/// Takes from the front of a text.
class Front {
 public:
  explicit Front(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool is_empty() const { return rest_.empty(); }
  [[nodiscard]] char first() const { return rest_.empty() ? '\0' : rest_.front(); }
  void skip(std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); }
  void skip_blanks() { skip(rest_.find_first_not_of(" \t\n")); }
  /// With its quotes. An open quote goes to the end.
  void skip_quoted() {
    const std::size_t end = rest_.find(rest_.front(), 1);
    skip(end == std::string_view::npos ? end : end + 1);
  }
  std::string_view name() {
    return taken(
        static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), is_name_character) - rest_.begin()));
  }
  std::string_view sign() {
    for (const std::string_view sign : {"<=", ">=", "==", "!=", "<", ">"})
      if (rest_.starts_with(sign)) return taken(sign.size());
    return {};
  }
  /// A number that is a whole operand: a condition ends behind it. Empty where the operand is something else.
  std::string_view operand() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || !is_digit(first()) || value == 0.0) return {};
    const std::string_view number = taken(static_cast<std::size_t>(end - rest_.data()));
    skip_blanks();
    return is_empty() || first() == ')' || first() == '&' || first() == '|' ? number : std::string_view();
  }

 private:
  std::string_view taken(std::size_t count) {
    const std::string_view part = rest_.substr(0, count);
    skip(count);
    return part;
  }

  std::string_view rest_;
};

}  // namespace

std::vector<BareComparison> bare_comparisons(std::string_view condition) {
  std::vector<BareComparison> found;
  bool begins_operand = true;
  for (Front text(condition); !text.is_empty();) {
    text.skip_blanks();
    const char c = text.first();
    if (c == '\'' || c == '"') {
      text.skip_quoted();
      begins_operand = false;
    } else if (is_name_character(c)) {
      const std::string_view name = text.name();
      text.skip_blanks();
      const std::string_view sign = text.sign();
      text.skip_blanks();
      const std::string_view number = sign.empty() ? sign : text.operand();
      if (begins_operand && !is_digit(c) && !number.empty())
        found.push_back({std::string(name), std::string(sign), std::string(number)});
      begins_operand = false;
    } else {
      begins_operand = c == '(' || c == '&' || c == '|' || c == '!';
      text.skip(1);
    }
  }
  return found;
}

std::string bare_number_note(const BareComparison& comparison, std::string_view base, std::string_view printed,
                             bool keeps_all) {
  const auto& [name, sign, number] = comparison;
  if (printed.empty() || printed == base) return {};
  return fmt::format(
      "note: the condition keeps {}. {} is in {} where a number has no unit: write {} {} '{} {}' if that is "
      "meant",
      keeps_all ? "every row" : "no row", name, base, name, sign, number, printed);
}

}  // namespace dfsweep
