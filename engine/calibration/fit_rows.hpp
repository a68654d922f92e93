/// FitRows: the kept observations of a sweep as a fit problem.
#pragma once

#include <optional>
#include <span>

#include "engine/calibration/correctable_model.hpp"
#include "engine/calibration/groups.hpp"

namespace dfsweep {

class FitRows {
 public:
  /// `groups`: of all observations; rows of one group share a factor. Pre: the arguments outlive the object.
  FitRows(const CorrectableModel& model, const MeasuredSweep& sweep, std::span<const std::size_t> kept,
          std::span<const Correction> corrections, const std::optional<Groups>& groups);
  FitRows(const FitRows&) = delete;
  FitRows& operator=(const FitRows&) = delete;

  [[nodiscard]] const calibration::CalibrationProblem& get() const { return problem_; }

 private:
  [[nodiscard]] std::vector<bool> applies(const Correction& correction) const;
  /// Predicts all observations and returns the kept ones.
  void predict(std::span<const double> displacements, std::span<double> out) const;

  const CorrectableModel& model_;
  std::span<const std::size_t> kept_;
  std::size_t quantities_;
  calibration::CalibrationProblem problem_;
};

}  // namespace dfsweep
