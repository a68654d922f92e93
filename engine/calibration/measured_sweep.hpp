/// MeasuredSweep: the rows of a table as points of a sweep, with their measurements.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/calibration/measured_table.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// One measured number. A row with two measured metrics gives two observations.
struct Observation {
  std::size_t row = 0;
  std::size_t column = 0;  ///< index into MeasuredTable::measured
  MetricIndex metric = 0;
  double measured = 0.0;  ///< in the unit of the metric
  /// 1 for times, -1 for rates: sign * ln(value) grows with time.
  double sign = 1.0;
};

/// The resource of a metric: memory if its unit is bytes, else time (also for rates).
[[nodiscard]] Resource resource_of(const MetricInfo& metric);

/// Prior of a number of one entry; replaces the published prior of the estimator.
struct KnownSpread {
  std::size_t entry = 0;   ///< index into the values of the parameter that names entries
  std::size_t number = 0;  ///< of Estimator::calibration()
  double spread = 0.0;     ///< standard deviation of its logarithm
};

/// An entry that copies another one for some of the rows.
struct EntryCopy {
  std::size_t entry = 0;  ///< index into the values of the parameter that names entries
  std::size_t original = 0;
};

struct MeasuredSweep {
  MeasuredTable table;
  SweepSpec spec;  ///< one point per row, in the order of the rows
  std::vector<Observation> observations;
  std::vector<EntryCopy> copies;
  std::vector<KnownSpread> known;        ///< from kernel fits; empty: none
  std::vector<InputFile> kernel_tables;  ///< the tables of these kernels
};

struct MeasuredSweepOptions {
  const Estimator* estimator = nullptr;
  const RowText* rows = nullptr;
  std::filesystem::path folder = {};                                 ///< of the rows; paths in them are relative to it
  std::vector<std::pair<std::string, std::string>> parameters = {};  ///< name and value, the same for all rows
  std::vector<std::filesystem::path> catalogues = {};
};

/// Reads table and points. Throws UserError with all problems of both, IoError. Pre: options.rows is no null pointer.
[[nodiscard]] MeasuredSweep read_measured_sweep(const MeasuredSweepOptions& options);

/// The same rows, only with measurements of one resource; may be empty.
[[nodiscard]] MeasuredSweep measurements_of(const MeasuredSweep& sweep, Resource resource);

}  // namespace dfsweep
