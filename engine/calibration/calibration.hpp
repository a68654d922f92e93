/// Calibration: numbers of entries fitted to measured rows, and how far the result is to be trusted.
///
/// Times and memory are two fits: their errors differ, and no number is about both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/extrapolation.hpp"
#include "engine/calibration/groups.hpp"
#include "engine/calibration/left_out_ways.hpp"
#include "models/absent.hpp"
#include "models/calibration/coverage.hpp"
#include "models/calibration/error_summary.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep {

struct CalibrationOptions {
  std::vector<std::string> fields;  ///< numbers to fit; empty: all, as many as left-out rows support
  std::string group;                ///< column of rows that share a factor of their own; empty: none
  std::uint32_t starts = 10;
  std::uint64_t seed = 42;
  std::uint64_t replicates = 1000;
  unsigned threads = 1;
};

/// A correction that was fitted, or was found to be out of the reach of the rows.
struct FittedCorrection {
  std::size_t place = 0;  ///< among all corrections
  Correction correction;
  double displacement = 0.0;
  double before = absent;  ///< value where it is the same in all entries that the correction moves
  double after = absent;
  hyperparameters::Interval interval;   ///< 95 % of the displacement
  hyperparameters::Interval resampled;  ///< the same by resampling groups of rows; both ends 0 without replicates
  bool is_identified = true;
  std::string twin;  ///< of what is not identified: the correction that acts like it; empty: none does
};

/// Errors of one way of leaving rows out.
struct LeftOut {
  Groups groups;
  std::vector<double> log_errors;  ///< [observation]
};

/// Of one resource.
struct CalibrationReport {
  Resource resource = Resource::time;
  MeasuredSweep sweep;            ///< measurements of the resource; observations are of these
  std::vector<std::size_t> kept;  ///< observations that were fitted; what follows is of these
  std::vector<RefusedRow> refused;
  std::vector<LevelError> levels;
  std::vector<FittedCorrection> corrections;
  std::vector<double> before;  ///< [kept] ln(predicted / measured), positive: predicted too slow
  std::vector<double> after;
  std::vector<LeftOut> left_out;
  std::optional<Extrapolation> extrapolation;
  bool is_held_by_priors = false;  ///< corrections that are not identified moved too, as far as priors let them
  hyperparameters::Interval median_interval;  ///< 95 % of the median of left-out errors, by resampling groups
  hyperparameters::Interval percentile90_interval;
  std::vector<std::size_t> odd;  ///< [.] places in `kept` of rows that contradict the rest
};

struct Calibration {
  std::vector<CalibrationReport> reports;  ///< of times, and of memory, where rows have either
  std::vector<Entry> entries;              ///< corrected; as entries_of()
};

/// Fits what rows tell: resources that were measured, and have a number among `options.fields` where there are any.
/// Memory comes first, since it may say what fits and so how long it takes. Pre: the estimator has numbers to correct;
/// at least one resource can be fitted.
[[nodiscard]] Calibration calibrate(const MeasuredSweep& sweep, const CalibrationOptions& options);

/// Resources that calibrate() fits.
[[nodiscard]] std::vector<Resource> fitted_resources(const MeasuredSweep& sweep,
                                                     const std::vector<std::string>& fields);

struct SimulatedCalibration {
  Resource resource = Resource::time;
  std::vector<Correction> corrections;  ///< the unknowns
  calibration::Coverage coverage;
};
/// How often intervals hold the truth where it is known: the same rows, measured `sets` times in a simulation.
[[nodiscard]] SimulatedCalibration simulate_calibration(const MeasuredSweep& sweep, Resource resource,
                                                        const CalibrationOptions& options, std::uint64_t sets);

}  // namespace dfsweep
