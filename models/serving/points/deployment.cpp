#include "models/serving/points/deployment.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/machine/number_format.hpp"
#include "models/machine/system.hpp"
#include "models/transformer/speculation.hpp"

namespace dfsweep::serving {

namespace {

using enum Parameter;

constexpr double chunk_static = 65536;
constexpr double most_buffered = 8192;  ///< tokens; a static batch is read in parts too where it is large
constexpr auto own_parameters_of_deployment = std::to_array<Parameter>({model,
                                                                        system,
                                                                        device,
                                                                        memory,
                                                                        interconnect,
                                                                        tensor_parallel,
                                                                        pipeline_parallel,
                                                                        precision,
                                                                        weight_precision,
                                                                        cache_precision,
                                                                        compute_utilization,
                                                                        dram_bandwidth,
                                                                        dram_capacity,
                                                                        peak_flops,
                                                                        link_bandwidth,
                                                                        link_latency,
                                                                        draft_model,
                                                                        speculation,
                                                                        software,
                                                                        batching,
                                                                        chunk_tokens,
                                                                        attention_parallel,
                                                                        cache_share,
                                                                        node_devices,
                                                                        outer_link_bandwidth,
                                                                        draft_window,
                                                                        acceptance,
                                                                        acceptance_rule,
                                                                        verified_tokens,
                                                                        engine,
                                                                        receive_interval_steps,
                                                                        batch_wait_steps,
                                                                        expert_parallel,
                                                                        attention_data_parallel,
                                                                        attention_precision,
                                                                        host_cache,
                                                                        pools,
                                                                        prefill_tensor_parallel,
                                                                        prefill_pipeline_parallel,
                                                                        prefill_expert_parallel,
                                                                        prefill_attention_data_parallel,
                                                                        prefill_precision,
                                                                        prefill_weight_precision,
                                                                        decode_tensor_parallel,
                                                                        decode_pipeline_parallel,
                                                                        decode_expert_parallel,
                                                                        decode_attention_data_parallel,
                                                                        decode_precision,
                                                                        decode_weight_precision,
                                                                        handover_bandwidth,
                                                                        device_link_bandwidth,
                                                                        power_limit,
                                                                        operator_tables});
constexpr auto parameters_of_deployment =
    published::joined(own_parameters_of_deployment, cost::places_of<Parameter, cost::PriceParameter>);

queueing::EngineRules rules_of(const DecodedValues& values, const PointValues& v, const ServingSoftware& software) {
  queueing::EngineRules rules = values.engine_of(v).rules;
  const bool is_static = v.choice<Batching>(batching) == Batching::static_batch;
  rules.chunk_tokens = v.number_or(chunk_tokens, is_static ? chunk_static : rules.chunk_tokens);
  rules.receive_interval_steps = v.number_or(receive_interval_steps, rules.receive_interval_steps);
  if (is_given(v.number(batch_wait_steps))) rules.batch_wait_steps = rules.rank_wait_steps = v.number(batch_wait_steps);
  rules.lag_steps = software.client.first_token_lag;
  return rules;
}

/// An accelerator of unknown platform runs all engines.
bool can_run(const queueing::EngineEntry& engine, const System& machine) {
  const std::optional<Platform> platform = machine.accelerator.platform;
  return !platform || engine.platforms.has(*platform);
}

queueing::HostCache host_cache_of(const Replica& r, const Capacity& capacity, double bytes) {
  if (!(bytes > 0) || !(r.accelerator.host_bandwidth > Bandwidth{})) return {};
  return {Bytes{bytes} / capacity.token, capacity.token / r.accelerator.host_bandwidth};
}

/// What drafts and verifies in a decode step.
struct Drafts {
  Drafting drafting;
  std::optional<Costs> costs;
};

Drafts drafts_of(const PointValues& v) {
  Drafts d;
  Drafting& drafting = d.drafting;
  drafting.form = v.choice<Speculation>(speculation);
  const bool speculates = drafting.form != Speculation::none;
  drafting.window = speculates ? v.number(draft_window) : 0.0;
  const double tokens = drafting.form == Speculation::tree ? tree_tokens(drafting.window) : drafting.window + 1;
  drafting.verified_tokens = v.number_or(verified_tokens, speculates ? tokens : 1.0);
  if (speculates)
    drafting.accepted_tokens = accepted_tokens(drafting.form, v.choice<AcceptanceRule>(acceptance_rule),
                                               v.number(acceptance), drafting.window);
  return d;
}

PromptPool prompt_pool_of(const DecodedValues& values, const PointValues& v, double buffered,
                          const PoolPrices* prices) {
  const Replica replica = replica_of(values, v, PoolKind::prefill);
  const Capacity capacity = capacity_of(replica, buffered);
  const double ranks = replica.attention_data;
  const StepPrices* const priced = prices != nullptr && prices->prompts ? &*prices->prompts : nullptr;
  return {.steps = StepModel(costs_of(replica, priced)),
          .capacity = capacity,
          .devices = replica.tensor * ranks * replica.pipeline,
          .ranks = ranks,
          .handover_per_token =
              Bytes{replica.model.cache_numbers * replica.bytes.cache} / Bandwidth{v.number(handover_bandwidth)}};
}

/// What the measured runs of the software had not.
Unmeasured unmeasured_of(const DecodedValues& values, const PointValues& v, Evidence evidence) {
  if (!values.measured_models.has(v.code(model), v.code(software))) return Unmeasured::model;
  return evidence == Evidence::stack_measured ? Unmeasured::nothing : Unmeasured::system;
}

void add_trust(const DecodedValues& values, const PointValues& v, const Replica& replica, Deployment& d) {
  const bool replaces_chip =
      is_given(v.number(peak_flops)) || is_given(v.number(dram_bandwidth)) || is_given(v.number(dram_capacity));
  if (!replaces_chip) d.evidence = values.evidence.at(v.code(system), v.code(software));
  const auto& entry = values.trusts[v.code(software)];
  if (!entry) return;
  const Trust trust = trust_of_model(*entry, replica.model.experts);
  d.expected_error = expected_error_of(trust, unmeasured_of(values, v, d.evidence));
  d.expected_memory_error = trust.expected_memory_error;
}

}  // namespace

std::span<const Parameter> deployment_parameters() {
  return parameters_of_deployment;
}

Deployment deployment_of(const DecodedValues& values, const PointValues& v, std::shared_ptr<const PoolPrices> prices) {
  const System machine = machine_of(values, v);
  Replica replica = replica_of(values, v);
  const queueing::EngineRules rules = rules_of(values, v, replica.efficiency);
  const double buffered = std::min(rules.chunk_tokens, most_buffered);
  const Costs target = costs_of(replica, prices ? &prices->answers : nullptr);
  Capacity capacity = capacity_of(replica, buffered);
  capacity.share_of = rules.memory_base == queueing::MemoryBase::all ? MemoryShare::all : MemoryShare::left;
  const double devices = replica.tensor * replica.attention_data * replica.pipeline;
  const std::optional<NumberFormat> products = products_of(values, v, PoolKind::decode);
  Status status = can_run(values.engine_of(v), machine) ? Status::ok : Status::stack_cannot_run;
  const auto add_status = [&](Status found) { status = status == Status::ok ? found : status; };
  add_status(products ? broken_rule(replica) : Status::no_number_format);
  if (!keeps_power_limit(values, v)) add_status(Status::power_limit_too_low);
  Drafts drafts = drafts_of(v);
  if (drafts.drafting.form != Speculation::none) {
    if (const std::optional<Architecture>& draft = values.drafts[v.code(draft_model)]) {
      Replica smaller = replica;
      smaller.model = served(*draft);
      add_status(broken_rule(smaller));
      drafts.costs = costs_of(smaller);
      capacity = capacity + capacity_of(smaller, buffered);
    } else {
      add_status(Status::no_draft_model);
    }
  }
  Deployment d;
  d.steps = StepModel(target, drafts.drafting, drafts.costs);
  d.costs = target;
  d.capacity = capacity;
  if (v.choice<Pools>(pools) == Pools::separate) {
    d.prefill = prompt_pool_of(values, v, buffered, prices.get());
    add_status(broken_rule(replica_of(values, v, PoolKind::prefill)));
  }
  const ServingClient& client = replica.efficiency.client;
  d.rules = rules;
  d.client = {client.fixed, client.token, client.serial, client.handover};
  d.host = host_cache_of(replica, capacity, v.number(host_cache));
  d.devices = devices;
  d.ranks = replica.attention_data;
  d.bill = bill_at(values, v, machine);
  d.traffic = traffic_of(replica);
  d.prices = std::move(prices);
  d.products = products;
  d.status = status;
  add_trust(values, v, replica, d);
  return d;
}

}  // namespace dfsweep::serving
