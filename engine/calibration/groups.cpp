#include "engine/calibration/groups.hpp"

#include <algorithm>
#include <map>

#include "io/quantity.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

constexpr std::uint32_t fold_count = 10;

std::uint32_t code_of(const MeasuredSweep& sweep, const SweepValues::Parameter& parameter, std::size_t row) {
  return parameter.column == SweepValues::fixed ? 0 : sweep.spec.points->codes[parameter.column][row];
}

std::string text_of(const ParameterValue& value) {
  if (value.entry != nullptr) return value.entry->name;
  return value.text.empty() ? number_text(value.number) : value.text;
}

/// Numbers the groups by name, in order of first appearance.
template <class NameOf>
Groups numbered(const MeasuredSweep& sweep, std::string of, const NameOf& name_of) {
  Groups groups;
  groups.of = std::move(of);
  std::map<std::string, std::uint32_t> known;
  for (const Observation& o : sweep.observations) {
    const auto [at, is_new] = known.emplace(name_of(o.row), static_cast<std::uint32_t>(groups.names.size()));
    if (is_new) groups.names.push_back(at->first);
    groups.numbers.push_back(at->second);
  }
  return groups;
}

}  // namespace

std::optional<Groups> groups_by(const MeasuredSweep& sweep, std::string_view column) {
  if (const LabelColumn* label = sweep.table.label(column))
    return numbered(sweep, std::string(column), [&](std::size_t row) { return label->cells[row]; });
  const std::optional<ParameterIndex> parameter = place_of_name(sweep.spec.estimator->parameters(), column);
  if (!parameter) return std::nullopt;
  const SweepValues::Parameter& values = sweep.spec.values.parameters[*parameter];
  return numbered(sweep, std::string(column),
                  [&](std::size_t row) { return text_of(values.values[code_of(sweep, values, row)]); });
}

Groups ten_folds(const MeasuredSweep& sweep) {
  Groups groups = numbered(sweep, "configuration", [&](std::size_t row) {
    std::string all;
    for (const std::vector<std::uint32_t>& codes : sweep.spec.points->codes) all += std::to_string(codes[row]) + ' ';
    return all;
  });
  const auto folds = std::min(fold_count, static_cast<std::uint32_t>(groups.count()));
  for (std::uint32_t& number : groups.numbers) number %= folds;
  groups.of = "configuration (ten folds)";
  groups.names.clear();
  for (std::uint32_t fold = 1; fold <= folds; ++fold) groups.names.push_back("fold " + std::to_string(fold));
  return groups;
}

std::optional<std::vector<std::uint8_t>> few_devices(const MeasuredSweep& sweep, double most, std::size_t fewest) {
  const std::optional<ParameterIndex> parameter = place_of_name(sweep.spec.estimator->parameters(), "device_count");
  if (!parameter) return std::nullopt;
  const SweepValues::Parameter& values = sweep.spec.values.parameters[*parameter];
  std::vector<std::uint8_t> few;
  for (const Observation& o : sweep.observations)
    few.push_back(values.values[code_of(sweep, values, o.row)].number <= most ? 1 : 0);
  const auto seen = static_cast<std::size_t>(std::count(few.begin(), few.end(), std::uint8_t{1}));
  if (seen < fewest || few.size() - seen < fewest) return std::nullopt;
  return few;
}

}  // namespace dfsweep
