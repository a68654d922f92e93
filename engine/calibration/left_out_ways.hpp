/// Levels: how much a fit may move, from nothing to every number of every entry; ways of leaving rows out of a fit, the
/// errors that they give, and the level that these choose.
#pragma once

#include <cstdint>
#include <functional>
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
  Groups groups;  ///< of the kept observations
  calibration::GroupFactor factor =
      calibration::GroupFactor::unknown;  ///< how the factor of the left-out source is treated
};

/// By source and by model, if rows have several, and by ten folds. `kept`: indices of observations.
[[nodiscard]] std::vector<Way> ways_of(const MeasuredSweep& sweep, const std::optional<Groups>& sources,
                                       std::span<const std::size_t> kept);

/// The fit to all rows, and its derivatives, which the fits without a group reuse.
struct FullFit {
  calibration::Fit fit;
  std::vector<double> slopes;
};
/// The starts are computed on up to `threads` threads; bitwise the same for any number.
[[nodiscard]] FullFit full_fit(const calibration::CalibrationProblem& problem, const calibration::FitOptions& options,
                               unsigned threads);

/// [row] ln(predicted / measured) by fits without the group of the row. Bitwise the same for any `threads`.
[[nodiscard]] std::vector<double> left_out(const calibration::CalibrationProblem& problem, const Way& way,
                                           const FullFit& full, const calibration::FitOptions& options,
                                           unsigned threads);

struct LevelError {
  std::string name;
  std::size_t fitted = 0;            ///< number of fitted numbers
  calibration::ErrorSummary errors;  ///< relative errors of left-out rows
  bool is_chosen = false;
};

struct Chosen {
  calibration::Level level;
  std::vector<LevelError> tried;
};

/// The level with the least left-out error over all ways; of nearly equal ones that with fewer numbers. Bitwise the
/// same for any `threads`. `is_tried`: called after each level, from any thread; may be empty.
[[nodiscard]] Chosen chosen_level(const calibration::CalibrationProblem& problem,
                                  std::span<const calibration::Level> levels, std::span<const Way> ways,
                                  unsigned threads, const std::function<void()>& is_tried);

/// Which unknowns of a level are fitted. If they are few and each affects all rows, unknowns that the rows do not
/// identify are not fitted and are reported, so that the user can measure what identifies them. If they are many, or
/// include deviations of single entries (never separable from the shared correction), all are fitted, and priors limit
/// those that the rows do not identify.
struct FittedUnknowns {
  std::vector<std::uint8_t> fitted;                     ///< [unknown] 0: not fitted
  std::vector<calibration::Identification> identified;  ///< [unknown]
  bool are_held_by_priors = false;  ///< unknowns that are not identified are fitted, too, limited by priors
};
[[nodiscard]] FittedUnknowns fitted_unknowns(const calibration::CalibrationProblem& problem,
                                             const calibration::Level& level);

}  // namespace dfsweep
