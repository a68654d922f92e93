/// CorrectableModel: an estimator on measured rows, with the numbers of its entries free to move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/calibration/measured_sweep.hpp"
#include "engine/plan/point_buffer.hpp"
#include "models/calibration/problem.hpp"
#include "models/entry.hpp"

namespace dfsweep {

/// What an unknown of the fit corrects.
struct Correction {
  std::size_t number = 0;  ///< of Estimator::calibration()
  std::size_t entry = 0;   ///< of CorrectableModel::entries(), or `all_entries`
  std::string name;        ///< "matrix_share", "matrix_share of h100-megatron"
  static constexpr std::size_t all_entries = SIZE_MAX;
};

/// Observations of the sweep that have no prediction, or one that no machine can beat.
struct RefusedRow {
  std::size_t observation = 0;
  std::string reason;
};

/// What entries are called where rows name none.
inline constexpr std::string_view name_without_entry = "calibrated";

/// The parameter that names the entries whose numbers are corrected, "software". Pre: the estimator has such numbers.
[[nodiscard]] ParameterIndex parameter_of_entries(const Estimator& estimator);

/// The entries that the rows name, as they are; one without a name stands for what holds where none is named. Pre: the
/// estimator has numbers to correct.
[[nodiscard]] std::vector<Entry> entries_of(const MeasuredSweep& sweep);

class CorrectableModel {
 public:
  /// Of these entries the numbers of `resource` may move. Pre: the estimator has numbers to correct; entries as those
  /// of the sweep; `sweep` outlives the model.
  CorrectableModel(const MeasuredSweep& sweep, Resource resource, std::vector<Entry> entries);

  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] std::size_t number_count() const { return numbers_.size(); }
  /// [observation] index into entries().
  [[nodiscard]] std::span<const std::uint32_t> entry_of_observation() const { return entry_of_; }
  /// The value of a number of an entry, as it is.
  [[nodiscard]] double value_of(std::size_t number, std::size_t entry) const;
  /// The same displaced by x.
  [[nodiscard]] double displaced_value(std::size_t number, std::size_t entry, double x) const;

  /// sign ln(metric) of every observation with these entries in place of its own; NaN where there is no estimate.
  [[nodiscard]] std::vector<double> log_predictions(std::span<const Entry> entries) const;
  /// The entries with their numbers displaced, [entry * numbers + number].
  [[nodiscard]] std::vector<Entry> moved(std::span<const double> displacements) const;

  /// Rows without an estimate, and rows that are faster, or need less memory, than a machine that loses nothing. Pre:
  /// measurements of `resource` alone.
  [[nodiscard]] std::vector<RefusedRow> refused() const;

  /// Numbers that corrections of these names may move: "matrix_share", or every number where there are none. A number
  /// that entries do not share is corrected for all of them, and for each where there are several.
  [[nodiscard]] std::vector<Correction> corrections(std::span<const std::string> fields) const;

 private:
  [[nodiscard]] Entry ideal_of(const Entry& entry) const;
  [[nodiscard]] std::string reason_of(std::size_t row) const;

  const MeasuredSweep& sweep_;
  Resource resource_;
  std::span<const CalibrationInfo> numbers_;
  ParameterIndex parameter_ = 0;  ///< that names the entries
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> entry_of_;
  std::vector<std::size_t> first_of_entry_;  ///< observation
  PointBuffer points_;
};

}  // namespace dfsweep
