#include "models/profiled/points/swept_profiles.hpp"

#include <algorithm>

#include "models/measured_tables/columns.hpp"
#include "models/profiled/points/decoded_values.hpp"

namespace dfsweep::profiled {

namespace {

bool has(const SweepValues& values, Parameter p, const std::string& folder) {
  const std::vector<ParameterValue>& all = values[p].values;
  return std::any_of(all.begin(), all.end(), [&folder](const ParameterValue& value) {
    return value.entry != nullptr && profile_folder(*value.entry) == folder;
  });
}

/// Whether the sweep uses a table, by device and model or by network; true for tables outside the layout.
bool names(const SweepValues& values, const std::string& path) {
  const std::optional<ProfilePath> at = profile_path(path);
  if (!at) return true;
  return (has(values, Parameter::device, at->place) || has(values, Parameter::network, at->place)) &&
         (at->model.empty() || has(values, Parameter::model, at->model));
}

}  // namespace

const ProfileTables& swept_tables(const SweepValues& values) {
  for (const SweepValues::Data& data : values.data)
    if (data.profiles != nullptr) return *data.profiles;
  broken_promise("required data is given", __FILE__, __LINE__);
}

TableFindings findings_of(const SweepValues& values) {
  std::vector<NamedRates> rates;
  for (const ParameterValue& value : values[Parameter::device].values) {
    const ProfiledDevice known = decode_profiled_device(*value.entry).value;
    rates.push_back({known.folder, known.rates});
  }
  return swept_tables(values).findings(rates, [&](const std::string& path) { return names(values, path); });
}

}  // namespace dfsweep::profiled
