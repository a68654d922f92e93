/// Error messages for wrong and missing units.
#include "engine/catalogue/unit_check.hpp"

#include <fmt/format.h>

#include "models/expect.hpp"

namespace dfsweep {

Problem missing_unit(std::string_view name, std::string_view number, std::string_view unit, double lowest,
                     const SourcePosition& at) {
  if (number.starts_with('-') && lowest >= 0.0)
    return {at, fmt::format("{} = {} is negative and has no unit", name, number),
            fmt::format("unit {}, at least {}", unit, number_text(lowest)), ""};
  const std::string meant = suggested_quantity(number, unit);
  return {at, fmt::format("{} = {} has no unit", name, number), fmt::format("unit {}", unit),
          meant.empty() ? "" : fmt::format("Write \"{}\"", meant)};
}

std::optional<Problem> unit_problem(std::string_view name, std::string_view text, const QuantityText& quantity,
                                    std::string_view unit, double lowest, const SourcePosition& at) {
  const auto expected = parse_unit(unit);
  DFSWEEP_EXPECT(std::holds_alternative<ScaledUnit>(expected));
  if (!quantity.has_unit && unit != "1") return missing_unit(name, text, unit, lowest, at);
  if (quantity.unit.exponents == std::get<ScaledUnit>(expected).exponents) return std::nullopt;
  const std::string_view got = text.substr(text.find_last_of(' ') + 1);
  return Problem{at, fmt::format("{} = '{}' has the wrong unit", name, text),
                 unit == "1" ? fmt::format("a number without unit is expected, got {}", got)
                             : fmt::format("expected {}, got {}", unit, got),
                 ""};
}

}  // namespace dfsweep
