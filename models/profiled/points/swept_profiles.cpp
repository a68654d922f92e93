#include "models/profiled/points/swept_profiles.hpp"

#include <algorithm>

#include "models/measured_tables/columns.hpp"
#include "models/profiled/points/decoded_values.hpp"

namespace dfsweep::profiled {

namespace {

/// The tables of a sweep, with the problems of tables that the sweep uses. Problems of other tables in the folder are
/// ignored.
class SweptProfiles {
 public:
  explicit SweptProfiles(const SweepValues& values) : values_(values) {
    for (const ParameterValue& value : values[Parameter::device].values) {
      const ProfiledDevice known = decode_profiled_device(*value.entry).value;
      rates_.push_back({known.folder, known.rates});
    }
  }

  [[nodiscard]] ProfileReading read() const {
    for (const SweepValues::Data& data : values_.data) {
      if (data.name != "profiles") continue;
      ProfileReading reading = read_profiles(data.tables, data.name, rates_);
      for (std::vector<DataProblem>* problems : {&reading.errors, &reading.warnings})
        std::erase_if(*problems, [this](const DataProblem& problem) { return !names(problem.path); });
      return reading;
    }
    broken_promise("required data is given", __FILE__, __LINE__);
  }

 private:
  /// Whether the sweep uses a table, by device and model or by network; true for tables outside the layout.
  [[nodiscard]] bool names(const std::string& path) const {
    const std::optional<ProfilePath> at = profile_path(path);
    if (!at) return true;
    return (has(Parameter::device, at->place) || has(Parameter::network, at->place)) &&
           (at->model.empty() || has(Parameter::model, at->model));
  }
  [[nodiscard]] bool has(Parameter p, const std::string& folder) const {
    const std::vector<ParameterValue>& all = values_[p].values;
    return std::any_of(all.begin(), all.end(), [&folder](const ParameterValue& value) {
      return value.entry != nullptr && profile_folder(*value.entry) == folder;
    });
  }

  const SweepValues& values_;
  std::vector<NamedRates> rates_;
};

}  // namespace

ProfileReading read_swept_profiles(const SweepValues& values) {
  return SweptProfiles(values).read();
}

}  // namespace dfsweep::profiled
