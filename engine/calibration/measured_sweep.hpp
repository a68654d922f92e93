/// MeasuredSweep: the rows of a table as points of a sweep, and what was measured of them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/calibration/measured_table.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// One measured number. A row with two measured metrics gives two.
struct Observation {
  std::size_t row = 0;
  std::size_t column = 0;  ///< of MeasuredTable::measured
  MetricIndex metric = 0;
  double measured = 0.0;  ///< in the unit of the metric
  /// 1: more is slower, as of times; -1: more is faster, as of rates. The logarithm times this grows with time.
  double sign = 1.0;
};

/// What a measurement is about: memory where the metric is counted in bytes, else time, be it a rate.
[[nodiscard]] Resource resource_of(const MetricInfo& metric);

/// What is known beforehand of a number of one entry, in place of what the estimator publishes.
struct KnownSpread {
  std::size_t entry = 0;   ///< place among the values of the parameter that names entries
  std::size_t number = 0;  ///< of Estimator::calibration()
  double spread = 0.0;     ///< standard deviation of its logarithm
};

/// An entry that is a copy of another for some of the rows.
struct EntryCopy {
  std::size_t entry = 0;  ///< place among the values of the parameter that names entries
  std::size_t original = 0;
};

struct MeasuredSweep {
  MeasuredTable table;
  SweepSpec spec;  ///< one point for each row, in the order of the rows
  std::vector<Observation> observations;
  std::vector<EntryCopy> copies;
  std::vector<KnownSpread> known;        ///< from kernels that were measured one by one; empty: nothing
  std::vector<InputFile> kernel_tables;  ///< those that tell it
};

struct MeasuredSweepOptions {
  const Estimator* estimator = nullptr;
  std::filesystem::path rows;
  std::vector<std::pair<std::string, std::string>> parameters = {};  ///< of all rows: name and value
  std::vector<std::filesystem::path> catalogues = {};
};

/// Throws UserError with every problem of the table and of the points; IoError.
[[nodiscard]] MeasuredSweep read_measured_sweep(const MeasuredSweepOptions& options);

/// The same rows with the measurements of one resource alone; there may be none.
[[nodiscard]] MeasuredSweep measurements_of(const MeasuredSweep& sweep, Resource resource);

}  // namespace dfsweep
