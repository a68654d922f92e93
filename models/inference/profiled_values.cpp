/// Decoding of parameter values, with all problems found.
#include "models/inference/profiled_values.hpp"

#include <algorithm>
#include <limits>

#include "models/value_decoder.hpp"

namespace dfsweep::profiled {

namespace {

ProfiledModel model_of(const Entry& entry, ValueDecoder& decoder) {
  return {profile_folder(entry), decoder.checked(entry, decode_served_model(entry))};
}

ProfiledNetwork network_of(const Entry* entry, ValueDecoder& decoder) {
  if (entry == nullptr) return {};
  const double devices = entry->number_or("devices_per_node", 0.0);
  if (!(devices >= 1.0)) decoder.complain(*entry, "has no devices_per_node");
  return {profile_folder(*entry), std::max(devices, 1.0)};
}

std::optional<Batch> batch_of(const std::string& text, ValueDecoder& decoder) {
  if (text.empty()) return std::nullopt;
  std::variant<Batch, BatchProblem> parsed = parse_batch(text);
  if (Batch* batch = std::get_if<Batch>(&parsed)) return std::move(*batch);
  BatchProblem& problem = std::get<BatchProblem>(parsed);
  decoder.complain(std::move(problem.problem), std::move(problem.reason), "Such as \"8xd1@1000;p512@0\"");
  return std::nullopt;
}

Statistic statistic_of(const std::string& name) {
  const auto found = std::find(statistic_names.begin(), statistic_names.end(), name);
  DFSWEEP_EXPECT(found != statistic_names.end());
  return static_cast<Statistic>(found - statistic_names.begin());
}

}  // namespace

std::string profile_folder(const Entry& entry) {
  return entry.text_or("profile", entry.name);
}

ProfiledDevice decode_profiled_device(const Entry& entry) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  return {profile_folder(entry),
          {entry.number_or("peak_flops", 0.0), entry.number_or("memory_bandwidth", 0.0)},
          entry.number_or("memory_capacity", unknown)};
}

ProfiledValues decode_values(const SweepValues& values, const std::vector<DataProblem>& data_problems) {
  ProfiledValues decoded;
  ValueDecoder decoder(values, parameters(), "the profiled estimator");
  decoded.models =
      decoder.each<ProfiledModel>(model, [&](const ParameterValue& value) { return model_of(*value.entry, decoder); });
  decoded.devices = decoder.each<ProfiledDevice>(
      device, [](const ParameterValue& value) { return decode_profiled_device(*value.entry); });
  decoded.networks = decoder.each<ProfiledNetwork>(
      network, [&](const ParameterValue& value) { return network_of(value.entry, decoder); });
  decoded.requests = decoder.each<std::optional<Batch>>(
      requests, [&](const ParameterValue& value) { return batch_of(value.text, decoder); });
  decoded.statistics =
      decoder.each<Statistic>(statistic, [](const ParameterValue& value) { return statistic_of(value.text); });
  decoded.conventions = decoder.each<const ProfileConvention*>(
      convention, [](const ParameterValue& value) { return &profile_convention_named(value.text); });
  decoded.falls_back =
      decoder.each<bool>(fallback, [](const ParameterValue& value) { return value.text == "analytical"; });
  decoded.counts_processor =
      decoder.each<bool>(processor_overhead, [](const ParameterValue& value) { return value.text == "tables"; });
  for (ParameterIndex p = 0; p < parameter_count; ++p)
    decoded.numbers[p] =
        decoder.each<double>(static_cast<Parameter>(p), [](const ParameterValue& value) { return value.number; });
  decoder.finish(data_problems);
  return decoded;
}

}  // namespace dfsweep::profiled
