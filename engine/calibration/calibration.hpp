/// Calibration: fits numbers of catalogue entries to measured rows, and estimates the error of the result.
///
/// Times and memory are fitted separately: their errors differ, and no number affects both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/extrapolation.hpp"
#include "engine/calibration/feasibility.hpp"
#include "engine/calibration/groups.hpp"
#include "engine/calibration/left_out_ways.hpp"
#include "engine/calibration/row_classes.hpp"
#include "models/absent.hpp"
#include "models/calibration/coverage.hpp"
#include "models/calibration/error_summary.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep {

struct CalibrationOptions {
  std::vector<std::string> fields;  ///< numbers to fit; empty: all, as many as left-out rows support
  std::string group;                ///< column whose groups of rows have a factor each; empty: no factors
  std::uint32_t starts = 10;
  std::uint64_t seed = 42;
  std::uint64_t replicates = 1000;
  unsigned threads = 1;
  std::function<void(const std::string&)> say = {};  ///< receives what is being done, from any thread; may be empty
};

/// A correction that was fitted, or that the rows do not identify.
struct FittedCorrection {
  std::size_t place = 0;  ///< index among all corrections
  Correction correction;
  double displacement = 0.0;
  double before = absent;  ///< value, if it is the same in all corrected entries
  double after = absent;
  Interval interval;   ///< 95 % interval of the displacement
  Interval resampled;  ///< the same by resampling groups of rows; both ends 0 without replicates
  bool is_identified = true;
  /// The displacement at which the rows fit best, if it exceeds three spreads (`displacement` is then 0); else not
  /// finite.
  double contradicted = absent;
  std::string twin;  ///< if not identified: the correction that has the same effect; empty: there is none
};

/// Errors of one scheme of cross-validation.
struct LeftOut {
  Groups groups;
  std::vector<double> log_errors;  ///< [observation]
};

/// 95 % intervals of errors of rows left out, by resampling whole groups.
struct LeftOutIntervals {
  Interval median;
  Interval percentile90;
};

/// Result for one resource.
struct CalibrationReport {
  Resource resource = Resource::time;
  MeasuredSweep sweep;            ///< measurements of the resource; indices of observations refer to these
  std::vector<std::size_t> kept;  ///< observations that were fitted; the members below refer to these
  std::vector<RefusedRow> refused;
  std::vector<LevelError> levels;
  std::vector<FittedCorrection> corrections;
  std::vector<double> before;  ///< [kept] ln(predicted / measured); positive: prediction too slow
  std::vector<double> after;
  std::vector<LeftOut> left_out;
  std::optional<Extrapolation> extrapolation;
  bool is_held_by_priors = false;  ///< corrections that are not identified were fitted, too, limited by their priors
  std::optional<LeftOutIntervals> left_out_intervals;  ///< absent without replicates and with a single group
  std::vector<std::size_t> odd;                        ///< outliers: indices into `kept`
  std::vector<RowClass> classes;                       ///< [kept]
  std::vector<calibration::StatedError> of_class;      ///< [index of class] from the first way of leaving rows out
  calibration::StatedError of_all;                     ///< the same of all rows
  std::vector<bool> corrected;                         ///< [entry] whether the rows say something about it
  std::optional<Feasibility> feasibility;              ///< where memory was fitted
};

struct Calibration {
  std::vector<CalibrationReport> reports;  ///< of times and of memory, as far as they were measured
  std::vector<Entry> entries;              ///< corrected entries, in the order of entries_of()
};

/// Fits the resources that were measured and have a number among `options.fields` (if that is not empty). Memory is
/// fitted first, because it can decide what fits, and so the time. Pre: the estimator has numbers to correct; at least
/// one resource can be fitted.
[[nodiscard]] Calibration calibrate(const MeasuredSweep& sweep, const CalibrationOptions& options);

/// The resources that calibrate() fits.
[[nodiscard]] std::vector<Resource> fitted_resources(const MeasuredSweep& sweep,
                                                     const std::vector<std::string>& fields);

struct SimulatedCalibration {
  Resource resource = Resource::time;
  std::vector<Correction> corrections;  ///< the unknowns
  calibration::Coverage coverage;
};
/// Coverage of the intervals: simulates `sets` measurements of the same rows with known true values.
[[nodiscard]] SimulatedCalibration simulate_calibration(const MeasuredSweep& sweep, Resource resource,
                                                        const CalibrationOptions& options, std::uint64_t sets);

}  // namespace dfsweep
