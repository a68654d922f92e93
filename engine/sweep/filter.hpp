/// Filter expressions: muParser formulas over named columns, with quoted labels for values that are not numbers.
///
/// A quoted text stands for the value of that label, or for a quantity ("'2 TB/s'" is 2e12). `%` is the remainder of
/// fmod, `!` is not. A row is kept where the value is a number other than zero.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/diagnostic.hpp"

namespace dfsweep {

enum class VariableKind : std::uint8_t {
  number,
  label,  ///< its values are labels; `labels` are all that it may have
  text,   ///< its values are labels of which any may be named
};

/// A name that an expression may use.
struct FilterVariable {
  std::string name;
  VariableKind kind = VariableKind::number;
  std::string unit = "1";           ///< numbers: base SI
  std::vector<std::string> labels;  ///< labels: for checks and suggestions
};

/// One of several conditions that must all hold.
struct FilterTerm {
  std::string expression;
  std::size_t offset = 0;  ///< of its first character in the text that was split
};

/// Cuts "a && (b || c) && d" into its conditions; an expression with `||` or `?` outside of parentheses is one.
[[nodiscard]] std::vector<FilterTerm> split_conditions(std::string_view text);

class FilterExpression {
 public:
  /// Throws UserError with positions inside the text, which begins at `at` (column 0: position of the whole).
  FilterExpression(std::string_view text, const SourcePosition& at, std::span<const FilterVariable> variables);
  ~FilterExpression();
  FilterExpression(FilterExpression&&) noexcept;
  FilterExpression& operator=(FilterExpression&&) noexcept;

  /// Indices into `variables` of those that occur, ascending.
  [[nodiscard]] const std::vector<std::size_t>& used() const;
  /// The number that stands for this label in this expression; the same text always has the same number.
  [[nodiscard]] double number_of(std::string_view label) const;
  /// Sets a variable for the next evaluation. Pre: `variable` is in used().
  void set(std::size_t variable, double value);
  [[nodiscard]] bool keeps() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dfsweep
