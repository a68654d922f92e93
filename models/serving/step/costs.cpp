#include "models/serving/step/costs.hpp"

#include <algorithm>
#include <cmath>

#include "models/machine/group_place.hpp"
#include "models/machine/tier_collectives.hpp"

namespace dfsweep::serving {

namespace {

/// Scores over a cache of 8 bits run in fp8 where the device has units for it.
bool has_8bit_scores(const Replica& r) {
  const Accelerator& a = r.accelerator;
  return r.bytes.cache <= 1 && a.formats.has(NumberFormat::fp8) && a.peak_8bit > Throughput{};
}

double share_of_format(const ServingMatrix& matrix, MatrixFormat format) {
  if (format == MatrixFormat::bits8) return matrix.peak_share * matrix.share_8bit;
  if (format == MatrixFormat::bits4) return matrix.peak_share * matrix.share_4bit;
  return matrix.peak_share;
}

/// Rates that a device reaches.
struct Rates {
  explicit Rates(const Replica& r) {
    const ServingSoftware& e = r.efficiency;
    const Accelerator& a = r.accelerator;
    products = bounded(share_of_format(e.matrix, r.products), most_matrix_share) * peak(a, r.products);
    output = bounded(e.matrix.peak_share, most_matrix_share) * peak(a, MatrixFormat::bits16);
    const bool is_8bit = has_8bit_scores(r);
    const double share = e.cache.peak_share * (is_8bit ? e.cache.share_8bit : 1.0);
    scores = bounded(share, most_attention_share) * peak(a, is_8bit ? MatrixFormat::bits8 : MatrixFormat::bits16);
    weights = bounded(e.matrix.memory_share, most_memory_share) * a.memory_bandwidth;
    cache = bounded(e.cache.memory_share, most_memory_share) * a.memory_bandwidth;
  }
  Throughput products;
  Throughput output;  ///< of the output layer, which is kept in 16 bits
  Throughput scores;
  Bandwidth weights;
  Bandwidth cache;
};

Products products_of(double weights, const Replica& r, const Rates& rates, double copies) {
  return {Flop{2 * weights} / (r.tensor * rates.products),
          Bytes{weights * r.bytes.weight} * copies / r.tensor / rates.weights};
}

Products expert_products(const Replica& r, const Rates& rates) {
  if (r.model.experts <= 0) return {};
  const ServingMatrix& m = r.efficiency.matrix;
  const Products all = products_of(r.model.expert_weights, r, rates, 1.0);
  const double visited = r.model.experts_per_token / r.model.experts;
  return {all.token * visited / m.expert_peak_share, all.weights / m.expert_memory_share};
}

/// The tensor group on the nodes of the network.
GroupPlace tensor_group(const Replica& r) {
  return place(r.tensor, 1, r.network.enclosures);
}

/// Passes over a token's numbers that the layers exchange, counted as bytes.
double exchanged_numbers(const Replica& r) {
  const double passed = (r.tensor - 1) / r.tensor * r.model.hidden;
  if (r.attention == AttentionParallel::tensor) return 4 * r.model.layers * passed;
  // Layers with experts send each token to its experts and back; the others gather all tokens and scatter the sums.
  const double experts = r.model.expert_layers * std::min(r.model.experts_per_token, r.tensor) / r.tensor;
  return 2 * (experts + (r.model.layers - r.model.expert_layers)) * passed;
}

void add_exchanges(const Replica& r, Costs& costs) {
  if (r.tensor <= 1) return;
  const GroupPlace group = tensor_group(r);
  const ServingLinks& links = r.efficiency.links;
  LinkShares shares;
  shares.inside = bounded(links.inside, most_link_share);
  shares.across = bounded(links.across, most_link_share);
  const Bandwidth bandwidth = ring_bandwidth(group, r.network, shares);
  costs.exchange = Bytes{exchanged_numbers(r) * r.bytes.activation} / bandwidth;
  const double in_node = std::min(group.in_node, r.tensor);
  const Seconds inside = std::log2(in_node) * (links.exchange + r.network.inside.latency);
  const Seconds across = std::log2(r.tensor / in_node) * (links.exchange + r.network.across.latency);
  costs.exchange_step = 2 * r.model.layers * (inside + across);
}

/// A step's tokens pass p - 1 times to the next stage.
void add_transfers(const Replica& r, Costs& costs) {
  if (r.pipeline <= 1) return;
  const bool is_inside = r.tensor * r.pipeline <= r.network.enclosures.node;
  const LinkTier& tier = is_inside ? r.network.inside : r.network.across;
  const ServingLinks& links = r.efficiency.links;
  const double share = bounded(is_inside ? links.inside : links.across, most_link_share);
  const Bytes token{r.model.hidden * r.bytes.activation / r.tensor};
  costs.exchange += (r.pipeline - 1) * (token / (share * tier.bandwidth));
  costs.exchange_step += (r.pipeline - 1) * (links.exchange + tier.latency);
}

void add_host(const Replica& r, Costs& costs) {
  const ServingHost& host = r.efficiency.host;
  costs.host = r.model.layers * host.layer + r.model.expert_layers * host.expert_layer + r.pipeline * host.step;
  costs.host_sequence = host.sequence;
  costs.prompt_launch = r.model.layers * host.prompt_launch;
}

void add_traffic(const Replica& r, const Rates& rates, Costs& costs) {
  const Served& m = r.model;
  const ServingTraffic& traffic = r.efficiency.traffic;
  // Tokens are permuted to experts and back, k copies of them; a quarter of the passes of a layer touches these.
  const double layers = m.layers + m.expert_layers * m.experts_per_token / 4;
  const double devices = r.attention == AttentionParallel::data ? r.tensor : 1.0;
  costs.activations = Bytes{layers * m.hidden * traffic.hidden / devices} / rates.weights;
  costs.output = {Flop{2 * m.output_weights} / (r.tensor * rates.output),
                  Bytes{m.output_weights * 2 / r.tensor} / rates.weights};
  costs.logits = Bytes{m.vocabulary * traffic.logit / r.tensor} / rates.weights;
  const double copies = r.attention == AttentionParallel::data ? 1 / r.tensor : 1.0;
  costs.position =
      (1 + r.efficiency.cache.grouped * (m.queries_per_key - 1)) * copies * cache_of_token(r) / rates.cache;
}

}  // namespace

Bytes cache_of_token(const Replica& r) {
  const Bytes all{r.model.cache_numbers * r.bytes.cache};
  if (r.attention == AttentionParallel::data || r.model.is_latent) return all;
  // The fullest device has ceil(K/t) of the K heads of keys.
  return all / (r.model.key_value_heads / std::ceil(r.model.key_value_heads / r.tensor));
}

Costs costs_of(const Replica& r) {
  const Rates rates(r);
  const Served& m = r.model;
  Costs costs;
  costs.tensor = r.tensor;
  costs.pipeline = r.pipeline;
  costs.attention_devices = r.attention == AttentionParallel::data ? r.tensor : 1.0;
  costs.window = m.window;
  costs.windowed_layers = m.windowed_layers;
  costs.half_rows = r.efficiency.matrix.half_rows;
  costs.attention = products_of(m.attention_weights, r, rates, r.attention == AttentionParallel::data ? r.tensor : 1.0);
  costs.dense = products_of(m.dense_weights, r, rates, 1.0);
  costs.experts = expert_products(r, rates);
  if (m.experts > 0) costs.log_experts_missed = std::log2(1 - m.experts_per_token / m.experts);
  costs.pair = Flop{m.score_flop} / (r.tensor * rates.scores);
  add_traffic(r, rates, costs);
  add_exchanges(r, costs);
  add_transfers(r, costs);
  add_host(r, costs);
  const double visited = m.experts > 0 ? m.experts_per_token / m.experts : 0.0;
  costs.flop_token = 2 * (m.attention_weights + m.dense_weights + m.expert_weights * visited);
  costs.flop_output = 2 * m.output_weights;
  costs.flop_pair = m.score_flop;
  costs.peak = r.tensor * r.pipeline * peak(r.accelerator, r.products);
  return costs;
}

}  // namespace dfsweep::serving
