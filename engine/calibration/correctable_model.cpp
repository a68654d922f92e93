#include "engine/calibration/correctable_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/evaluation/range_evaluation.hpp"
#include "io/number_format.hpp"
#include "models/calibration/displacement.hpp"
#include "models/expect.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

/// Measured clocks may exceed the data sheet, and models limit efficiencies to less than 1.
constexpr double max_above_bound = 1.1;

/// All rows of the sweep as points.
PointBuffer points_of(const SweepSpec& spec) {
  PointBuffer points;
  points.codes = spec.points->codes;
  points.points.resize(spec.points->lines);
  std::iota(points.points.begin(), points.points.end(), std::uint64_t{0});
  points.columns.assign(points.codes.begin(), points.codes.end());
  return points;
}

}  // namespace

ParameterIndex parameter_of_entries(const Estimator& estimator) {
  const auto place = place_of_name(estimator.parameters(), estimator.calibration().front().parameter);
  DFSWEEP_EXPECT(place.has_value());
  return *place;
}

std::vector<Entry> entries_of(const MeasuredSweep& sweep) {
  std::vector<Entry> entries;
  for (const ParameterValue& value : sweep.spec.values.parameters[parameter_of_entries(*sweep.spec.estimator)].values)
    entries.push_back(value.entry == nullptr ? Entry{} : *value.entry);
  return entries;
}

CorrectableModel::CorrectableModel(const MeasuredSweep& sweep, Resource resource, std::vector<Entry> entries)
    : sweep_(sweep),
      resource_(resource),
      numbers_(sweep.spec.estimator->calibration()),
      parameter_(parameter_of_entries(*sweep.spec.estimator)),
      entries_(std::move(entries)),
      points_(points_of(sweep.spec)) {
  const SweepValues::Parameter& named = sweep.spec.values.parameters[parameter_];
  DFSWEEP_EXPECT(entries_.size() == named.values.size());
  first_of_entry_.assign(entries_.size(), sweep.observations.size());
  for (std::size_t i = 0; i < sweep.observations.size(); ++i) {
    const std::uint32_t entry = points_.view().code(named, sweep.observations[i].row);
    entry_of_.push_back(entry);
    first_of_entry_[entry] = std::min(first_of_entry_[entry], i);
  }
}

double CorrectableModel::value_of(std::size_t number, std::size_t entry) const {
  return entries_[entry].number_or(numbers_[number].field, numbers_[number].usual);
}

double CorrectableModel::displaced_value(std::size_t number, std::size_t entry, double x) const {
  return calibration::displaced(value_of(number, entry), numbers_[number].highest, x);
}

EstimateBuffer CorrectableModel::estimates_of(std::span<const Entry> entries) const {
  const Estimator& estimator = *sweep_.spec.estimator;
  SweepValues values = sweep_.spec.values;
  std::vector<ParameterValue>& named = values.parameters[parameter_].values;
  for (std::size_t e = 0; e < entries.size(); ++e) named[e].entry = &entries[e];
  const std::unique_ptr<PreparedSweep> prepared = estimator.prepare(values);
  Wanted wanted;
  if (prepared->leaves_out_unwanted())
    for (const MeasuredColumn& column : sweep_.table.measured) wanted.metrics.push_back(column.metric);
  std::sort(wanted.metrics.begin(), wanted.metrics.end());
  EstimateBuffer estimates;
  Tally tally;
  evaluate_range(estimator, *prepared, points_, estimates, tally, wanted);
  return estimates;
}

std::vector<double> CorrectableModel::log_predictions(std::span<const Entry> entries) const {
  const EstimateBuffer estimates = estimates_of(entries);
  std::vector<double> predictions;
  predictions.reserve(sweep_.observations.size());
  for (const Observation& o : sweep_.observations)
    predictions.push_back(o.sign * std::log(estimates.metrics[o.metric][o.row]));
  return predictions;
}

std::vector<std::uint8_t> CorrectableModel::infeasible_rows(std::span<const Entry> entries) const {
  std::vector<std::uint8_t> infeasible;
  for (const std::uint8_t status : estimates_of(entries).status) infeasible.push_back(status == status_ok ? 0 : 1);
  return infeasible;
}

