/// The catalogue and how points are drawn from it.
#include "tests/support/serving_domain.hpp"

#include <cmath>
#include <utility>

namespace dfsweep::testing {

namespace {

using ServedNumbers = std::map<std::string, double, std::less<>>;

Entry served_entry(std::string name, ServedNumbers numbers) {
  Entry e;
  e.name = std::move(name);
  e.numbers = std::move(numbers);
  return e;
}

/// Keys of 128 numbers in 8 heads, a gated network.
Entry served_model(std::string name, double layers, double hidden, ServedNumbers others) {
  Entry e = served_entry(std::move(name), std::move(others));
  e.texts["kind"] = "transformer";
  e.numbers.insert({{"layers", layers},
                    {"hidden", hidden},
                    {"heads", 64},
                    {"head_dim", 128},
                    {"key_value_heads", 8},
                    {"ffn_hidden", 4 * hidden},
                    {"gated_ffn", 1},
                    {"vocabulary", 128256}});
  return e;
}

Entry served_system(const char* name, double node) {
  return served_entry(name, {{"peak_flops", 1e15},
                             {"peak_flops_8bit", 2e15},
                             {"memory_bandwidth", 4e12},
                             {"memory_capacity", 8e10},
                             {"node_devices", node},
                             {"node_bandwidth", 400e9},
                             {"node_latency", 1e-6},
                             {"network_bandwidth", 50e9},
                             {"network_latency", 5e-6},
                             {"power", 1000},
                             {"price", 30000}});
}

/// How prompts join steps, and the rest as other engines have it.
Entry served_engine(const char* prompts, ServedNumbers numbers) {
  Entry e = served_entry(prompts, std::move(numbers));
  e.texts["prompts"] = prompts;
  return e;
}

}  // namespace

ServingCatalogue::ServingCatalogue() {
  models_ = {
      served_model("dense", 80, 8192, {}),
      served_model("odd", 47, 2560, {{"key_value_heads", 64}, {"gated_ffn", 0}, {"vocabulary", 50257}}),
      served_model("tiny", 4, 256, {{"heads", 32}, {"head_dim", 8}, {"key_value_heads", 1}, {"vocabulary", 262144}}),
      served_model("windowed", 48, 3840, {{"window", 1024}, {"windowed_layers", 0.8}}),
      served_model(
          "experts", 48, 5120,
          {{"experts", 16}, {"experts_per_token", 1}, {"expert_ffn_hidden", 8192}, {"shared_ffn_hidden", 8192}}),
      served_model("all experts", 32, 4096, {{"experts", 8}, {"experts_per_token", 8}, {"expert_ffn_hidden", 14336}}),
      served_model("latent", 61, 7168,
                   {{"key_value_heads", 64},
                    {"query_rank", 1536},
                    {"key_value_rank", 512},
                    {"plain_head_dim", 128},
                    {"rotary_head_dim", 64},
                    {"value_head_dim", 128},
                    {"experts", 256},
                    {"experts_per_token", 8},
                    {"expert_ffn_hidden", 2048},
                    {"shared_ffn_hidden", 2048},
                    {"dense_layers", 3}}),
  };
  for (const double experts : {512.0, 513.0})
    expert_counts_.push_back(
        served_model("of " + std::to_string(experts), 48, 4096,
                     {{"experts", experts}, {"experts_per_token", 8}, {"expert_ffn_hidden", 1024}}));
  systems_ = {served_system("node of 8", 8), served_system("node of 72", 72), served_system("single", 1)};
  software_ = {served_entry("slow host", {{"layer_time", 1e-3}, {"prompt_layer_time", 4e-3}}),
               served_entry("light host",
                            {{"layer_time", 1e-7}, {"fixed_time", 1e-6}, {"prompt_layer_time", 0}, {"half_rows", 1}})};
  engines_ = {served_engine("alone", {{"answer_share", 0.7}, {"batch_limit", 4096}}),
              served_engine("whole", {{"answer_share", 1}, {"batch_limit", 2048}, {"rank_wait_steps", 60}})};
  engines_[1].texts["answers"] = "largest";
  engines_[1].texts["memory_base"] = "free";
}

void ServingCatalogue::choose_machine(ServingPoint& point, RandomValues& random) const {
  point.set(P::system, systems_[random.one_of<std::size_t>({0, 1, 2})]);
  if (random.one_in(4)) point.set(P::software, software_[random.one_in(2) ? 0 : 1]);
  if (random.one_in(4)) point.set(P::engine, engines_[random.one_in(2) ? 0 : 1]);
  point.set(P::dram_bandwidth, random.rate(1e11, 1e13)).set(P::dram_capacity, random.rate(1e10, 1e14));
  point.set(P::peak_flops, random.rate(1e13, 1e16)).set(P::link_bandwidth, random.rate(1e9, 2e12));
  point.set(P::outer_link_bandwidth, random.rate(1e8, 1e11)).set(P::link_latency, random.one_of({0.0, 1e-6, 1e-3}));
  if (random.one_in(5)) point.set(P::node_devices, random.whole(1, 64));
  point.set(P::precision, random.one_of({"bf16", "fp16", "fp8", "int8", "fp4", "int4"}));
  if (random.one_in(3)) point.set(P::weight_precision, random.one_of({"bf16", "fp8", "int4"}));
  if (random.one_in(3)) point.set(P::cache_precision, random.one_of({"bf16", "fp8", "int8", "fp4"}));
  if (random.one_in(5)) point.set(P::compute_utilization, random.rate(1e-3, 1));
}

void ServingCatalogue::choose_layout(ServingPoint& point, RandomValues& random) const {
  const double tensor = std::exp2(random.whole(1, 6) - 1);
  const double pipeline = random.one_of<double>({1, 1, 2, 3, 4});
  double ranks = 1.0;
  point.set(P::tensor_parallel, tensor).set(P::pipeline_parallel, pipeline);
  if (random.one_in(10)) {
    point.set(P::attention_parallel, "data");
  } else if (random.one_in(4)) {
    ranks = random.one_of<double>({2, 3, 4, 8});
    point.set(P::attention_data_parallel, ranks);
  }
  if (random.one_in(4)) point.set(P::expert_parallel, random.one_in(2) ? tensor * ranks : std::min(tensor, 4.0));
  const double replicas = random.one_of<double>({1, 1, 2, 3});
  if (random.one_in(3))
    point.set(P::replicas, replicas);
  else
    point.set(P::device_count, tensor * ranks * pipeline * replicas);
}

void ServingCatalogue::choose_pools(ServingPoint& point, RandomValues& random) const {
  if (!random.one_in(6)) return;
  point.set(P::pools, "separate").leave_open(P::device_count).set(P::handover_bandwidth, random.rate(1e8, 1e12));
  point.set(P::prefill_replicas, random.one_of<double>({1, 1, 2, 5}));
  point.set(P::decode_replicas, random.one_of<double>({1, 1, 2, 3}));
  if (random.one_in(3)) point.set(P::prefill_tensor_parallel, random.one_of<double>({1, 2, 8}));
  if (random.one_in(3)) point.set(P::decode_tensor_parallel, random.one_of<double>({1, 4, 16}));
  if (random.one_in(4)) point.set(P::prefill_pipeline_parallel, random.one_of<double>({1, 2}));
  if (random.one_in(4)) point.set(P::decode_pipeline_parallel, random.one_of<double>({1, 2}));
  if (random.one_in(4)) point.set(P::prefill_attention_data_parallel, random.one_of<double>({1, 2}));
  if (random.one_in(4)) point.set(P::decode_attention_data_parallel, random.one_of<double>({1, 4}));
  point.set(P::expert_parallel, 1).leave_open(P::replicas);
}

void ServingCatalogue::choose_requests(ServingPoint& point, RandomValues& random) const {
  point.set(P::prompt_tokens, random.one_in(8) ? 1 : random.whole(1, 1e6));
  point.set(P::output_tokens, random.one_in(4) ? random.one_of<double>({1, 2, 3}) : random.whole(1, 1e5));
  if (random.one_in(5)) point.set(P::shared_prompt_tokens, random.whole(1, 1e4));
  if (random.one_in(8)) point.set(P::beams, random.whole(1, 1024));
  if (random.one_in(4)) point.set(P::chunk_tokens, random.whole(1, 1e6));
  if (random.one_in(4)) {
    point.set(P::speculation, random.one_of({"sequence", "tree"})).set(P::draft_model, models_[2]);
    point.set(P::draft_window, random.whole(1, 11) - 1).set(P::acceptance, random.one_of({0.0, 0.5, 0.8, 1.0}));
    point.set(P::acceptance_rule, random.one_of({"exact", "linear"}));
  }
  if (random.one_in(6)) point.set(P::verified_tokens, random.whole(1, 1e3));
  point.set(P::phase, random.one_of({"request", "prefill", "decode"}));
}

void ServingCatalogue::choose_spreads(ServingPoint& point, RandomValues& random) const {
  if (random.one_in(3)) point.set(P::prompt_spread, random.one_of({0.1, 0.5, 0.9}));
  if (random.one_in(3)) point.set(P::output_spread, random.one_of({0.1, 0.5, 0.9}));
  point.set(P::length_distribution, random.one_of({"uniform", "log_normal"}));
  if (random.one_in(6)) {
    point.set(P::turns, random.whole(2, 10)).set(P::host_cache, random.one_of({0.0, 1e11, 1e13}));
    point.set(P::prompt_tokens, random.whole(10, 1e4)).set(P::output_tokens, random.whole(2, 1e4));
  }
}

void ServingCatalogue::choose_traffic(ServingPoint& point, RandomValues& random) const {
  const bool is_static = random.one_in(6);
  if (is_static) point.set(P::batching, "static");
  if (is_static || random.one_in(2)) point.set(P::batch, random.whole(1, 3000));
  if (random.one_in(5)) point.set(P::requests, random.whole(1, 20000));
  switch (random.one_of({0, 1, 1, 1, 2, 3})) {
    case 1:
      point.set(P::concurrency, random.whole(1, 5000)).set(P::requests_per_user, random.one_of({1.0, 2.0, 10.0, 1e9}));
      if (random.one_in(3)) point.set(P::think_time, random.rate(1e-3, 1e3));
      break;
    case 2:
      if (!is_static) point.set(P::arrival_rate, random.rate(1e-5, 1e3)).leave_open(P::requests);
      break;
    case 3:
      if (!is_static) point.set(P::load, random.rate(1e-4, 0.99)).leave_open(P::requests);
      break;
    default:
      break;
  }
  if (!is_given(point.number(P::arrival_rate)) || !random.one_in(3)) return;
  point.set(P::arrivals, random.one_of({"gamma", "uniform"})).set(P::arrival_variation, random.rate(0.1, 10));
}

void ServingCatalogue::choose_limits(ServingPoint& point, RandomValues& random) const {
  if (random.one_in(4)) point.set(P::time_per_output_token_limit, random.rate(1e-3, 10));
  if (random.one_in(6)) point.set(P::time_to_first_token_limit, random.rate(1e-3, 1e3));
  if (random.one_in(6)) point.set(P::batch_limit, random.whole(1, 1000));
  if (random.one_in(4)) point.set(P::cache_share, random.one_of({0.001, 0.5, 1.0}));
}

ServingPoint ServingCatalogue::latent_experts_on_two_stages() const {
  ServingPoint point(serving::parameters());
  point.set(P::model, models_.back()).set(P::system, systems_.front()).set(P::precision, "fp8");
  point.set(P::tensor_parallel, 4).set(P::pipeline_parallel, 2).set(P::batch, 8);
  point.set(P::prompt_tokens, 128).set(P::output_tokens, 2);
  point.set(P::peak_flops, 1e14).set(P::dram_capacity, 1e12);
  return point;
}

ServingPoint ServingCatalogue::random_point(RandomValues& random) const {
  ServingPoint point(serving::parameters());
  point.set(P::model, models_[static_cast<std::size_t>(random.whole(1, 7)) - 1]);
  if (random.one_in(2)) point.set(P::model, models_[random.one_of<std::size_t>({0, 3, 4, 5, 6})]);
  choose_machine(point, random);
  choose_layout(point, random);
  choose_requests(point, random);
  choose_spreads(point, random);
  choose_traffic(point, random);
  choose_limits(point, random);
  choose_pools(point, random);
  point.set(P::device_hour_price, 2.5);
  return point;
}

ServingPoint ServingCatalogue::moderate_point(RandomValues& random) const {
  ServingPoint point(serving::parameters());
  point.set(P::model, models_[random.one_of<std::size_t>({0, 3, 4, 6})]).set(P::system, systems_[0]);
  if (random.one_in(2)) point.set(P::engine, engines_[random.one_in(2) ? 0 : 1]);
  if (random.one_in(4)) point.set(P::attention_data_parallel, 2);
  if (random.one_in(6)) point.set(P::pools, "separate");
  point.set(P::tensor_parallel, random.one_of<double>({4, 8})).set(P::replicas, random.one_of<double>({1, 2}));
  point.set(P::precision, "fp8").set(P::dram_capacity, 1e12);
  point.set(P::prompt_tokens, random.whole(100, 4000)).set(P::output_tokens, random.whole(20, 400));
  point.set(P::prompt_spread, 0.5).set(P::output_spread, 0.5);
  if (random.one_in(2))
    point.set(P::concurrency, random.whole(1, 64)).set(P::requests_per_user, 20);
  else
    point.set(P::load, random.rate(0.05, 0.7));
  return point;
}

}  // namespace dfsweep::testing
