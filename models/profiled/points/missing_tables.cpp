/// Messages about missing tables.
#include "models/profiled/points/missing_tables.hpp"

#include <set>
#include <vector>

#include "models/short_number.hpp"

namespace dfsweep::profiled {

namespace {

/// A list as text: "1, 2, 4".
template <class Items>
std::string listed(const Items& items) {
  std::string all;
  for (const auto& item : items) {
    if (!all.empty()) all += ", ";
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(item)>>)
      all += std::to_string(item);
    else
      all += item;
  }
  return all;
}

std::string layer_text(const WantedTables& wanted) {
  return wanted.model.folder + " on " + wanted.device.folder;
}

/// Why no table exists for the layer of the model on the device at the degree.
std::string missing_layer(const WantedTables& wanted, const ProfileSet& profiles) {
  std::set<unsigned> degrees;
  std::set<std::string> devices;
  std::set<std::string> models;
  for (const LayerProfile& layer : profiles.layers) {
    if (layer.model == wanted.model.folder && layer.device == wanted.device.folder)
      degrees.insert(layer.tensor_parallel);
    if (layer.model == wanted.model.folder) devices.insert(layer.device);
    if (layer.device == wanted.device.folder) models.insert(layer.model);
  }
  const std::string degree = short_number(wanted.tensor_parallel);
  if (degrees.contains(static_cast<unsigned>(wanted.tensor_parallel)))
    return "the tables of " + layer_text(wanted) + " at tensor_parallel " + degree + " have another model shape";
  if (!degrees.empty())
    return "no table of " + layer_text(wanted) + " at tensor_parallel " + degree + " (measured: " + listed(degrees) +
           ")";
  if (!devices.empty()) return "no table of " + layer_text(wanted) + " (measured on: " + listed(devices) + ")";
  if (!models.empty())
    return "no table of " + layer_text(wanted) + " (measured on this device: " + listed(models) + ")";
  return "no table of " + layer_text(wanted) + ", of the model or of the device";
}

/// Operators of the batch that are missing in the tables of the layer.
std::string missing_operators(const ProfiledPoint& p, const WantedTables& wanted) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < token_operator_count; ++i)
    if (!is_given(p.tokens->times[i])) names.emplace_back(name_of(layer_operators[i]));
  if (p.prefill->complete == 0) names.emplace_back(name_of(Operator::attn_prefill));
  if (p.decode->complete == 0) names.emplace_back(name_of(Operator::attn_decode));
  if (names.empty()) return "";
  return "the tables of " + layer_text(wanted) + " at tensor_parallel " + short_number(wanted.tensor_parallel) +
         " lack " + listed(names) + " (for pages of block_size tokens)";
}

std::string missing_all_reduce(const WantedTables& wanted, const ProfileSet& profiles) {
  std::set<unsigned> degrees;
  for (const NetworkProfile& profile : profiles.networks)
    if (profile.network == wanted.network.folder && profile.collective == Operator::all_reduce &&
        profile.workers == profile.devices_per_node)
      degrees.insert(profile.workers);
  return "network '" + wanted.network.folder + "' has no all-reduce of " + short_number(wanted.tensor_parallel) +
         " devices in a node" + (degrees.empty() ? "" : " (measured: " + listed(degrees) + ")");
}

std::string missing_network(const ProfiledPoint& p, const WantedTables& wanted, const ProfileSet& profiles) {
  const ReplicaTerms& terms = p.replica->terms;
  const bool lacks_all_reduce = terms.all_reduces > 0.0 && p.network->all_reduce.complete == 0;
  const bool lacks_inside = terms.stages.transfers_inside > 0.0 && p.network->transfer_inside.complete == 0;
  const bool lacks_between = terms.stages.transfers_between > 0.0 && p.network->transfer_between.complete == 0;
  if (!lacks_all_reduce && !lacks_inside && !lacks_between) return "";
  if (wanted.network.folder.empty()) return "the chips exchange data, but no network is given";
  if (!wanted.network.belongs_to(wanted.device))
    return "network '" + wanted.network.folder + "' was measured with " + wanted.network.device + ", not with " +
           wanted.device.folder;
  if (lacks_all_reduce) return missing_all_reduce(wanted, profiles);
  return "network '" + wanted.network.folder + "' has no send_recv " +
         (lacks_inside ? "within a node" : "between nodes");
}

}  // namespace

std::string missing_tables(const ProfiledPoint& point, const WantedTables& wanted, const ProfileSet& profiles) {
  std::vector<std::string> parts;
  const std::string operators = missing_operators(point, wanted);
  const bool has_layer = profiles.find_layer(wanted.device.folder, wanted.model.folder,
                                             static_cast<unsigned>(wanted.tensor_parallel)) != nullptr;
  const bool has_some_operator = has_layer && is_given(point.tokens->times[0]);
  if (!operators.empty()) parts.push_back(has_some_operator ? operators : missing_layer(wanted, profiles));
  if (std::string network = missing_network(point, wanted, profiles); !network.empty())
    parts.push_back(std::move(network));
  if (point.processor.complete == 0)
    parts.push_back("no cpu_overheads.csv of " + layer_text(wanted) + " at tensor_parallel " +
                    short_number(wanted.tensor_parallel));
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : "; ") + part;
  return all;
}

}  // namespace dfsweep::profiled
