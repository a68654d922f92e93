#include "models/serving/step/costs.hpp"

#include <algorithm>
#include <cmath>

#include "models/machine/group_place.hpp"
#include "models/machine/tier_collectives.hpp"

namespace dfsweep::serving {

namespace {

constexpr double state_bytes = 2.0;  ///< of a number of a state
constexpr double index_bytes = 1.0;  ///< of a number in the cache of an indexer

bool has_fp8(const Replica& r) {
  return r.accelerator.formats.has(NumberFormat::fp8) && r.accelerator.peak_8bit > Throughput{};
}

/// Scores over a cache of 8 bits run in fp8 where the device has units for it.
bool has_8bit_scores(const Replica& r) {
  return r.bytes.cache <= 1 && has_fp8(r);
}

/// Every device has the keys of an indexer.
Bytes index_of_token(const Replica& r) {
  return Bytes{r.model.index_numbers * index_bytes};
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
    const auto products_in = [&](MatrixFormat format) {
      return bounded(share_of_format(e.matrix, format), most_matrix_share) * peak(a, format);
    };
    const auto scores_in = [&](bool is_8bit) {
      const double share = e.cache.peak_share * (is_8bit ? e.cache.share_8bit : 1.0);
      return bounded(share, most_attention_share) * peak(a, is_8bit ? MatrixFormat::bits8 : MatrixFormat::bits16);
    };
    products = products_in(r.products);
    attention = products_in(r.attention_products);
    output = products_in(MatrixFormat::bits16);
    scores = scores_in(has_8bit_scores(r));
    index = scores_in(has_fp8(r));
    weights = bounded(e.matrix.memory_share, most_memory_share) * a.memory_bandwidth;
    cache = bounded(e.cache.memory_share, most_memory_share) * a.memory_bandwidth;
  }
  Throughput products;
  Throughput attention;  ///< of the matrices of attention
  Throughput output;     ///< of the output layer, which is kept in 16 bits
  Throughput scores;
  Throughput index;  ///< of an indexer, whose keys have 8 bits
  Bandwidth weights;
  Bandwidth cache;
};

/// All devices that experts are on.
double expert_devices(const Replica& r) {
  return r.tensor * r.attention_data;
}

Products products_of(double weights, double bytes, double devices, Throughput rate, Bandwidth bandwidth) {
  return {Flop{2 * weights} / (devices * rate), Bytes{weights * bytes} / devices / bandwidth};
}

void add_experts(const Replica& r, const Rates& rates, Costs& costs) {
  const Served& model = r.model;
  if (model.experts <= 0) return;
  const ServingMatrix& m = r.efficiency.matrix;
  const Products all =
      products_of(model.expert_weights, r.bytes.weight, expert_devices(r), rates.products, rates.weights);
  const double visited = model.experts_per_token / model.experts;
  costs.experts = {all.token * visited / m.expert_peak_share, all.weights / m.expert_memory_share};
  costs.touch = touch_of(model.experts, model.experts_per_token, m.skew, m.half_expert, r.expert);
}

Bandwidth exchange_bandwidth(const Replica& r, const GroupPlace& group) {
  const ServingLinks& links = r.efficiency.links;
  LinkShares shares;
  shares.inside = bounded(links.inside, most_link_share);
  shares.across = bounded(links.across, most_link_share);
  return ring_bandwidth(group, r.network, shares);
}

/// Launches and latencies of one exchange of a group.
Seconds exchange_latency(const Replica& r, const GroupPlace& group) {
  const Seconds launch = r.efficiency.links.exchange;
  const double in_node = std::min(group.in_node, group.ranks);
  return std::log2(in_node) * (launch + r.network.inside.latency) +
         std::log2(group.ranks / in_node) * (launch + r.network.across.latency);
}

/// All-reduces of the tensor group; with several ranks, tokens are sent to their experts and back instead of one. All
/// ranks wait for the one that sends most: the t devices of a rank share what its tokens send.
void add_exchanges(const Replica& r, Costs& costs) {
  const Served& m = r.model;
  const double t = r.tensor;
  const double n = expert_devices(r);
  const double sent_layers = r.attention_data > 1 ? m.expert_layers : 0.0;
  if (t > 1 && !is_priced(costs, StepPart::exchanges)) {
    const GroupPlace group = place(t, 1, r.network.enclosures);
    const double reduces = 2 * m.layers - sent_layers;
    const Bytes reduced{2 * reduces * (t - 1) / t * m.hidden * r.bytes.activation};
    costs.exchange = reduced / exchange_bandwidth(r, group);
    costs.exchange_step = reduces * exchange_latency(r, group);
  }
  if (sent_layers > 0) {
    const GroupPlace group = place(n, 1, r.network.enclosures);
    const double copies = std::min(m.experts_per_token, n) / t;
    const Bytes sent{2 * sent_layers * (n - 1) / n * copies * m.hidden * r.bytes.activation};
    costs.exchange += sent / exchange_bandwidth(r, group);
    costs.exchange_step += 2 * sent_layers * exchange_latency(r, group);
  }
}

/// A step's tokens pass p - 1 times to the next stage.
void add_transfers(const Replica& r, Costs& costs) {
  if (r.pipeline <= 1) return;
  const bool is_inside = expert_devices(r) * r.pipeline <= r.network.enclosures.node;
  const LinkTier& tier = is_inside ? r.network.inside : r.network.across;
  const ServingLinks& links = r.efficiency.links;
  const double share = bounded(is_inside ? links.inside : links.across, most_link_share);
  const Bytes token{r.model.hidden * r.bytes.activation / r.tensor};
  costs.exchange += (r.pipeline - 1) * (token / (share * tier.bandwidth));
  costs.exchange_step += (r.pipeline - 1) * (links.exchange + tier.latency);
}

/// What the format of experts adds to each of their layers.
Seconds format_time(const ServingHost& host, ExpertWeights weights) {
  if (weights == ExpertWeights::bits8) return host.expert_layer_8bit;
  return weights == ExpertWeights::integers4 ? host.expert_layer_int4 : Seconds{};
}

void add_host(const Replica& r, Costs& costs) {
  const ServingHost& host = r.efficiency.host;
  const Seconds expert_layer = host.expert_layer + format_time(host, r.expert_weights);
  Seconds layers = r.model.layers * host.layer + r.model.expert_layers * expert_layer;
  if (costs.prices != nullptr) layers = std::max(Seconds{}, layers - costs.prices->launches);
  costs.host = layers + r.model.indexed_layers * host.indexer_layer + r.pipeline * host.step;
  costs.host_sequence = host.sequence;
  costs.prompt_launch = r.model.layers * host.prompt_launch;
}

void add_traffic(const Replica& r, const Rates& rates, Costs& costs) {
  const Served& m = r.model;
  const ServingTraffic& traffic = r.efficiency.traffic;
  // Tokens are permuted to experts and back, k copies of them; a quarter of the passes of a layer touches these.
  const double passes = m.layers * traffic.hidden + m.expert_layers * m.experts_per_token / 4 * traffic.hidden_expert;
  costs.activations = Bytes{passes * m.hidden} / rates.weights;
  costs.output = {Flop{2 * m.output_weights} / (r.tensor * rates.output),
                  Bytes{m.output_weights * 2 / r.tensor} / rates.weights};
  costs.logits = Bytes{m.vocabulary * traffic.logit / r.tensor} / rates.weights;
}

void add_attention(const Replica& r, const Rates& rates, Costs& costs) {
  const Served& m = r.model;
  costs.window = m.window;
  costs.windowed_layers = m.windowed_layers;
  costs.pair = Flop{m.score_flop} / (r.tensor * rates.scores);
  costs.decode_pair = Flop{m.decode_flop} / (r.tensor * rates.scores);
  const double grouped = 1 + r.efficiency.cache.grouped * (m.queries_per_key - 1);
  costs.position = grouped * (cache_of_token(r) - index_of_token(r)) / rates.cache;
  costs.index_pair = Flop{m.index_flop} / rates.index;
  costs.index_position = index_of_token(r) / rates.cache;
  costs.state = 2 * state_of_sequence(r) / rates.cache;
}

}  // namespace

