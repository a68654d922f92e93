/// The value of a parameter that a sweep does not give, for tests without a sweep file.
#pragma once

#include <string>
#include <variant>

#include "io/quantity.hpp"
#include "models/estimator.hpp"

namespace dfsweep::testing {

/// Absent where the table names no value. Entries have their name only.
inline ParameterValue fallback_of(const ParameterInfo& info) {
  ParameterValue value;
  if (info.absence != Absence::fallback) return value;
  const bool is_number = info.kind == ParameterKind::integer || info.kind == ParameterKind::real;
  if (is_number && info.fallback != best_value)
    value.number = std::get<QuantityText>(parse_quantity(info.fallback)).value;
  else
    value.text = info.fallback;
  return value;
}

/// Gives a sweep the fallbacks of the last parameters, which it lacks: those of the whole run behind an estimator's
/// own.
inline void complete(SweepValues& sweep, std::span<const ParameterInfo> infos) {
  for (std::size_t p = sweep.parameters.size(); p < infos.size(); ++p)
    sweep.parameters.push_back({{fallback_of(infos[p])}, SweepValues::fixed});
}

}  // namespace dfsweep::testing
