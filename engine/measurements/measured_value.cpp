#include "engine/measurements/measured_value.hpp"

#include <fmt/format.h>

#include <variant>

#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

std::optional<double> measured_value(const CsvCell& cell, const MeasuredUnit& expected, const SourcePosition& at,
                                     Problems& problems) {
  const auto parsed = parse_quantity(cell.text);
  const std::string what = fmt::format("'{}' is not a valid {}", printable(cell.text), expected.metric);
  if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) {
    problems.add(at, what, problem->problem, problem->hint);
    return std::nullopt;
  }
  const QuantityText& quantity = std::get<QuantityText>(parsed);
  const auto unit = parse_unit(shown_unit(expected.unit));
  const auto* scaled = std::get_if<ScaledUnit>(&unit);
  if (quantity.has_unit && scaled != nullptr && scaled->exponents != quantity.unit.exponents) {
    problems.add(at, fmt::format("'{}' has the wrong unit", printable(cell.text)),
                 fmt::format("{} is given in {}", expected.metric, shown_unit(expected.unit)));
    return std::nullopt;
  }
  if (!(quantity.value > 0.0)) {
    problems.add(at, what, "measurements are above zero");
    return std::nullopt;
  }
  return quantity.has_unit && scaled != nullptr ? quantity.value / in_base_units(*scaled) : quantity.value;
}

}  // namespace dfsweep
