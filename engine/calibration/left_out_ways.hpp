/// Levels: how much a fit may move, from nothing to every number of every entry; ways of leaving rows out of a fit, the
/// errors that they give, and the level that these choose.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/groups.hpp"
#include "models/calibration/error_summary.hpp"
#include "models/calibration/fit.hpp"
#include "models/calibration/identification.hpp"
#include "models/calibration/left_out.hpp"
#include "models/calibration/selection.hpp"

namespace dfsweep {

/// In the order of what they may move: nothing; the first number; numbers that belong to entries; leading numbers,
/// alone and with corrections for single entries at half of their spreads and at all of it; all numbers likewise. Where
/// rows have groups, leading and all numbers once more without factors of groups: where few groups have most rows,
/// factors take from the numbers what all groups have in common. Levels that would equal another are left out.
[[nodiscard]] std::vector<calibration::Level> fit_levels(std::span<const Correction> corrections,
                                                         std::span<const CalibrationInfo> numbers, bool has_groups);

/// Group by group.
struct Way {
  Groups groups;                                                        ///< of the kept observations alone
  calibration::GroupFactor factor = calibration::GroupFactor::unknown;  ///< of the source of the rows
};

/// By source where rows have several, by model where there are several, and by ten folds. `kept`: observations.
[[nodiscard]] std::vector<Way> ways_of(const MeasuredSweep& sweep, const std::optional<Groups>& sources,
                                       std::span<const std::size_t> kept);

/// The fit to all rows, and its slopes, which the fits to most rows share.
struct FullFit {
  calibration::Fit fit;
  std::vector<double> slopes;
};
[[nodiscard]] FullFit full_fit(const calibration::CalibrationProblem& problem, const calibration::FitOptions& options);

/// ln(predicted / measured) [row] by fits that have not seen the group of the row. The same bits for any `threads`.
[[nodiscard]] std::vector<double> left_out(const calibration::CalibrationProblem& problem, const Way& way,
                                           const FullFit& full, const calibration::FitOptions& options,
                                           unsigned threads);

struct LevelError {
  std::string name;
  std::size_t fitted = 0;            ///< numbers
  calibration::ErrorSummary errors;  ///< relative errors of rows left out
  bool is_chosen = false;
};

struct Chosen {
  calibration::Level level;
  std::vector<LevelError> tried;
};

/// The level that predicts best what it has not seen, over all ways of leaving rows out; of nearly equal ones that with
/// fewer numbers.
[[nodiscard]] Chosen chosen_level(const calibration::CalibrationProblem& problem,
                                  std::span<const calibration::Level> levels, std::span<const Way> ways,
                                  unsigned threads);

/// Which unknowns of a level a fit moves. A few that the rows cannot tell apart stay as they are and are named, so that
/// the user can measure what tells them. Among many each has a little to say, and what all entries share is always told
/// together with their deviations from it: then all move, and the prior holds those of which the rows say nothing.
struct MovingUnknowns {
  std::vector<std::uint8_t> fitted;                     ///< [unknown] 0: stays as it is
  std::vector<calibration::Identification> identified;  ///< [unknown]
  bool are_held_by_priors = false;                      ///< those not identified move too
};
[[nodiscard]] MovingUnknowns moving_unknowns(const calibration::CalibrationProblem& problem,
                                             const calibration::Level& level);

}  // namespace dfsweep
