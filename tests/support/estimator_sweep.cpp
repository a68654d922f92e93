/// Evaluation of small grids of an estimator.
#include "tests/support/estimator_sweep.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <stdexcept>
#include <utility>

#include "models/absent.hpp"
#include "models/measured_tables/profile_tables.hpp"
#include "tests/support/fallback.hpp"
#include "tests/support/profile_text.hpp"

namespace dfsweep::testing {

Estimates estimates_of(const PreparedSweep& prepared, std::size_t metrics,
                       std::span<const std::vector<std::uint32_t>> codes, std::size_t count) {
  Estimates estimates{std::vector<std::uint8_t>(count), {metrics, std::vector<double>(count)}};
  const std::vector<std::span<double>> cells(estimates.metrics.begin(), estimates.metrics.end());
  const std::vector<std::span<const std::uint32_t>> columns(codes.begin(), codes.end());
  EstimateColumns out{estimates.status, cells};
  prepared.evaluate(PointColumns(columns, count), out);
  return estimates;
}

Estimates estimates_one_by_one(const PreparedSweep& prepared, std::size_t metrics,
                               std::span<const std::vector<std::uint32_t>> codes, std::size_t count) {
  Estimates estimates{std::vector<std::uint8_t>(count), {metrics, std::vector<double>(count)}};
  const std::vector<std::span<const std::uint32_t>> columns(codes.begin(), codes.end());
  for (std::size_t metric = 0; metric < metrics; ++metric) {
    std::vector<std::span<double>> cells(metrics);
    cells[metric] = estimates.metrics[metric];
    EstimateColumns out{estimates.status, cells};
    prepared.evaluate(PointColumns(columns, count), out);
  }
  return estimates;
}

void hold_claims(const Estimator& estimator, const Estimates& found) {
  for (std::size_t i = 0; i < found.status.size(); ++i) {
    const std::uint8_t status = found.status[i];
    if (status == status_failed) continue;
    for (std::size_t m = 0; m < found.metrics.size(); ++m) {
      const MetricInfo& info = estimator.metrics()[m];
      const bool is_valid = status == status_ok || (info.valid_statuses >> status & 1U) != 0;
      const bool has_value = is_given(found.metrics[m][i]);
      if (has_value ? is_valid : !is_valid || info.may_not_apply) continue;
      throw std::logic_error("metric " + std::string(info.name) + (has_value ? " has a" : " has no") +
                             " value at status " + std::string(estimator.statuses()[status].name));
    }
  }
}

bool are_same(std::span<const double> a, std::span<const double> b) {
  return std::ranges::equal(a, b, {}, std::bit_cast<std::uint64_t, double>, std::bit_cast<std::uint64_t, double>);
}

EstimatorSweep& EstimatorSweep::set(const std::string& parameter, double number) {
  given_[parameter] = {{.number = number, .text = {}}};
  return *this;
}

EstimatorSweep& EstimatorSweep::set(const std::string& parameter, std::string_view text) {
  given_[parameter] = {{.text = std::string(text)}};
  return *this;
}

EstimatorSweep& EstimatorSweep::set(const std::string& parameter, Entry entry) {
  entries_.push_back(std::move(entry));
  given_[parameter] = {{.text = entries_.back().name, .entry = &entries_.back()}};
  return *this;
}

EstimatorSweep& EstimatorSweep::set_absent(const std::string& parameter) {
  given_.erase(parameter);
  return *this;
}

EstimatorSweep& EstimatorSweep::axis(const std::string& parameter, const std::vector<double>& numbers) {
  for (const double number : numbers) given_[parameter].push_back({.number = number, .text = {}});
  axes_.push_back(parameter);
  return *this;
}

EstimatorSweep& EstimatorSweep::table(const std::string& path, const std::string& text) {
  tables_[path] = text;
  return *this;
}

SweepValues EstimatorSweep::values() const {
  SweepValues values;
  const std::unique_ptr<Estimator> estimator = make_();
  for (const std::string& axis : axes_) values.column_sizes.push_back(given_.at(axis).size());
  std::size_t used = 0;
  for (const ParameterInfo& info : estimator->parameters()) {
    const auto given = given_.find(std::string(info.name));
    used += given != given_.end();
    DFSWEEP_EXPECT(given != given_.end() || info.absence != Absence::required);
    SweepValues::Parameter parameter;
    parameter.values = given == given_.end() ? std::vector{fallback_of(info)} : given->second;
    const auto axis = std::find(axes_.begin(), axes_.end(), info.name);
    if (axis != axes_.end()) parameter.column = static_cast<std::size_t>(axis - axes_.begin());
    values.parameters.push_back(std::move(parameter));
  }
  DFSWEEP_EXPECT(used == given_.size());
  const auto is_named = [&](const std::string& path) {
    const auto all = estimator->data();
    return std::any_of(all.begin(), all.end(), [&](const DataInfo& d) { return path == std::string(d.name) + ".csv"; });
  };
  for (const DataInfo& data : estimator->data()) {
    std::vector<Table> tables;
    // A table with the name of data belongs to it, every other one to the first data.
    for (const auto& [path, text] : tables_)
      if (path == std::string(data.name) + ".csv" || (&data == estimator->data().data() && !is_named(path)))
        tables.push_back(profile_table(path, text));
    SweepValues::Data& held = values.data.emplace_back(SweepValues::Data{.name = std::string(data.name)});
    if (data.form == DataForm::profiles && (data.required || !tables.empty()))
      held.profiles = std::make_shared<const ProfileTables>(std::move(tables), held.name);
    if (data.form == DataForm::tables) held.tables = std::make_shared<const std::vector<Table>>(std::move(tables));
  }
  return values;
}

std::size_t EstimatorSweep::count() const {
  std::size_t count = 1;
  for (const std::string& axis : axes_) count *= given_.at(axis).size();
  return count;
}

std::vector<std::vector<std::uint32_t>> EstimatorSweep::codes_of(std::size_t first, std::size_t points) const {
  std::vector<std::vector<std::uint32_t>> codes(axes_.size(), std::vector<std::uint32_t>(points));
  for (std::size_t i = 0; i < points; ++i) {
    std::size_t rest = first + i;
    for (std::size_t a = axes_.size(); a-- > 0; rest /= given_.at(axes_[a]).size())
      codes[a][i] = static_cast<std::uint32_t>(rest % given_.at(axes_[a]).size());
  }
  return codes;
}

Estimates EstimatorSweep::estimates_one_by_one(const PreparedSweep& prepared) const {
  return testing::estimates_one_by_one(prepared, make_()->metrics().size(), codes_of(0, count()), count());
}

Estimates EstimatorSweep::estimates(const PreparedSweep& prepared, std::size_t block) const {
  const std::unique_ptr<Estimator> estimator = make_();
  const std::size_t metrics = estimator->metrics().size();
  Estimates all{{}, std::vector<std::vector<double>>(metrics)};
  for (std::size_t first = 0; first < count(); first += block) {
    const std::size_t points = std::min(block, count() - first);
    const Estimates some = estimates_of(prepared, metrics, codes_of(first, points), points);
    hold_claims(*estimator, some);
    all.status.insert(all.status.end(), some.status.begin(), some.status.end());
    for (std::size_t m = 0; m < metrics; ++m)
      all.metrics[m].insert(all.metrics[m].end(), some.metrics[m].begin(), some.metrics[m].end());
  }
  return all;
}

NamedEstimate EstimatorSweep::evaluate() const {
  const std::unique_ptr<Estimator> estimator = make_();
  const SweepValues sweep = values();
  const std::vector<std::vector<std::uint32_t>> zeros(axes_.size(), std::vector<std::uint32_t>(1));
  const Estimates first = estimates_of(*estimator->prepare(sweep), estimator->metrics().size(), zeros, 1);
  hold_claims(*estimator, first);
  NamedEstimate named{std::string(estimator->statuses()[first.status[0]].name), {}};
  for (std::size_t m = 0; m < first.metrics.size(); ++m)
    named.metrics[std::string(estimator->metrics()[m].name)] = first.metrics[m][0];
  return named;
}

std::string EstimatorSweep::reason() const {
  const SweepValues sweep = values();
  const std::uint32_t zero = 0;
  const std::vector<std::span<const std::uint32_t>> columns(axes_.size(), {&zero, 1});
  return make_()->prepare(sweep)->reason(PointColumns(columns, 1));
}

Explanation EstimatorSweep::explain() const {
  const SweepValues sweep = values();
  const std::uint32_t zero = 0;
  const std::vector<std::span<const std::uint32_t>> columns(axes_.size(), {&zero, 1});
  return make_()->prepare(sweep)->explain(PointColumns(columns, 1));
}

}  // namespace dfsweep::testing
