/// The searches of the Calculon tool: all executions that it tries, in its order, as points of the estimator.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "models/calculon/formulas/execution.hpp"
#include "models/estimator.hpp"

namespace dfsweep::testing {

/// What a search is asked for.
struct CalculonSearch {
  Entry model;
  Entry system;
  double devices = 1.0;
  double max_batch = 1.0;
  std::string precision = "fp16";
};

class CalculonSearchSpace {
 public:
  explicit CalculonSearchSpace(CalculonSearch search);
  CalculonSearchSpace(const CalculonSearchSpace&) = delete;
  CalculonSearchSpace& operator=(const CalculonSearchSpace&) = delete;

  /// Good as long as this object.
  [[nodiscard]] const SweepValues& values() const { return values_; }
  /// Calls `take` with blocks of points, in the tool's order.
  void each_block(const std::function<void(const PointColumns&)>& take) const;

 private:
  CalculonSearch search_;
  SweepValues values_;
  std::map<std::size_t, std::vector<std::int64_t>> numbers_;  ///< by axis: values of degrees, chunks, micro batches
};

/// Catalogue entries of the structs of the model.
[[nodiscard]] Entry model_entry_of(const calculon::ModelShape& shape);
[[nodiscard]] Entry system_entry_of(const calculon::System& system);

}  // namespace dfsweep::testing
