/// ProfiledValues: the values of a sweep of the estimator `profiled`, decoded once and checked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/machine/hardware.hpp"
#include "models/measured_tables/batch.hpp"
#include "models/measured_tables/operator_work.hpp"
#include "models/profiled/points/published.hpp"
#include "models/profiled/times/convention.hpp"
#include "models/queueing/vidur/generators.hpp"
#include "models/queueing/vidur/rules.hpp"
#include "models/transformer/served_model.hpp"

namespace dfsweep::profiled {

/// A model and the folder of its tables.
struct ProfiledModel {
  std::string folder;
  ServedModel model;
};

struct ProfiledDevice {
  std::string folder;
  std::string name;
  DeviceRates rates;      ///< rates of the entry; zero where unknown
  Bytes memory_capacity;  ///< NaN where unknown
  Device chip;            ///< of the entry; its peak may be unknown
};

struct ProfiledNetwork {
  std::string folder;  ///< folder of its tables; empty: no network
  double devices_per_node = 1.0;
  std::string device;  ///< device of the measurement, a folder or an entry name; empty: unknown
  [[nodiscard]] bool belongs_to(const ProfiledDevice& chip) const {
    return device.empty() || device == chip.folder || device == chip.name;
  }
};

struct ProfiledValues {
  std::vector<ProfiledModel> models;  ///< [code], as all members
  std::vector<ProfiledDevice> devices;
  std::vector<ProfiledNetwork> networks;
  std::vector<std::optional<RequestBatch>> batches;  ///< empty where absent
  std::vector<Statistic> statistics;
  std::vector<const ProfileConvention*> conventions;
  std::vector<bool> falls_back;        ///< by code of `fallback`
  std::vector<bool> counts_processor;  ///< by code of `processor_overhead`
  std::vector<bool> is_simulated;      ///< by code of `queueing`
  std::vector<vidur::Scheduler> schedulers;
  std::vector<vidur::Routing> routings;
  std::vector<vidur::Arrivals> arrivals;
  std::vector<std::optional<HeadCost>> heads;         ///< by code of `head`; empty: default of the convention
  EnumArray<Parameter, std::vector<double>> numbers;  ///< [parameter][code]; NaN where absent
};

/// The folder of the tables of an entry: its field `profile`, otherwise its name.
[[nodiscard]] std::string profile_folder(const Entry& entry);
[[nodiscard]] Decoded<ProfiledDevice> decode_profiled_device(const Entry& entry);

/// Throws InvalidValues with all problems, including `data_problems`.
[[nodiscard]] ProfiledValues decode_values(const SweepValues& values, const std::vector<DataProblem>& data_problems);

/// The problems of decode_values for an incomplete sweep (Estimator::problems_of).
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

}  // namespace dfsweep::profiled