ExpertTouch touch_of(double count, double per_token, double skew, double half_rows, double groups) {
  ExpertTouch touch{.count = count, .per_token = per_token, .skew = skew, .groups = groups};
  touch.visited = per_token / count;
  touch.visited_by_skew = skew > 0 ? touch.visited / skew : 0.0;
  touch.visited_of_group = touch.visited * groups;
  touch.variance = 2 * std::log(groups) * groups / count;
  touch.empty_rows = half_rows / touch.visited;
  return touch;
}

Bytes cache_of_token(const Replica& r) {
  const Bytes all{r.model.cache_numbers * r.bytes.cache};
  if (r.model.is_latent) return all + index_of_token(r);
  // The fullest device has ceil(K/t) of the K heads of keys.
  return all / (r.model.key_value_heads / std::ceil(r.model.key_value_heads / r.tensor)) + index_of_token(r);
}

Bytes state_of_sequence(const Replica& r) {
  return Bytes{r.model.state_numbers * state_bytes / r.tensor};
}

Costs costs_of(const Replica& r, const StepPrices* prices) {
  const Rates rates(r);
  const Served& m = r.model;
  Costs costs;
  costs.prices = prices;
  costs.tensor = r.tensor;
  costs.pipeline = r.pipeline;
  costs.ranks = r.attention_data;
  costs.half_rows = r.efficiency.matrix.half_rows;
  costs.attention = products_of(m.attention_weights, r.bytes.attention, r.tensor, rates.attention, rates.weights);
  costs.dense = products_of(m.dense_weights, r.bytes.weight, r.tensor, rates.products, rates.weights);
  add_experts(r, rates, costs);
  add_attention(r, rates, costs);
  add_traffic(r, rates, costs);
  add_exchanges(r, costs);
  add_transfers(r, costs);
  add_host(r, costs);
  const double visited = m.experts > 0 ? m.experts_per_token / m.experts : 0.0;
  costs.flop_token = 2 * (m.attention_weights + m.dense_weights + m.expert_weights * visited);
  costs.flop_output = 2 * m.output_weights;
  costs.flop_pair = m.score_flop;
  costs.peak = expert_devices(r) * r.pipeline * peak(r.accelerator, r.products);
  return costs;
}

}  // namespace dfsweep::serving