std::size_t CorrectableModel::entry_of_row(std::size_t row) const {
  return points_.view().code(sweep_.spec.values.parameters[parameter_], row);
}

std::vector<bool> CorrectableModel::entries_of_observations(std::span<const std::size_t> observations) const {
  std::vector<bool> named(entries_.size(), false);
  for (const std::size_t i : observations) named[entry_of_[i]] = true;
  for (const EntryCopy& copy : sweep_.copies)
    if (named[copy.entry]) named[copy.original] = true;
  return named;
}

std::string CorrectableModel::name_of(std::size_t entry) const {
  return entries_[entry].name.empty() ? "no entry" : entries_[entry].name;
}

std::vector<Entry> CorrectableModel::moved(std::span<const double> displacements) const {
  std::vector<Entry> moved = entries_;
  for (std::size_t e = 0; e < moved.size(); ++e)
    for (std::size_t n = 0; n < numbers_.size(); ++n)
      if (const double x = displacements[e * numbers_.size() + n]; x != 0.0)
        moved[e].numbers[std::string(numbers_[n].field)] = displaced_value(n, e, x);
  return moved;
}

Entry CorrectableModel::ideal_of(const Entry& entry) const {
  Entry ideal = entry;
  for (const CalibrationInfo& info : numbers_)
    if (info.resource == resource_) ideal.numbers[std::string(info.field)] = info.ideal;
  return ideal;
}

std::vector<RefusedRow> CorrectableModel::refused() const {
  std::vector<Entry> ideal;
  for (const Entry& entry : entries_) ideal.push_back(ideal_of(entry));
  const std::vector<double> as_they_are = log_predictions(entries_);
  const std::vector<double> bounds = log_predictions(ideal);
  const auto format =
      fmt::runtime(resource_ == Resource::time ? "{} of {} is faster than the machine allows: {} without any loss"
                                               : "{} of {} is less than the run needs: {} without any overhead");
  std::vector<RefusedRow> refused;
  for (std::size_t i = 0; i < sweep_.observations.size(); ++i) {
    const Observation& o = sweep_.observations[i];
    const MetricInfo& info = sweep_.spec.estimator->metrics()[o.metric];
    const double bound = std::exp(o.sign * bounds[i]);
    if (!std::isfinite(as_they_are[i]))
      refused.push_back({i, "it has no estimate: " + reason_of(o.row)});
    else if (o.sign * std::log(o.measured) < bounds[i] - std::log(max_above_bound))
      refused.push_back(
          {i, fmt::format(format, info.name, with_unit(o.measured, info.unit, 4), with_unit(bound, info.unit, 4))});
  }
  return refused;
}

std::vector<Correction> CorrectableModel::corrections(std::span<const std::string> fields) const {
  std::vector<Correction> all;
  const auto is_used = [&](std::size_t e) { return first_of_entry_[e] < sweep_.observations.size(); };
  std::size_t used = 0;
  for (std::size_t e = 0; e < entries_.size(); ++e) used += is_used(e) ? 1U : 0U;
  for (std::size_t n = 0; n < numbers_.size(); ++n) {
    if (numbers_[n].resource != resource_) continue;
    const std::string field(numbers_[n].field);
    if (!fields.empty() && std::find(fields.begin(), fields.end(), field) == fields.end()) continue;
    all.push_back({n, Correction::all_entries, field});
    if (numbers_[n].shared_by == SharedBy::all || used < 2) continue;
    for (std::size_t e = 0; e < entries_.size(); ++e)
      if (is_used(e)) all.push_back({n, e, field + " of " + name_of(e)});
  }
  return all;
}

std::string CorrectableModel::reason_of(std::size_t row) const {
  const std::unique_ptr<PreparedSweep> prepared = sweep_.spec.estimator->prepare(sweep_.spec.values);
  std::vector<std::span<const std::uint32_t>> storage;
  const std::string reason = prepared->reason(points_.part(row, 1, storage));
  return reason.empty() ? "the metric does not apply" : reason;
}

}  // namespace dfsweep
