/// The values of one point, changed one at a time and evaluated: what sensitivities are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

struct PointOutcome {
  std::uint8_t status = 0;
  std::vector<double> metrics;  ///< [requested metric]
};

/// A number of a point that may be scaled: a real parameter, or a field of an entry. The numbers of a list are scaled
/// together.
struct PointNumber {
  ParameterIndex parameter = 0;
  std::size_t place = 0;  ///< among the numbers of its entry
  std::string name;       ///< "memory.bandwidth"
  std::string unit;
  double value = 0.0;  ///< NaN: a list
};

class VariedPoint {
 public:
  /// `codes`: [code column] of the point.
  VariedPoint(const SweepSpec& spec, std::span<const std::uint32_t> codes, std::span<const MetricIndex> metrics);

  [[nodiscard]] const Estimator& estimator() const { return *estimator_; }
  [[nodiscard]] const ParameterValue& value(ParameterIndex p) const { return values_.parameters[p].values.front(); }
  /// All numbers of the point but zeros, infinities and counts (layers, heads), of which 1 % more is no number.
  [[nodiscard]] std::vector<PointNumber> numbers() const;

  /// What parameters that were left to a search ("best") found at the point, as their names; set by evaluating the
  /// point.
  [[nodiscard]] const std::vector<std::string>& kept() const { return kept_names_; }

  /// Evaluates the point as it is, and notes what its searches found. Nothing if the estimator rejects the values.
  [[nodiscard]] std::optional<PointOutcome> evaluate_and_keep();
  /// With `number` times each factor. The searches of the point keep what they found if it is feasible at all factors,
  /// else they search at all of them. Nothing if the estimator rejects a value. Thread-safe.
  [[nodiscard]] std::optional<std::vector<PointOutcome>> scaled(const PointNumber& number,
                                                                std::span<const double> factors) const;
  /// With another value of one parameter; searches keep what they found if it is feasible. Thread-safe.
  [[nodiscard]] std::optional<PointOutcome> with(ParameterIndex parameter, const ParameterValue& value) const;

 private:
  struct Kept {
    ParameterIndex parameter = 0;
    ParameterValue value;
  };
  /// The requested metrics of `values`.
  [[nodiscard]] std::optional<PointOutcome> evaluate(const SweepValues& values) const;
  /// All metrics of the estimator.
  [[nodiscard]] std::optional<PointOutcome> evaluate_whole(const SweepValues& values) const;
  [[nodiscard]] PointOutcome requested(const PointOutcome& whole) const;
  [[nodiscard]] SweepValues with_kept(SweepValues values) const;

  const Estimator* estimator_;
  std::span<const MetricIndex> metrics_;
  SweepValues values_;
  std::vector<Kept> kept_;
  std::vector<std::string> kept_names_;
};

}  // namespace dfsweep
