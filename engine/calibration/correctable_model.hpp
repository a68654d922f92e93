/// CorrectableModel: predictions for measured rows as a function of the numbers of catalogue entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/calibration/measured_sweep.hpp"
#include "engine/evaluation/estimates.hpp"
#include "engine/plan/point_buffer.hpp"
#include "models/calibration/problem.hpp"
#include "models/entry.hpp"

namespace dfsweep {

/// An unknown of the fit: the number that it corrects.
struct Correction {
  std::size_t number = 0;  ///< index into Estimator::calibration()
  std::size_t entry = 0;   ///< index into CorrectableModel::entries(), or `all_entries`
  std::string name;        ///< "matrix_share", "matrix_share of h100-megatron"
  static constexpr std::size_t all_entries = SIZE_MAX;
};

/// An observation without a prediction, one that is better than the ideal machine, or one that contradicts all that is
/// known beforehand.
struct RefusedRow {
  std::size_t observation = 0;
  std::string reason;
  std::string hint = {};  ///< may be empty
};

/// Name of the entry if rows name none.
inline constexpr std::string_view name_without_entry = "calibrated";

/// The parameter whose entries are corrected, "software". Pre: the estimator has numbers to correct.
[[nodiscard]] ParameterIndex parameter_of_entries(const Estimator& estimator);

/// The entries that the rows name, uncorrected. An entry without a name has the defaults, for rows that name none. Pre:
/// the estimator has numbers to correct.
[[nodiscard]] std::vector<Entry> entries_of(const MeasuredSweep& sweep);

class CorrectableModel {
 public:
  /// Corrects the numbers of `resource` in `entries`. Pre: the estimator has numbers to correct; `entries` correspond
  /// to those of the sweep; `sweep` outlives the model.
  CorrectableModel(const MeasuredSweep& sweep, Resource resource, std::vector<Entry> entries);

  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] std::size_t number_count() const { return numbers_.size(); }
  /// [observation] index into entries().
  [[nodiscard]] std::span<const std::uint32_t> entry_of_observation() const { return entry_of_; }
  /// The uncorrected value of a number of an entry.
  [[nodiscard]] double value_of(std::size_t number, std::size_t entry) const;
  /// The value after a displacement x.
  [[nodiscard]] double displaced_value(std::size_t number, std::size_t entry, double x) const;

  /// sign * ln(metric) of every observation, predicted with `entries`; NaN if there is no estimate.
  [[nodiscard]] std::vector<double> log_predictions(std::span<const Entry> entries) const;
  /// [row of the table] 1 where the row is infeasible with `entries`, 0 elsewhere.
  [[nodiscard]] std::vector<std::uint8_t> infeasible_rows(std::span<const Entry> entries) const;
  /// Index into entries() of the entry of a row of the table.
  [[nodiscard]] std::size_t entry_of_row(std::size_t row) const;
  /// [entry] Whether one of these observations is of a row with this entry, or with a copy of it.
  [[nodiscard]] std::vector<bool> entries_of_observations(std::span<const std::size_t> observations) const;
  [[nodiscard]] std::string name_of(std::size_t entry) const;
  /// The entries with displaced numbers; index [entry * numbers + number].
  [[nodiscard]] std::vector<Entry> moved(std::span<const double> displacements) const;

  /// Rows without an estimate, and rows that are faster or need less memory than an ideal machine. Pre: all
  /// measurements are of `resource`.
  [[nodiscard]] std::vector<RefusedRow> refused() const;

  /// The corrections of `fields` ("matrix_share"; empty: all numbers). A number that entries do not share gets one
  /// correction for all entries, and one for each entry if there are several.
  [[nodiscard]] std::vector<Correction> corrections(std::span<const std::string> fields) const;

 private:
  [[nodiscard]] EstimateBuffer estimates_of(std::span<const Entry> entries) const;
  [[nodiscard]] Entry ideal_of(const Entry& entry) const;
  [[nodiscard]] std::string reason_of(std::size_t row) const;

  const MeasuredSweep& sweep_;
  Resource resource_;
  std::span<const CalibrationInfo> numbers_;
  ParameterIndex parameter_ = 0;  ///< the parameter that names the entries
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> entry_of_;
  std::vector<std::size_t> first_of_entry_;  ///< [entry] its first observation
  PointBuffer points_;
};

}  // namespace dfsweep
