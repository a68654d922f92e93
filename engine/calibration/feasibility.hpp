/// Feasibility: rows that ran and that entries call infeasible, and corrections that do not add to them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/calibration/correctable_model.hpp"

namespace dfsweep {

/// What corrections change about which rows are called infeasible. All rows of a table ran.
struct Feasibility {
  std::size_t rows = 0;              ///< rows of the table
  std::size_t before = 0;            ///< rows that the entries as they are call infeasible
  std::size_t unlimited = 0;         ///< the same with the corrections as fitted
  std::size_t after = 0;             ///< the same with the corrections that are used
  std::vector<std::string> limited;  ///< entries whose corrections are used in part, with the share
};

/// Corrections, and what they change.
struct LimitedCorrections {
  std::vector<double> displacements;  ///< [entry * numbers + number]
  Feasibility feasibility;
};

/// A run that ran bounds its memory from above. So the corrections of an entry are used in full where every row that is
/// feasible with the entry as it is remains so; else multiplied by the largest share, found by bisection to 1/4096,
/// with which it remains so.
[[nodiscard]] LimitedCorrections limited_by_runs(const CorrectableModel& model, std::vector<double> displacements);

}  // namespace dfsweep
