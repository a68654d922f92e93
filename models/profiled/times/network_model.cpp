/// Sources and curves of collectives.
#include "models/profiled/times/network_model.hpp"

#include <cmath>

#include "models/measured_tables/rows.hpp"
#include "models/profiled/times/stand_in_error.hpp"

namespace dfsweep::profiled {

namespace {

constexpr unsigned devices_of_a_transfer = 2;

/// Bytes that a ring moves per byte of the result.
double ring_share(double devices) {
  return (devices - 1.0) / devices;
}

/// The all-reduce of the network within a node whose number of devices is nearest to `wanted`.
CollectiveSource nearest_all_reduce(const ProfileSet& profiles, std::string_view network, double wanted) {
  CollectiveSource source;
  double least = 0.0;
  for (const NetworkProfile& profile : profiles.networks) {
    if (profile.collective != Operator::all_reduce || profile.workers < 2) continue;
    if (profiles.find_network(network, profile.collective, profile.workers, profile.workers) != &profile) continue;
    const double distance = std::abs(std::log(profile.workers / wanted));
    if (source.profile != nullptr && !(distance < least)) continue;
    source = {&profile, ring_share(wanted) / ring_share(profile.workers), true};
    least = distance;
  }
  return source;
}

CollectiveSource source_of_all_reduces(const ProfileSet& profiles, const NetworkRequest& request) {
  if (request.network.empty() || request.tensor_parallel < 2.0) return {};
  const auto devices = static_cast<unsigned>(request.tensor_parallel);
  if (const auto* profile = profiles.find_network(request.network, Operator::all_reduce, devices, devices))
    return {profile, 1.0, false};
  return request.falls_back ? nearest_all_reduce(profiles, request.network, request.tensor_parallel)
                            : CollectiveSource{};
}

CollectiveSource source_of_transfers(const ProfileSet& profiles, const NetworkRequest& request, Transfer kind) {
  if (request.network.empty()) return {};
  const auto found = [&](unsigned devices_per_node) {
    return profiles.find_network(request.network, Operator::send_recv, devices_of_a_transfer, devices_per_node);
  };
  const unsigned wanted = kind == Transfer::inside_node ? 2 : 1;
  if (const NetworkProfile* profile = found(wanted)) return {profile, 1.0, false};
  const NetworkProfile* other = request.falls_back ? found(3 - wanted) : nullptr;
  return {other, 1.0, other != nullptr};
}

}  // namespace

NetworkModel::NetworkModel(const ProfileTables& tables, const NetworkRequest& request)
    : tables_(tables),
      request_(request),
      sources_{source_of_all_reduces(tables.profiles(), request),
               source_of_transfers(tables.profiles(), request, Transfer::inside_node),
               source_of_transfers(tables.profiles(), request, Transfer::between_nodes)} {
  if (!request.is_of_another_device) return;
  for (CollectiveSource& source : sources_) {
    if (!request.falls_back) source = {};
    source.stands_in = source.profile != nullptr;
  }
}

void NetworkModel::prepare() const {
  work_.finish([this](std::size_t i) {
    if (sources_[i].profile != nullptr)
      curves_[i] = tables_.collective_curve(*sources_[i].profile, request_.statistic, request_.method, request_.hidden);
  });
}

std::optional<Prediction> NetworkModel::all_reduce(double tokens) const {
  return predict(0, tokens);
}

std::optional<Prediction> NetworkModel::transfer(Transfer kind, double tokens) const {
  return predict(static_cast<std::size_t>(kind), tokens);
}

std::vector<RowOrigin> NetworkModel::rows(Transfer kind, double tokens) const {
  const CollectiveSource& source = sources_[static_cast<std::size_t>(kind)];
  if (source.profile == nullptr) return {};
  return rows_near(source.profile->curve(request_.statistic), tokens * half_word.value() * request_.hidden);
}

std::optional<Prediction> NetworkModel::predict(std::size_t i, double tokens) const {
  if (!curves_[i]) return std::nullopt;
  const Prediction prediction = curves_[i]->predict(whole_tokens(tokens));
  return sources_[i].stands_in ? standing_in(prediction, sources_[i].scale, sources_[i].profile->collective)
                               : prediction;
}

}  // namespace dfsweep::profiled
