/// MeasurementPlan: the products, attention shapes and messages that calibrate a new machine best, as tables to be
/// timed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/operators/operator_layouts.hpp"
#include "models/operators/measurement_design.hpp"
#include "models/operators/table_checks.hpp"

namespace dfsweep::operators {

/// Rows of one family, the most telling first.
struct PlannedTable {
  const OperatorLayout* layout = nullptr;
  std::string variant;  ///< operation of a library: "all_reduce"
  std::string format;   ///< of operands and of the cache
  std::vector<Keys> rows;
  std::vector<double> expected_error;  ///< [k] median relative error after the first k rows
  Seconds time;                        ///< of all rows together, as the closed forms expect it
};

/// Products, prompts, decoding and all-reduces in 16 bits, `rows` of each; exchanges where the machine has several
/// devices in a node. No row takes longer than 0.1 s or more memory than a tenth of 16 GB, as expected. Pre: rows > 0;
/// the device has a peak rate and a memory bandwidth.
[[nodiscard]] std::vector<PlannedTable> measurement_plan(const TableDevice& device, std::size_t rows);

/// The rows as CSV that read_operator_file() reads once `latency` is filled in.
[[nodiscard]] std::string planned_csv(const PlannedTable& table, const std::string& system);
/// "gemm.csv".
[[nodiscard]] std::string planned_file(const PlannedTable& table);

}  // namespace dfsweep::operators
