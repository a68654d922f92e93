/// Unit errors, with the same messages for sweep files and catalogue entries.
#pragma once

#include <optional>
#include <string_view>

#include "io/diagnostic.hpp"
#include "io/quantity.hpp"

namespace dfsweep {

/// The problem of a `number` without unit, for a field or parameter `name` that has the unit `unit`. `lowest`: least
/// allowed value; 0 for fields, because no field with a unit is negative.
[[nodiscard]] Problem missing_unit(std::string_view name, std::string_view number, std::string_view unit, double lowest,
                                   const SourcePosition& at);

/// Nothing if `quantity`, which the user wrote as `text`, has the dimension of `unit` ("1": dimensionless). `lowest`:
/// as in missing_unit().
[[nodiscard]] std::optional<Problem> unit_problem(std::string_view name, std::string_view text,
                                                  const QuantityText& quantity, std::string_view unit, double lowest,
                                                  const SourcePosition& at);

}  // namespace dfsweep
