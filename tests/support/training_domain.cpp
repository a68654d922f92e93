/// The catalogue and how points are drawn from it.
#include "tests/support/training_domain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "models/absent.hpp"
#include "models/training/estimator.hpp"
#include "tests/support/fallback.hpp"

namespace dfsweep::testing {

namespace {

using P = training::Parameter;
using Numbers = std::map<std::string, double, std::less<>>;

Entry domain_entry(std::string name, Numbers numbers) {
  Entry e;
  e.name = std::move(name);
  e.numbers = std::move(numbers);
  return e;
}

Entry transformer(std::string name, Numbers numbers) {
  Entry e = domain_entry(std::move(name), std::move(numbers));
  e.texts["kind"] = "transformer";
  return e;
}

Entry domain_topology(std::string name, std::vector<std::string> dimensions) {
  Entry e = domain_entry(std::move(name), {});
  e.text_lists["dimensions"] = std::move(dimensions);
  return e;
}

template <class Value>
const Value& one_of(const std::vector<Value>& values, std::mt19937_64& random) {
  return values[random() % values.size()];
}

bool with_chance(int percent, std::mt19937_64& random) {
  return static_cast<int>(random() % 100) < percent;
}

/// 2^0 to 2^most.
double power_of_two(int most, std::mt19937_64& random) {
  return std::ldexp(1.0, static_cast<int>(random() % static_cast<std::uint64_t>(most + 1)));
}

/// From `least` to `most`, evenly in the logarithm.
double between(double least, double most, std::mt19937_64& random) {
  return least * std::pow(most / least, static_cast<double>(random() % 1024) / 1023);
}

ParameterValue named(const Entry& e) {
  return {.text = e.name, .entry = &e};
}

ParameterValue given(double value) {
  return {.number = value, .text = {}};
}

/// Choices of the published table but those that no stack knows.
ParameterValue choice(P p, std::mt19937_64& random) {
  const auto& all = training::parameters()[index_of(p)].choices;
  const bool ends_with_other = all.back() == "other";
  return {.text = std::string(all[random() % (all.size() - (ends_with_other ? 1 : 0))])};
}

}  // namespace

std::string TrainingValues::text() const {
  std::string text;
  for (const P p : all_of<P>) {
    const ParameterValue& value = (*this)[p];
    const auto name = training::parameters()[index_of(p)].name;
    if (!value.text.empty()) text += fmt::format(" {}={}", name, value.text);
    if (is_given(value.number)) text += fmt::format(" {}={:g}", name, value.number);
  }
  return text;
}

TrainingCatalogue::TrainingCatalogue() {
  models_ = {
      transformer("dense", {{"layers", 80},
                            {"hidden", 8192},
                            {"heads", 64},
                            {"head_dim", 128},
                            {"key_value_heads", 8},
                            {"ffn_hidden", 28672},
                            {"gated_ffn", 1},
                            {"vocabulary", 128256},
                            {"sequence_length", 8192}}),
      transformer("odd", {{"layers", 47},
                          {"hidden", 2560},
                          {"heads", 32},
                          {"head_dim", 84},
                          {"key_value_heads", 32},
                          {"ffn_hidden", 10000},
                          {"gated_ffn", 0},
                          {"vocabulary", 50257},
                          {"sequence_length", 1000}}),
      transformer("tiny", {{"layers", 4},
                           {"hidden", 256},
                           {"heads", 16},
                           {"head_dim", 16},
                           {"key_value_heads", 16},
                           {"ffn_hidden", 1024},
                           {"gated_ffn", 0},
                           {"vocabulary", 262144},
                           {"sequence_length", 128}}),
      transformer("windowed", {{"layers", 48},
                               {"hidden", 3840},
                               {"heads", 16},
                               {"head_dim", 256},
                               {"key_value_heads", 8},
                               {"ffn_hidden", 15360},
                               {"gated_ffn", 1},
                               {"vocabulary", 262208},
                               {"sequence_length", 8192},
                               {"window", 1024},
                               {"windowed_layers", 0.8}}),
      transformer("experts", {{"layers", 48},
                              {"hidden", 5120},
                              {"heads", 40},
                              {"head_dim", 128},
                              {"key_value_heads", 8},
                              {"ffn_hidden", 8192},
                              {"gated_ffn", 1},
                              {"vocabulary", 202048},
                              {"sequence_length", 8192},
                              {"window", 8192},
                              {"windowed_layers", 0.75},
                              {"experts", 16},
                              {"experts_per_token", 1},
                              {"expert_ffn_hidden", 8192},
                              {"shared_ffn_hidden", 8192}}),
      transformer("latent", {{"layers", 61},
                             {"hidden", 7168},
                             {"heads", 128},
                             {"head_dim", 128},
                             {"key_value_heads", 128},
                             {"ffn_hidden", 18432},
                             {"gated_ffn", 1},
                             {"vocabulary", 129280},
                             {"sequence_length", 4096},
                             {"query_rank", 1536},
                             {"key_value_rank", 512},
                             {"plain_head_dim", 128},
                             {"rotary_head_dim", 64},
                             {"value_head_dim", 128},
                             {"experts", 256},
                             {"experts_per_token", 8},
                             {"expert_ffn_hidden", 2048},
                             {"shared_ffn_hidden", 2048},
                             {"dense_layers", 3},
                             {"prediction_layers", 1}}),
  };
  const auto system = [](const char* name, double node, double pod) {
    Numbers n{
        {"peak_flops", 1e15},     {"peak_flops_8bit", 2e15},   {"memory_bandwidth", 4e12}, {"memory_capacity", 8e10},
        {"host_bandwidth", 50e9}, {"host_capacity", 1e12},     {"node_devices", node},     {"node_bandwidth", 400e9},
        {"node_latency", 1e-6},   {"network_bandwidth", 50e9}, {"network_latency", 5e-6},  {"power", 1000},
        {"price", 30000}};
    if (pod > 0) n.insert({{"pod_devices", pod}, {"pod_bandwidth", 10e9}, {"pod_latency", 1e-5}});
    return domain_entry(name, std::move(n));
  };
  systems_ = {system("node of 8", 8, 0), system("node of 72", 72, 0), system("pods", 4, 64), system("single", 1, 0)};
  software_ = {domain_entry("fast", {{"matrix_share", 0.9}, {"attention_share", 0.7}, {"tensor_visible", 0.1}}),
               domain_entry("slow host", {{"host_layer_time", 4e-3}, {"host_expert_layer_time", 1e-2}}),
               domain_entry("all visible", {{"tensor_visible", 1},
                                            {"expert_visible", 1},
                                            {"gradient_hidden", 0},
                                            {"gather_hidden", 0},
                                            {"stage_visible", 1}}),
               domain_entry("all hidden", {{"tensor_visible", 0},
                                           {"expert_visible", 0},
                                           {"gradient_hidden", 1},
                                           {"gradient_exposed", 0},
                                           {"gather_hidden", 1},
                                           {"stage_visible", 0}})};
  topologies_ = {domain_topology("torus", {"ring", "ring", "ring"}),
                 domain_topology("cliques", {"fully_connected", "switch"}), domain_topology("switch", {"switch"})};
}

const Entry& TrainingCatalogue::with_faster_host(const Entry& system, double factor) {
  Entry& faster = faster_[fmt::format("{} x {}", system.name, factor)];
  if (!faster.name.empty()) return faster;
  faster = system;
  faster.name += fmt::format(" with a host of {}", factor);
  faster.numbers["host_bandwidth"] *= factor;
  return faster;
}

void TrainingCatalogue::choose_execution(TrainingValues& v, std::mt19937_64& random) const {
  for (const P p : {P::precision, P::phase, P::recompute, P::tensor_overlap, P::context_exchange, P::attention_kernel,
                    P::schedule, P::stage_split, P::task})
    v[p] = choice(p, random);
  if (v[P::precision].text == "fp32") v[P::precision].text = "bf16";
  if (with_chance(60, random)) v[P::phase].text = "train";
  if (with_chance(60, random)) v[P::task].text = "full";
  for (const P p : {P::activation_offload, P::optimizer_offload}) v[p] = given(with_chance(25, random) ? 1 : 0);
  v[P::sequence_parallel] = given(with_chance(50, random) ? 1 : 0);
  v[P::optimizer_sharding] = given(static_cast<double>(random() % 4));
  v[P::sharding_group] = given(with_chance(40, random) ? power_of_two(5, random) : 0);
  v[P::recomputed_layers] = given(one_of<double>({1, 1, 0.5, 0.25, 0}, random));
  v[P::capacity_factor] = given(one_of<double>({1, 1, 0.5, 1.25, 2}, random));
  if (with_chance(15, random)) v[P::state_bytes].text = "2/2/8";
  for (const P p : {P::activations_8bit, P::attention_8bit, P::step_graph})
    if (with_chance(20, random)) v[p] = given(1);
}

TrainingValues TrainingCatalogue::random_values(std::mt19937_64& random) const {
  TrainingValues v;
  for (const P p : all_of<P>) v[p] = fallback_of(training::parameters()[index_of(p)]);
  v[P::model] = named(one_of(models_, random));
  v[P::system] = named(one_of(systems_, random));
  if (with_chance(40, random)) v[P::software] = named(one_of(software_, random));
  choose_execution(v, random);
  const double tensor = power_of_two(4, random);
  const double pipeline = one_of<double>({1, 1, 2, 3, 4, 6, 8, 16}, random);
  const double context = one_of<double>({1, 1, 1, 2, 4}, random);
  const double data = one_of<double>({1, 2, 3, 4, 8, 16, 64, 128}, random);
  v[P::tensor_parallel] = given(tensor);
  v[P::pipeline_parallel] = given(pipeline);
  v[P::context_parallel] = given(context);
  v[P::data_parallel] = given(data);
  v[P::device_count] = given(tensor * pipeline * context * data);
  const bool has_experts = v[P::model].entry->has_number("experts");
  v[P::expert_parallel] = given(has_experts ? power_of_two(4, random) : 1);
  v[P::expert_tensor_parallel] = given(has_experts && with_chance(25, random) ? power_of_two(2, random) : 1);
  v[P::micro_batch] = given(power_of_two(3, random));
  const double micro = one_of<double>({1, 1.5, 2, 3, 4, 7, 8, 12, 16, 17, 32, 64, 200}, random);
  v[P::global_batch] = given(std::ceil(data * v.number(P::micro_batch) * micro));
  v[P::interleaving] = given(pipeline > 1 && with_chance(40, random) ? 1.0 + static_cast<double>(random() % 4) : 1);
  v[P::sequence_length] = given(one_of<double>({1, 16, 128, 1000, 1023, 1024, 2048, 4096, 8192, 131072}, random));
  v[P::peak_flops] = given(between(1e13, 2e16, random));
  v[P::dram_bandwidth] = given(between(1e11, 2e13, random));
  v[P::dram_capacity] = given(between(1e10, 1e15, random));
  v[P::device_link_bandwidth] = given(between(1e9, 2e12, random));
  v[P::outer_link_bandwidth] = given(between(1e8, 2e11, random));
  if (with_chance(20, random)) v[P::node_devices] = given(power_of_two(6, random));
  if (with_chance(20, random)) v[P::node_links] = choice(P::node_links, random);
  if (with_chance(15, random)) v[P::topology] = named(one_of(topologies_, random));
  return v;
}

std::size_t TrainingTable::add(const TrainingValues& values) {
  for (const P p : all_of<P>) {
    const std::size_t i = index_of(p);
    const ParameterValue& value = values[p];
    const std::string key = fmt::format("{:a}|{}", is_given(value.number) ? value.number : -0.5, value.text);
    const auto [known, is_new] = known_[i].try_emplace(key, static_cast<std::uint32_t>(values_[i].size()));
    if (is_new) values_[i].push_back(value);
    codes_[i].push_back(known->second);
  }
  return size() - 1;
}

Estimates TrainingTable::estimate() const {
  SweepValues sweep;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    sweep.parameters.push_back({values_[i], i});
    sweep.column_sizes.push_back(values_[i].size());
  }
  const auto estimator = training::make_training_estimator();
  complete(sweep, estimator->parameters());
  Estimates found = estimates_of(*estimator->prepare(sweep), estimator->metrics().size(), codes_, size());
  hold_claims(*estimator, found);
  return found;
}

}  // namespace dfsweep::testing
