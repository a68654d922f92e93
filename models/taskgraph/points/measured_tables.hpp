/// MeasuredTables: predictions from the measured tables of a sweep, by device.
#pragma once

#include <vector>

#include "models/estimator.hpp"
#include "models/taskgraph/work/measured_products.hpp"

namespace dfsweep::taskgraph {

class MeasuredTables {
 public:
  /// Pre: `values` outlive the object.
  explicit MeasuredTables(const SweepValues& values);

  [[nodiscard]] bool is_given() const { return !products_.empty(); }
  /// Tables by code of `device`. Pre: is_given().
  [[nodiscard]] const MeasuredProducts& of_device(std::size_t code) const { return products_[code]; }
  /// Errors in tables of the devices of the sweep.
  [[nodiscard]] std::span<const DataProblem> errors() const { return findings_.errors; }
  [[nodiscard]] std::span<const DataProblem> warnings() const { return findings_.warnings; }

 private:
  TableFindings findings_;
  std::vector<MeasuredProducts> products_;  ///< [code of device]; empty without tables
};

}  // namespace dfsweep::taskgraph
