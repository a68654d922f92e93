/// ProfiledValues: the values of a sweep of the estimator `profiled`, decoded once and checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/measured_tables/batch.hpp"
#include "models/measured_tables/operator_work.hpp"
#include "models/profiled/points/published.hpp"
#include "models/profiled/times/convention.hpp"
#include "models/transformer/served_model.hpp"

namespace dfsweep::inference {

/// A model and the folder that its tables are in.
struct ProfiledModel {
  std::string folder;
  ServedModel model;
};

struct ProfiledDevice {
  std::string folder;
  std::string name;
  DeviceRates rates;      ///< of the entry; zero where unknown
  Bytes memory_capacity;  ///< NaN where unknown
};

struct ProfiledNetwork {
  std::string folder;  ///< empty: no network
  double devices_per_node = 1.0;
  std::string device;  ///< that it was measured with, a folder or the name of an entry; empty: not said
  [[nodiscard]] bool belongs_to(const ProfiledDevice& chip) const {
    return device.empty() || device == chip.folder || device == chip.name;
  }
};

struct ProfiledValues {
  std::vector<ProfiledModel> models;  ///< [code], as all of these
  std::vector<ProfiledDevice> devices;
  std::vector<ProfiledNetwork> networks;
  std::vector<std::optional<Batch>> requests;  ///< nothing where absent
  std::vector<Statistic> statistics;
  std::vector<const ProfileConvention*> conventions;
  std::vector<bool> falls_back;                       ///< by code of `fallback`
  std::vector<bool> counts_processor;                 ///< by code of `processor_overhead`
  std::vector<std::optional<HeadCost>> heads;         ///< by code of `head`; nothing: the convention's
  EnumArray<Parameter, std::vector<double>> numbers;  ///< [parameter][code]; NaN where absent
};

/// The folder of an entry's tables: its field `profile`, else its name.
[[nodiscard]] std::string profile_folder(const Entry& entry);
[[nodiscard]] Decoded<ProfiledDevice> decode_profiled_device(const Entry& entry);

/// Throws InvalidValues with everything that is wrong, `data_problems` included.
[[nodiscard]] ProfiledValues decode_values(const SweepValues& values, const std::vector<DataProblem>& data_problems);

/// What decode_values would throw, of the values that there are (Estimator::problems_of).
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

}  // namespace dfsweep::inference
