/// Keeping of checks and predictors by what they depend on.
#include "models/measured_tables/profile_tables.hpp"

#include <algorithm>
#include <utility>

#include "models/measured_tables/predictors/make_curve.hpp"

namespace dfsweep {

namespace {

/// A device has one pair of rates; entries of the user may give it others.
constexpr std::size_t most_rates = 8;
/// A curve may have some hundred thousand keys.
constexpr std::size_t most_curves = 64;

constexpr std::size_t statistic_count = statistic_names.size();
constexpr std::size_t method_count = 2;
constexpr std::size_t empty_cell_count = 2;

/// Page sizes in any of the tables, ascending.
std::vector<double> page_sizes_of(const ProfileSet& profiles) {
  std::vector<double> pages;
  for (const LayerProfile& layer : profiles.layers)
    pages.insert(pages.end(), layer.block_sizes.begin(), layer.block_sizes.end());
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  return pages;
}

template <class Item>
void append(std::vector<Item>& all, const std::vector<Item>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

ProfileTables::ProfileTables(std::vector<Table> tables, std::string data)
    : tables_(std::move(tables)),
      data_(std::move(data)),
      sorted_(sort_tables(tables_, data_)),
      page_sizes_(page_sizes_of(sorted_.profiles)),
      predictors_(sorted_.profiles.layers.size() * statistic_count * method_count * empty_cell_count *
                  (page_sizes_.size() + 1)),
      curves_(most_curves) {
  for (std::size_t i = 0; i < tables_.size(); ++i)
    findings_.push_back(std::make_unique<LazyMap<CheckedRates, TableFindings>>(most_rates));
}

TableFindings ProfileTables::findings(std::span<const NamedRates> devices,
                                      const std::function<bool(const std::string&)>& is_wanted) const {
  TableFindings all;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (!is_wanted(tables_[i].path)) continue;
    const CheckedTable& checked = sorted_.tables[i];
    const DeviceRates* const device = checked.used ? rates_of(devices, checked.used->place) : nullptr;
    const CheckedRates rates =
        device == nullptr ? CheckedRates{} : CheckedRates{device->peak.value(), device->bandwidth.value()};
    const auto found = findings_[i]->get(rates, [&] {
      ProfileProblems problems = with_rates(checked, tables_[i], device);
      return TableFindings{problems.errors.take(), problems.warnings.take()};
    });
    append(all.errors, found->errors);
    append(all.warnings, found->warnings);
  }
  TableProblems contradictions = sorted_.warnings;
  for (DataProblem& warning : contradictions.take())
    if (is_wanted(warning.path)) all.warnings.push_back(std::move(warning));
  return all;
}

/// Page sizes that no table has are one: tables without rows for them.
std::size_t ProfileTables::reading_index(const TableReading& reading) const {
  const auto page = std::find(page_sizes_.begin(), page_sizes_.end(), reading.page_tokens) - page_sizes_.begin();
  std::size_t index = static_cast<std::size_t>(reading.statistic);
  index = index * method_count + static_cast<std::size_t>(reading.method);
  index = index * empty_cell_count + static_cast<std::size_t>(reading.empty_cell);
  return index * (page_sizes_.size() + 1) + static_cast<std::size_t>(page);
}

const LayerPredictors& ProfileTables::predictors_of(const LayerProfile& profile, const TableReading& reading) const {
  const std::vector<LayerProfile>& layers = sorted_.profiles.layers;
  const auto layer = static_cast<std::size_t>(&profile - layers.data());
  DFSWEEP_EXPECT(layer < layers.size());
  const std::size_t readings = predictors_.size() / layers.size();
  return *predictors_.get(layer * readings + reading_index(reading), [&] {
    layers_made_.fetch_add(1, std::memory_order_relaxed);
    return std::make_unique<const LayerPredictors>(profile, reading);
  });
}

std::size_t ProfileTables::fits() const {
  return layers_made_.load(std::memory_order_relaxed) + curves_.size();
}

template <class Samples>
std::shared_ptr<const Curve> ProfileTables::curve(const CurveKey& key, Samples samples) const {
  const std::shared_ptr<const std::optional<Curve>> kept = curves_.get(key, [&]() -> std::optional<Curve> {
    std::vector<CurvePoint> points;
    for (const CurveSample& sample : samples()) points.push_back({sample.x / key.units_per_token, sample.seconds});
    if (points.empty()) return std::nullopt;
    return make_curve(points, key.method);
  });
  return {kept, kept->has_value() ? &**kept : nullptr};
}

std::shared_ptr<const Curve> ProfileTables::head_curve(const LayerProfile& profile, Operator op, Statistic statistic,
                                                       PredictionMethod method) const {
  return curve({&profile, op, statistic, method, 1.0},
               [&] { return profile.curve(op, statistic, EmptyCell::unmeasured); });
}

std::shared_ptr<const Curve> ProfileTables::collective_curve(const NetworkProfile& profile, Statistic statistic,
                                                             PredictionMethod method, double hidden) const {
  return curve({&profile, profile.collective, statistic, method, half_word.value() * hidden},
               [&] { return profile.curve(statistic); });
}

std::shared_ptr<const Curve> ProfileTables::processor_curve(const ProcessorProfile& profile, Operator op,
                                                            Statistic statistic, PredictionMethod method) const {
  return curve({&profile, op, statistic, method, 1.0}, [&] { return profile.curve(op, statistic); });
}

}  // namespace dfsweep
