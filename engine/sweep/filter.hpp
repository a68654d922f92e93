/// Filter expressions: muParser formulas over named columns, with quoted labels for values that are not numbers.
///
/// A quoted text is a label, or a quantity ("'2 TB/s'" is 2e12). `%` is fmod, `!` is logical not. A row is kept if the
/// value of the expression is neither 0 nor NaN.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/diagnostic.hpp"

namespace dfsweep {

enum class VariableKind : std::uint8_t {
  number,
  label,  ///< values are labels; `labels` lists all allowed ones
  text,   ///< values are labels; every text is allowed
};

/// A variable of expressions.
struct FilterVariable {
  std::string name;
  VariableKind kind = VariableKind::number;
  std::string unit = "1";           ///< of numbers, in base SI
  std::vector<std::string> labels;  ///< for checks and suggestions
};

/// One operand of a conjunction.
struct FilterTerm {
  std::string expression;
  std::size_t offset = 0;  ///< position of its first character in the split text
};

/// Splits "a && (b || c) && d" into its operands; an expression with `||` or `?` outside of parentheses is not split.
[[nodiscard]] std::vector<FilterTerm> split_conditions(std::string_view text);

enum class ComparisonSign : std::uint8_t { less, less_or_equal, greater, greater_or_equal };

/// An expression of the form "variable < number".
struct FilterComparison {
  std::size_t variable = 0;  ///< index into the variables
  ComparisonSign sign = ComparisonSign::less;
  double number = 0.0;  ///< in base SI
};

class FilterExpression {
 public:
  /// Throws UserError with positions in the text, which begins at `at` (column 0: all errors are at `at`). `subject`:
  /// what messages call the expression.
  FilterExpression(std::string_view text, const SourcePosition& at, std::span<const FilterVariable> variables,
                   std::string_view subject = "filter");
  ~FilterExpression();
  FilterExpression(FilterExpression&&) noexcept;
  FilterExpression& operator=(FilterExpression&&) noexcept;

  /// Indices into `variables` of the variables that occur, ascending.
  [[nodiscard]] const std::vector<std::size_t>& used() const;
  /// The number of a label in this expression; equal texts have equal numbers.
  [[nodiscard]] double number_of(std::string_view label) const;
  /// Sets a variable for the next evaluation. Pre: `variable` is in used().
  void set(std::size_t variable, double value);
  [[nodiscard]] bool keeps() const;
  /// The number that keeps() judges.
  [[nodiscard]] double value() const;
  /// The expression as one comparison, where it has that form; it can be evaluated without the parser.
  [[nodiscard]] const std::optional<FilterComparison>& comparison() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace dfsweep
