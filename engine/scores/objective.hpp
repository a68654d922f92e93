/// The objective of a score, read from its text: a sum, or the worst, of terms that each depend on one result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep {

/// A result as an objective names it.
struct ScoredName {
  std::string name;                  ///< "A"
  std::vector<std::string> metrics;  ///< columns with numbers, the only ones that an objective may use
};

/// A column that an objective uses.
struct UsedMetric {
  std::size_t result = 0;
  std::string metric;
  auto operator<=>(const UsedMetric&) const = default;
};

/// A term of one result, as text for FilterExpression: metric(A) is written as the variable metric_A_, which has as
/// many characters.
struct ObjectiveTerm {
  std::string expression;
  std::size_t offset = 0;  ///< position of its first character in the text
  double sign = 1.0;       ///< 1 or -1
};

/// How an objective joins its terms.
enum class Joining : std::uint8_t {
  sum,
  worst,  ///< the greatest term of an objective that is minimised, the least of one that is maximised
};

struct Objective {
  std::string text;
  Better direction = Better::lower;
  Joining joining = Joining::sum;
  std::vector<std::vector<ObjectiveTerm>> terms;  ///< [result]
  std::vector<ObjectiveTerm> constants;           ///< terms without a result
  std::vector<UsedMetric> used;                   ///< in order of their first appearance
};

/// The variable that `metric` of the result called `name` is in an expression.
[[nodiscard]] std::string variable_of(std::string_view metric, std::string_view name);

/// Reads "0.6 * cost(A) + 0.4 * price(B)" or, as the worst case, "max(time(A), latency(B))" ("min" where the objective
/// is maximised). Terms of a sum may have any form that FilterExpression evaluates. Throws UsageError with the column
/// in the text, which `option` gave, for unknown names, for a term with metrics of two results, and for a result
/// without a term.
[[nodiscard]] Objective objective_of(std::string_view text, Better direction, std::string_view option,
                                     std::span<const ScoredName> results);

}  // namespace dfsweep
