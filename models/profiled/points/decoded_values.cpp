/// Decoding of parameter values; collects all problems.
#include "models/profiled/points/decoded_values.hpp"

#include <algorithm>

#include "models/absent.hpp"
#include "models/declared_fields.hpp"
#include "models/machine/hardware.hpp"
#include "models/prepared/value_decoder.hpp"

namespace dfsweep::profiled {

namespace {

ProfiledModel model_of(const Entry& entry, ValueDecoder& decoder) {
  return {profile_folder(entry), decoder.checked(decode_served_model(entry))};
}

ProfiledNetwork network_of(const Entry* entry, ValueDecoder& decoder) {
  if (entry == nullptr) return {};
  Decoded<ProfiledNetwork> decoded;
  FieldsOf<NetworkField> fields(*entry, decoded.problems);
  decoded.value = {profile_folder(*entry), fields.whole("devices_per_node", 1.0, 1e9),
                   entry->text_or(NetworkField("device"), "")};
  return decoder.checked(std::move(decoded));
}

std::optional<RequestBatch> batch_of(const std::string& text, ValueDecoder& decoder) {
  if (text.empty()) return std::nullopt;
  std::variant<RequestBatch, BatchProblem> parsed = parse_batch(text);
  if (RequestBatch* batch = std::get_if<RequestBatch>(&parsed)) return std::move(*batch);
  BatchProblem& problem = std::get<BatchProblem>(parsed);
  decoder.complain(std::move(problem.problem), std::move(problem.reason), "Example: \"8xd1@1000;p512@0\"");
  return std::nullopt;
}

/// The enumerator with the place of `name` in `names`, which has it.
template <class Enumerator, class Names>
Enumerator named_in(const Names& names, const std::string& name) {
  const auto found = std::find(std::begin(names), std::end(names), name);
  DFSWEEP_EXPECT(found != std::end(names));
  return static_cast<Enumerator>(found - std::begin(names));
}

ProfiledDevice device_of(const Entry& entry, ValueDecoder& decoder) {
  return decoder.checked(decode_profiled_device(entry));
}

ProfiledValues decoded_values(ValueDecoder& decoder) {
  ProfiledValues decoded;
  decoded.models = decoder.each<ProfiledModel>(
      Parameter::model, [&](const ParameterValue& value) { return model_of(*value.entry, decoder); });
  decoded.devices = decoder.each<ProfiledDevice>(
      Parameter::device, [&](const ParameterValue& value) { return device_of(*value.entry, decoder); });
  decoded.networks = decoder.each<ProfiledNetwork>(
      Parameter::network, [&](const ParameterValue& value) { return network_of(value.entry, decoder); });
  decoded.batches = decoder.each<std::optional<RequestBatch>>(
      Parameter::batch_requests, [&](const ParameterValue& value) { return batch_of(value.text, decoder); });
  decoded.statistics = decoder.each<Statistic>(Parameter::statistic, [](const ParameterValue& value) {
    return named_in<Statistic>(statistic_names, value.text);
  });
  decoded.conventions = decoder.each<const ProfileConvention*>(
      Parameter::convention, [](const ParameterValue& value) { return &profile_convention_named(value.text); });
  decoded.falls_back =
      decoder.each<bool>(Parameter::fallback, [](const ParameterValue& value) { return value.text == "analytical"; });
  decoded.counts_processor = decoder.each<bool>(Parameter::processor_overhead,
                                                [](const ParameterValue& value) { return value.text == "tables"; });
  decoded.is_simulated =
      decoder.each<bool>(Parameter::queueing, [](const ParameterValue& value) { return value.text == "simulated"; });
  decoded.schedulers = decoder.each<vidur::Scheduler>(Parameter::scheduler, [](const ParameterValue& value) {
    return named_in<vidur::Scheduler>(vidur::scheduler_names, value.text);
  });
  decoded.routings = decoder.each<vidur::Routing>(Parameter::routing, [](const ParameterValue& value) {
    return named_in<vidur::Routing>(vidur::routing_names, value.text);
  });
  decoded.arrivals = decoder.each<vidur::Arrivals>(Parameter::arrivals, [](const ParameterValue& value) {
    return named_in<vidur::Arrivals>(vidur::arrivals_names, value.text);
  });
  decoded.heads = decoder.each<std::optional<HeadCost>>(
      Parameter::head, [](const ParameterValue& value) -> std::optional<HeadCost> {
        if (value.text.empty()) return std::nullopt;
        return value.text == "analytical" ? HeadCost::analytical : HeadCost::none;
      });
  for (const Parameter p : all_of<Parameter>)
    decoded.numbers[p] = decoder.each<double>(p, [](const ParameterValue& value) { return value.number; });
  return decoded;
}

}  // namespace

std::string profile_folder(const Entry& entry) {
  return entry.text_or(DeviceField("profile"), entry.name);
}

Decoded<ProfiledDevice> decode_profiled_device(const Entry& entry) {
  Decoded<Device> chip = read_device(entry);
  const Device& device = chip.value;
  const Bandwidth memory = is_given(device.memory_bandwidth) ? device.memory_bandwidth : Bandwidth{};
  return {{profile_folder(entry), entry.name, {device.stated_peak_flops, memory}, device.memory_capacity, device},
          std::move(chip.problems)};
}

ProfiledValues decode_values(const SweepValues& values, const std::vector<DataProblem>& data_problems) {
  ValueDecoder decoder(values, estimator_name);
  ProfiledValues decoded = decoded_values(decoder);
  std::vector<ValueProblem> problems = decoder.take();
  if (!problems.empty() || !data_problems.empty()) throw InvalidValues(std::move(problems), data_problems);
  return decoded;
}

std::vector<ValueProblem> problems_of_values(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  static_cast<void>(decoded_values(decoder));
  return decoder.take();
}

}  // namespace dfsweep::profiled
