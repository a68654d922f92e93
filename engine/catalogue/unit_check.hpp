/// What is wrong with the unit of a quantity, in the same words for sweep files and catalogue entries.
#pragma once

#include <optional>
#include <string_view>

#include "io/diagnostic.hpp"
#include "io/quantity.hpp"

namespace dfsweep {

/// `number` as the user wrote it, without the unit that field or parameter `name` has. `lowest`: least number allowed;
/// 0 for fields, of which none with a unit is negative.
[[nodiscard]] Problem missing_unit(std::string_view name, std::string_view number, std::string_view unit, double lowest,
                                   const SourcePosition& at);

/// Nothing if `quantity`, which the user wrote as `text`, has the dimension of `unit` ("1": none at all). `lowest` as
/// in missing_unit.
[[nodiscard]] std::optional<Problem> unit_problem(std::string_view name, std::string_view text,
                                                  const QuantityText& quantity, std::string_view unit, double lowest,
                                                  const SourcePosition& at);

}  // namespace dfsweep
