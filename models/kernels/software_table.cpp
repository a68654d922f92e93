/// Rows of the software table.
///
/// Spreads reflect the scatter of published figures: 15 % for efficiencies of large products, 20 to 30 % for attention
/// and traffic, 50 % and more for sizes, latencies and host times, which few publications give and which differ between
/// releases. Memory: frameworks report 3 to 10 GB beyond the tensors, and 5 to 20 % of fragmentation and copies. Minor
/// numbers of serving concern few runs (experts, 8-bit attention) or correlate with leading numbers, so that fitted
/// values do not transfer to other stacks.
#include "models/kernels/software_table.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "models/entry_table.hpp"
#include "models/evidence.hpp"
#include "models/kernels/capabilities.hpp"
#include "models/trust.hpp"

namespace dfsweep {

namespace {

constexpr double most_share = 1.0;     ///< upper limit of shares
constexpr double beyond_bounds = 1e6;  ///< `serving` bounds shares itself
constexpr std::string_view engine_field = "engine";
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Prior of a number; fields as in CalibrationInfo. A number without a spread is not calibrated.
struct Prior {
  double spread = 0.0;
  double highest = unbounded;
  double ideal = 0.0;
  SharedBy shared_by = SharedBy::all;
  Resource resource = Resource::time;
  Reach reach = Reach::leading;
};

/// How one estimator reads a number.
template <class Value>
struct Reader {
  bool is_read =
      false;  ///< whether it reads the number: with sanitizers GCC compares no function pointers in constants
  NumberMember<Value> member = {};
  Prior prior = {};
};

template <auto... path>
consteval Reader<Software> training(Prior prior) {
  return {true, member<Software, path...>(), prior};
}
template <auto... path>
consteval Reader<ServingSoftware> serving(Prior prior) {
  return {true, member<ServingSoftware, path...>(), prior};
}

struct SoftwareRow {
  FieldInfo info;
  std::string_view belongs_to;  ///< as CalibrationInfo
  Reader<Software> training = {};
  Reader<ServingSoftware> serving = {};
};

constexpr auto software_rows = std::to_array<SoftwareRow>({
    {{"matrix_share", FieldType::number, "1", "share of the peak rate, for large aligned matrix products"},
     "matrix products",
     training<&Software::matrix, &MatrixEfficiency::peak_share>(
         {.spread = 0.15, .highest = most_share, .ideal = 1, .shared_by = SharedBy::entry}),
     serving<&ServingSoftware::matrix, &ServingMatrix::peak_share>(
         {.spread = 0.15, .highest = most_matrix_share, .ideal = beyond_bounds, .shared_by = SharedBy::entry})},
    {{"matrix_share_8bit", FieldType::number, "1", "multiplies matrix_share at 8 bits"},
     "matrix products",
     training<&Software::matrix, &MatrixEfficiency::share_8bit>({.spread = 0.1, .ideal = 1}),
     serving<&ServingSoftware::matrix, &ServingMatrix::share_8bit>({.spread = 0.15, .ideal = 1})},
    {{"matrix_share_4bit", FieldType::number, "1", "multiplies matrix_share at 4 bits"},
     "matrix products",
     training<&Software::matrix, &MatrixEfficiency::share_4bit>({.spread = 0.15, .ideal = 1}),
     serving<&ServingSoftware::matrix, &ServingMatrix::share_4bit>({.spread = 0.15, .ideal = 1})},
    {{"half_rows", FieldType::number, "1", "rows at which a product runs at half of its rate"},
     "matrix products",
     training<&Software::matrix, &MatrixEfficiency::half_rows>({.spread = 0.5}),
     serving<&ServingSoftware::matrix, &ServingMatrix::half_rows>({.spread = 0.5, .reach = Reach::minor})},
    {{"half_columns", FieldType::number, "1", "columns at which a product runs at half of its rate"},
     "matrix products",
     training<&Software::matrix, &MatrixEfficiency::half_columns>({.spread = 0.5}),
     {}},
    {{"half_depth", FieldType::number, "1", "depth at which a product runs at half of its rate"},
     "matrix products",
     training<&Software::matrix, &MatrixEfficiency::half_depth>({.spread = 0.5}),
     {}},
    {{"half_rows_grouped", FieldType::number, "1",
      "rows at which products of routed experts run at half of their rate"},
     "matrix products",
     training<&Software::matrix, &MatrixEfficiency::half_rows_grouped>({.spread = 0.6}),
     {}},
    {{"misaligned", FieldType::number, "1",
      "factor on time for each of columns and depth that is not a multiple of 64"},
     "matrix products",
     training<&Software::matrix, &MatrixEfficiency::misaligned>({.spread = 0.1, .ideal = 1}),
     {}},
    {{"matrix_memory_share", FieldType::number, "1", "share of the memory bandwidth, for memory-bound products"},
     "memory",
     training<&Software::matrix, &MatrixEfficiency::memory_share>({.spread = 0.1, .highest = most_share, .ideal = 1}),
     serving<&ServingSoftware::matrix, &ServingMatrix::memory_share>(
         {.spread = 0.1, .highest = most_memory_share, .ideal = beyond_bounds, .shared_by = SharedBy::entry})},
    {{"expert_matrix_share", FieldType::number, "1", "multiplies matrix_share for routed experts"},
     "matrix products",
     {},
     serving<&ServingSoftware::matrix, &ServingMatrix::expert_peak_share>(
         {.spread = 0.2, .ideal = 1, .reach = Reach::minor})},
    {{"expert_memory_share", FieldType::number, "1", "multiplies matrix_memory_share for weights of routed experts"},
     "memory",
     {},
     serving<&ServingSoftware::matrix, &ServingMatrix::expert_memory_share>(
         {.spread = 0.2, .ideal = 1, .reach = Reach::minor})},
    {{"half_expert", FieldType::number, "1", "rows that a routed expert with tokens leaves empty"},
     "matrix products",
     {},
     serving<&ServingSoftware::matrix, &ServingMatrix::half_expert>({.spread = 0.5, .reach = Reach::minor})},
    {{"skew", FieldType::number, "1",
      "shape of the gamma distribution of the popularity of experts; the larger, the more alike they are"},
     "memory",
     {},
     serving<&ServingSoftware::matrix, &ServingMatrix::skew>({.spread = 0.4, .reach = Reach::minor})},
    {{"launch_time", FieldType::number, "s", "launch time per product"},
     "host",
     training<&Software::matrix, &MatrixEfficiency::launch>({.spread = 0.3}),
     {}},
    {{"cast_bytes", FieldType::number, "1", "bytes of traffic per operand number converted to 8 or 4 bits"},
     "vector work",
     training<&Software::matrix, &MatrixEfficiency::cast_bytes>({.spread = 0.4}),
     {}},
    {{"attention_share", FieldType::number, "1", "share of the 16-bit peak rate, for the computed scores"},
     "attention",
     training<&Software::attention, &AttentionEfficiency::peak_share>(
         {.spread = 0.2, .highest = most_share, .ideal = 1, .shared_by = SharedBy::entry}),
     serving<&ServingSoftware::cache, &ServingCache::peak_share>(
         {.spread = 0.25, .highest = most_attention_share, .ideal = beyond_bounds, .reach = Reach::minor})},
    {{"attention_half_keys", FieldType::number, "1",
      "keys that a query looks at, at which flash attention runs at half of its rate"},
     "attention",
     training<&Software::attention, &AttentionEfficiency::half_keys>({.spread = 0.5, .ideal = 0}),
     {}},
    {{"attention_share_8bit", FieldType::number, "1",
      "multiplies attention_share at 8 bits, relative to the 8-bit peak rate"},
     "attention",
     training<&Software::attention, &AttentionEfficiency::share_8bit>({}),
     serving<&ServingSoftware::cache, &ServingCache::share_8bit>({.spread = 0.2, .ideal = 1, .reach = Reach::minor})},
    {{"cache_memory_share", FieldType::number, "1", "share of the memory bandwidth, for keys and values"},
     "memory",
     {},
     serving<&ServingSoftware::cache, &ServingCache::memory_share>(
         {.spread = 0.2, .highest = most_memory_share, .ideal = beyond_bounds})},
    {{"grouped_query_cost", FieldType::number, "1",
      "additional cost of reading keys for each query head beyond the first"},
     "attention",
     {},
     serving<&ServingSoftware::cache, &ServingCache::grouped>({.spread = 0.5})},
    {{"odd_head", FieldType::number, "1", "factor on time where the head width is not a multiple of 8"},
     "attention",
     training<&Software::attention, &AttentionEfficiency::odd_head>({.spread = 0.5, .ideal = 1}),
     {}},
    {{"score_bytes", FieldType::number, "1", "bytes of traffic per score where scores are written to memory"},
     "attention",
     training<&Software::attention, &AttentionEfficiency::score_bytes>({.spread = 0.3}),
     {}},
    {{"hidden_bytes", FieldType::number, "1",
      "bytes of element-wise traffic per token, hidden number and layer, forward"},
     "vector work",
     training<&Software::elementwise, &ElementwisePasses::hidden>({.spread = 0.2}),
     serving<&ServingSoftware::traffic, &ServingTraffic::hidden>({.spread = 0.3, .reach = Reach::minor})},
    {{"hidden_bytes_expert", FieldType::number, "1",
      "bytes of element-wise traffic per token, hidden number, layer with experts and four experts of the token"},
     "vector work",
     {},
     serving<&ServingSoftware::traffic, &ServingTraffic::hidden_expert>({.spread = 0.5, .reach = Reach::minor})},
    {{"routing", FieldType::number, "1", "factor on the traffic of permuting tokens to experts and back"},
     "vector work",
     training<&Software::elementwise, &ElementwisePasses::routing>({.spread = 0.3, .shared_by = SharedBy::entry}),
     {}},
    {{"expert_bias_bytes", FieldType::number, "1",
      "bytes of traffic per result of products of experts that have biases and a clamped gate, forward"},
     "vector work",
     training<&Software::elementwise, &ElementwisePasses::expert_bias>({}),
     {}},
    {{"logit_bytes", FieldType::number, "1", "bytes of traffic per logit of the loss, both passes"},
     "vector work",
     training<&Software::elementwise, &ElementwisePasses::logit_bytes>({.spread = 0.3}),
     serving<&ServingSoftware::traffic, &ServingTraffic::logit>({.spread = 0.3, .reach = Reach::minor})},
    {{"inside_share", FieldType::number, "1", "share of the bandwidth within a node achieved by collectives"},
     "links",
     training<&Software::links, &LinkShares::inside>({.spread = 0.15, .highest = most_share, .ideal = 1}),
     serving<&ServingSoftware::links, &ServingLinks::inside>(
         {.spread = 0.25, .highest = most_link_share, .ideal = beyond_bounds, .shared_by = SharedBy::entry})},
    {{"across_share", FieldType::number, "1", "share of the bandwidth between nodes achieved by collectives"},
     "links",
     training<&Software::links, &LinkShares::across>({.spread = 0.15, .highest = most_share, .ideal = 1}),
     serving<&ServingSoftware::links, &ServingLinks::across>(
         {.spread = 0.25, .highest = most_link_share, .ideal = beyond_bounds, .reach = Reach::minor})},
    {{"exchange_time", FieldType::number, "s", "time per step of an exchange, in addition to the link latency"},
     "links",
     {},
     serving<&ServingSoftware::links, &ServingLinks::exchange>({.spread = 0.5})},
    {{"expert_share", FieldType::number, "1", "share of either bandwidth, for exchanges of experts"},
     "links",
     training<&Software::links, &LinkShares::expert>({.spread = 0.3, .highest = most_share, .ideal = 1}),
     {}},
    {{"bucket", FieldType::number, "B", "size of the buckets in which gradients are exchanged"},
     "links",
     training<&Software::links, &LinkEfficiency::bucket>({}),
     {}},
    {{"gradient_wire_bytes", FieldType::number, "1", "bytes of a gradient on the network"},
     "links",
     training<&Software::wire, &WireBytes::gradient>({}),
     {}},
    {{"weight_wire_bytes", FieldType::number, "1", "bytes of a weight on the network"},
     "links",
     training<&Software::wire, &WireBytes::weight>({}),
     {}},
    {{"tensor_visible", FieldType::number, "1", "share of tensor-parallel exchanges not hidden by products"},
     "overlap",
     training<&Software::links, &LinkEfficiency::tensor_visible>({.spread = 0.3, .highest = most_share}),
     {}},
    {{"expert_visible", FieldType::number, "1", "share of expert exchanges not hidden"},
     "overlap",
     training<&Software::links, &LinkEfficiency::expert_visible>({.spread = 0.3, .highest = most_share}),
     {}},
    {{"pair_hidden", FieldType::number, "1",
      "share of the kernels of a pass that can hide expert exchanges of its pair (dual_pipe)"},
     "overlap",
     training<&Software::links, &LinkEfficiency::pair_hidden>({}),
     {}},
    {{"gradient_hidden", FieldType::number, "1",
      "share of the time of a micro-batch that hides the exchange of gradients"},
     "overlap",
     training<&Software::links, &LinkEfficiency::gradient_hidden>(
         {.spread = 0.3, .highest = most_share, .ideal = 1, .shared_by = SharedBy::entry}),
     {}},
    {{"gradient_exposed", FieldType::number, "1", "minimum visible share of the exchange of gradients"},
     "overlap",
     training<&Software::links, &LinkEfficiency::gradient_exposed>({.spread = 0.3, .highest = most_share}),
     {}},
    {{"gather_hidden", FieldType::number, "1", "share of the exchange of sharded weights that compute can hide"},
     "overlap",
     training<&Software::links, &LinkEfficiency::gather_hidden>({.spread = 0.15, .highest = most_share, .ideal = 1}),
     {}},
    {{"stage_visible", FieldType::number, "1", "share of the transfers between stages not hidden"},
     "overlap",
     training<&Software::links, &LinkEfficiency::stage_visible>({.spread = 0.5, .highest = most_share}),
     {}},
    {{"host_layer_time", FieldType::number, "s", "time to launch the kernels of a dense layer, both passes"},
     "host",
     training<&Software::host, &HostTimes::layer>({.spread = 0.3}),
     {}},
    {{"host_adapter_layer_time", FieldType::number, "s",
      "time to launch the kernels of a dense layer with adapters, both passes"},
     "host",
     training<&Software::host, &HostTimes::adapter_layer>({.spread = 0.4}),
     {}},
    {{"host_expert_layer_time", FieldType::number, "s",
      "time to launch the kernels of a layer with experts, without the experts"},
     "host",
     training<&Software::host, &HostTimes::expert_layer>({.spread = 0.4, .shared_by = SharedBy::entry}),
     {}},
    {{"host_expert_time", FieldType::number, "s", "launch time per local expert"},
     "host",
     training<&Software::host, &HostTimes::expert>({.spread = 0.4, .shared_by = SharedBy::entry}),
     {}},
    {{"host_most_experts", FieldType::number, "1", "number of local experts above which launch time does not grow"},
     "host",
     training<&Software::host, &HostTimes::most_experts>({}),
     {}},
    {{"layer_time", FieldType::number, "s", "host time per layer and step"},
     "host",
     {},
     serving<&ServingSoftware::host, &ServingHost::layer>({.spread = 0.5})},
    {{"prompt_layer_time", FieldType::number, "s", "time to launch a layer on prompts; overlaps with the device"},
     "host",
     {},
     serving<&ServingSoftware::host, &ServingHost::prompt_launch>({.spread = 0.5})},
    {{"expert_layer_time", FieldType::number, "s", "additional host time per layer with experts"},
     "host",
     {},
     serving<&ServingSoftware::host, &ServingHost::expert_layer>({.spread = 0.5, .reach = Reach::minor})},
    {{"expert_layer_8bit", FieldType::number, "s", "further time per layer with experts whose weights have 8 bits"},
     "host",
     {},
     serving<&ServingSoftware::host, &ServingHost::expert_layer_8bit>({.spread = 1.0, .reach = Reach::minor})},
    {{"expert_layer_int4", FieldType::number, "s",
      "further time per layer with experts whose weights are integers of 4 bits"},
     "host",
     {},
     serving<&ServingSoftware::host, &ServingHost::expert_layer_int4>({.spread = 1.0, .reach = Reach::minor})},
    {{"indexer_layer", FieldType::number, "s", "additional time per layer with an indexer"},
     "host",
     {},
     serving<&ServingSoftware::host, &ServingHost::indexer_layer>({.spread = 1.0, .reach = Reach::minor})},
    {{"fixed_time", FieldType::number, "s", "fixed time per step"},
     "step",
     training<&Software::step, &StepOverheads::fixed>({.spread = 0.4}),
     serving<&ServingSoftware::host, &ServingHost::step>(
         {.spread = 0.7, .shared_by = SharedBy::entry, .reach = Reach::minor})},
    {{"sequence_time", FieldType::number, "s", "time per step and sequence"},
     "step",
     {},
     serving<&ServingSoftware::host, &ServingHost::sequence>({.spread = 0.5, .reach = Reach::minor})},
    {{"client_time", FieldType::number, "s", "time of a request between client and engine, both ways together"},
     "client",
     {},
     serving<&ServingSoftware::client, &ServingClient::fixed>(
         {.spread = 0.7, .shared_by = SharedBy::entry, .reach = Reach::minor})},
    {{"client_token_time", FieldType::number, "s", "time per token of a prompt between client and engine"},
     "client",
     {},
     serving<&ServingSoftware::client, &ServingClient::token>({.spread = 0.7, .reach = Reach::minor})},
    {{"client_serial_time", FieldType::number, "s",
      "time of a request that no other request shares, before the engine"},
     "client",
     {},
     serving<&ServingSoftware::client, &ServingClient::serial>({.spread = 0.7, .reach = Reach::minor})},
    {{"client_handover_time", FieldType::number, "s",
      "time of a request from the servers of prompts to those of answers, beside the bytes of its cache"},
     "client",
     {},
     serving<&ServingSoftware::client, &ServingClient::handover>({.spread = 0.7, .reach = Reach::minor})},
    {{"first_token_lag", FieldType::number, "1", "decode steps from the step of a prompt to its first token"},
     "client",
     {},
     serving<&ServingSoftware::client, &ServingClient::first_token_lag>(
         {.spread = 0.7, .shared_by = SharedBy::entry, .reach = Reach::minor})},
    {{"fixed_time_graph", FieldType::number, "s", "fixed time per step where a recorded graph launches it"},
     "step",
     training<&Software::step, &StepOverheads::fixed_graph>({.spread = 0.4}),
     {}},
    {{"fixed_time_adapters", FieldType::number, "s",
      "fixed time per step where a recorded graph launches it and only adapters are updated"},
     "step",
     training<&Software::step, &StepOverheads::fixed_adapters>({.spread = 0.4}),
     {}},
    {{"adapter_slowdown", FieldType::number, "1",
      "factor on the time of the kernels of layers where only adapters are trained: age of the software; default 1"},
     "step",
     training<&Software::age, &KernelAge::adapters>({}),
     {}},
    {{"optimizer_bytes", FieldType::number, "1", "bytes of optimizer traffic per parameter"},
     "step",
     training<&Software::step, &StepOverheads::optimizer_bytes>({.spread = 0.3}),
     {}},
    {{"straggler", FieldType::number, "1", "slowdown per doubling of the devices"},
     "step",
     training<&Software::step, &StepOverheads::straggler>({.spread = 0.5}),
     {}},
    {{"reserved", FieldType::number, "B", "device context, libraries and communication buffers per device"},
     "memory kept",
     training<&Software::kept, &KeptBytes::reserved>(
         {.spread = 0.5, .shared_by = SharedBy::entry, .resource = Resource::memory}),
     serving<&ServingSoftware::memory, &ServingMemory::reserved>(
         {.spread = 0.5, .shared_by = SharedBy::entry, .resource = Resource::memory})},
    {{"state_factor", FieldType::number, "1", "factor on the memory of weights, gradients and optimizer; default 1"},
     "memory kept",
     training<&Software::kept, &KeptBytes::state_factor>(
         {.spread = 0.15, .ideal = 1, .shared_by = SharedBy::entry, .resource = Resource::memory}),
     {}},
    {{"activation_factor", FieldType::number, "1", "factor on the memory of activations; default 1"},
     "memory kept",
     training<&Software::kept, &KeptBytes::activation_factor>(
         {.spread = 0.2, .shared_by = SharedBy::entry, .resource = Resource::memory}),
     {}},
    {{"interleaved_activation_factor", FieldType::number, "1", "activation_factor of interleaved pipelines; default 1"},
     "memory kept",
     training<&Software::kept, &KeptBytes::interleaved_factor>({}),
     {}},
    {{"fragment_share", FieldType::number, "1",
      "share of the memory of a device that fragments of the allocator take beyond memory_used; default 0"},
     "memory kept",
     training<&Software::kept, &KeptBytes::fragments>({}),
     {}},
    {{"kept_operand_bytes", FieldType::number, "1",
      "bytes kept per number that enters a product of 8 or 4 bits, until its backward pass; default 2"},
     "memory kept",
     training<&Software::kept, &KeptBytes::operand>({}),
     {}},
    {{"kept_gradient_bytes", FieldType::number, "1", "bytes of a gradient where state_bytes is not given; default 4"},
     "memory kept",
     training<&Software::kept, &KeptBytes::gradient>({}),
     {}},
    {{"kept_narrow_weight_bytes", FieldType::number, "1",
      "bytes of a weight that is kept in 8 bits, with the copies that products need; default 2"},
     "memory kept",
     training<&Software::kept, &KeptBytes::narrow_weight>({}),
     {}},
    {{"kept_frozen_weight_bytes", FieldType::number, "1",
      "bytes of a frozen weight under products of 8 or 4 bits where state_bytes is not given; default 2"},
     "memory kept",
     training<&Software::kept, &KeptBytes::frozen_weight>({}),
     {}},
    {{"kept_score_bytes", FieldType::number, "1", "bytes kept per attention score that is written to memory"},
     "memory kept",
     training<&Software::kept, &KeptBytes::score>({.spread = 0.3, .resource = Resource::memory}),
     {}},
    {{"kept_logit_bytes", FieldType::number, "1", "bytes kept per logit on the last stage"},
     "memory kept",
     training<&Software::kept, &KeptBytes::logit>({.spread = 0.3, .resource = Resource::memory}),
     {}},
    {{"cache_share", FieldType::number, "1", "share of the memory left by weights and buffers"},
     "memory kept",
     {},
     serving<&ServingSoftware::memory, &ServingMemory::cache_share>({})},
    {{"power_active", FieldType::number, "1", "share of the power limit that running kernels draw, beside idle power"},
     "power",
     training<&Software::power, &cost::OperatorPower::active>({}),
     serving<&ServingSoftware::power, &cost::ServingPower::active>({})},
    {{"power_narrow", FieldType::number, "1",
      "bytes that a byte of weights of experts in 8 or 4 bits counts as: it is expanded and scaled"},
     "power",
     {},
     serving<&ServingSoftware::power, &cost::ServingPower::narrow>({})},
    {{"power_bytes", FieldType::number, "1", "share of the power limit at the whole bandwidth of the memory"},
     "power",
     training<&Software::power, &cost::OperatorPower::bytes>({}),
     serving<&ServingSoftware::power, &cost::ServingPower::bytes>({})},
    {{"power_flop", FieldType::number, "1", "share of the power limit at the peak rate, if no limit held it"},
     "power",
     training<&Software::power, &cost::OperatorPower::flop>({}),
     serving<&ServingSoftware::power, &cost::ServingPower::flop>({})},
    {{"power_cap", FieldType::number, "1", "highest average power of a device, as a share of its limit"},
     "power",
     training<&Software::power, &cost::OperatorPower::cap>({}),
     {}},
    {{"power_prompt", FieldType::number, "1", "share of the power limit while prompts are read"},
     "power",
     {},
     serving<&ServingSoftware::power, &cost::ServingPower::prompt>({})},
    {{"power_layer_time", FieldType::number, "s", "time of a layer in which kernels run without bytes or FLOP"},
     "power",
     {},
     serving<&ServingSoftware::power, &cost::ServingPower::layer>({})},
    {{"power_expert_layer_time", FieldType::number, "s", "the same of a layer with experts"},
     "power",
     {},
     serving<&ServingSoftware::power, &cost::ServingPower::expert_layer>({})},
    {{"power_routed_time", FieldType::number, "s", "the same for each number of the rows that experts take"},
     "power",
     {},
     serving<&ServingSoftware::power, &cost::ServingPower::routed>({})},
});

/// The numbers of one estimator that have a prior.
template <class Value, Reader<Value> SoftwareRow::*reader>
constexpr auto calibration_of = [] {
  constexpr std::size_t count =
      std::ranges::count_if(software_rows, [](const SoftwareRow& r) { return (r.*reader).prior.spread > 0; });
  std::array<CalibrationInfo, count> infos;
  std::size_t next = 0;
  for (const SoftwareRow& row : software_rows) {
    const Prior& prior = (row.*reader).prior;
    if (prior.spread > 0)
      infos[next++] = {row.info.path,  "software",       row.info.unit,  (row.*reader).member.get(Value{}),
                       prior.spread,   prior.highest,    prior.ideal,    prior.shared_by,
                       row.belongs_to, row.info.meaning, prior.resource, prior.reach};
  }
  return infos;
}();

template <class Value, Reader<Value> SoftwareRow::*reader>
Decoded<Value> decoded(const Entry& entry) {
  Decoded<Value> decoded;
  FieldReader fields(entry, decoded.problems);
  for (const SoftwareRow& row : software_rows)
    if (const auto& [is_read, member, prior] = row.*reader; is_read)
      member.set(decoded.value, fields.not_negative_or(row.info.path, member.get(decoded.value)));
  return decoded;
}

template <class Value, Reader<Value> SoftwareRow::*reader>
std::vector<NamedNumber> numbers(const Entry& entry) {
  const Value value = decoded<Value, reader>(entry).value;
  std::vector<NamedNumber> all;
  for (const SoftwareRow& row : software_rows)
    if (const auto& [is_read, member, prior] = row.*reader; is_read) all.push_back({row.info.path, member.get(value)});
  return all;
}

constexpr auto all_fields = [] {
  constexpr std::size_t lists = 4;
  constexpr std::size_t trusted = lists + capability_fields.size();
  constexpr std::size_t before = trusted + trust_fields.size();
  std::array<FieldInfo, before + software_rows.size()> fields;
  fields[0] = {"calibrated_on", FieldType::text, "1", "table of measured runs used for the fit, with its checksum"};
  fields[1] = {measured_on_field, FieldType::texts, "1", "systems with measured runs of this stack; default: none"};
  fields[2] = {measured_models_field, FieldType::texts, "1",
               "models with measured runs of this stack; default: nothing is known of models", "serving"};
  fields[3] = {engine_field, FieldType::text, "1", "entry of engines whose rules the stack schedules with", "serving"};
  for (std::size_t i = 0; i < capability_fields.size(); ++i) fields[lists + i] = capability_fields[i];
  for (std::size_t i = 0; i < trust_fields.size(); ++i) fields[trusted + i] = trust_fields[i].info;
  for (std::size_t i = 0; i < software_rows.size(); ++i) {
    fields[before + i] = software_rows[i].info;
    fields[before + i].readers = !software_rows[i].serving.is_read    ? "training"
                                 : !software_rows[i].training.is_read ? "serving"
                                                                      : "training, serving";
  }
  return fields;
}();

}  // namespace

Decoded<Software> decode_software(const Entry& entry) {
  return decoded<Software, &SoftwareRow::training>(entry);
}

Decoded<ServingSoftware> decode_serving_software(const Entry& entry) {
  return decoded<ServingSoftware, &SoftwareRow::serving>(entry);
}

std::span<const CalibrationInfo> training_calibration() {
  return calibration_of<Software, &SoftwareRow::training>;
}

std::span<const CalibrationInfo> serving_calibration() {
  return calibration_of<ServingSoftware, &SoftwareRow::serving>;
}

std::vector<NamedNumber> training_numbers(const Entry& entry) {
  return numbers<Software, &SoftwareRow::training>(entry);
}

std::vector<NamedNumber> serving_numbers(const Entry& entry) {
  return numbers<ServingSoftware, &SoftwareRow::serving>(entry);
}

std::string engine_of_software(const Entry& entry) {
  return entry.text_or(engine_field, "");
}

std::span<const FieldInfo> software_fields() {
  return all_fields;
}

}  // namespace dfsweep
