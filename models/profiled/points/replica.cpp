/// Construction of replicas and their shared tables.
#include "models/profiled/points/replica.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/measured_tables/predictors/make_curve.hpp"

namespace dfsweep::profiled {

namespace {

constexpr std::uint64_t most_replicas = std::uint64_t{1} << 22;
constexpr std::uint64_t most_shared = std::uint64_t{1} << 22;
constexpr std::uint64_t most_token_cells = std::uint64_t{1} << 17;
constexpr std::uint64_t most_batch_cells = std::uint64_t{1} << 20;

constexpr Operator processor_operators[] = {Operator::schedule, Operator::sampler_e2e, Operator::prepare_inputs_e2e,
                                            Operator::process_model_outputs, Operator::ray_comm_time};

constexpr Parameter network_parameters[] = {
    Parameter::model,     Parameter::device,   Parameter::network,    Parameter::tensor_parallel,
    Parameter::statistic, Parameter::fallback, Parameter::convention, Parameter::token_granularity};
constexpr Parameter processor_parameters[] = {Parameter::model,           Parameter::device,    Parameter::network,
                                              Parameter::tensor_parallel, Parameter::statistic, Parameter::convention};

bool some(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), true) != flags.end();
}

std::vector<Parameter> layer_parameters(const ProfiledValues& decoded) {
  std::vector<Parameter> all{Parameter::model,
                             Parameter::device,
                             Parameter::tensor_parallel,
                             Parameter::statistic,
                             Parameter::fallback,
                             Parameter::convention,
                             Parameter::block_size,
                             Parameter::token_granularity,
                             Parameter::context_granularity,
                             Parameter::decode_batching_overhead,
                             Parameter::prefill_batching_overhead};
  if (some(decoded.falls_back)) {
    all.push_back(Parameter::dram_bandwidth);
    all.push_back(Parameter::peak_flops);
  }
  return all;
}

std::vector<Parameter> replica_parameters(const ProfiledValues& decoded) {
  std::vector<Parameter> all = layer_parameters(decoded);
  for (const Parameter p :
       {Parameter::network, Parameter::pipeline_parallel, Parameter::stage, Parameter::max_request_tokens,
        Parameter::memory_margin, Parameter::processor_overhead, Parameter::head, Parameter::launch_overhead,
        Parameter::skew_overhead, Parameter::dram_capacity})
    all.push_back(p);
  return all;
}

/// Size of a table over a space; throws InvalidValues where it is too large.
std::size_t table_size(const Subspace& space) {
  if (space.size() <= most_shared) return space.size();
  throw InvalidValues({{index_of(Parameter::model), 0, "the sweep combines too many layers or networks",
                        "more than 4194304 combinations of models, devices, degrees, conventions and overheads",
                        "Sweep over fewer of them at once"}});
}

TableShape shape_of(const ServedModel& m) {
  return {m.hidden, m.heads, m.key_value_heads, m.ffn_hidden, absent, m.up_products - 1.0};
}

/// Why the stages of a replica are impossible; empty: possible.
std::string_view reason_against(const ServedModel& m, double t, double stages, double chosen, double node_devices,
                                PipelineShape shape) {
  if (stages > m.layers) return "more stages than layers";
  if (chosen >= stages) return "the pipeline has no such stage";
  if (std::fmod(m.heads, t) != 0.0) return "tensor_parallel does not divide the heads of the model";
  if (shape == PipelineShape::any) return {};
  if (std::fmod(m.layers, stages) != 0.0) return "the convention requires stages of equal length";
  if (t * stages > node_devices && std::fmod(t * stages, node_devices) != 0.0)
    return "the convention requires a replica to fit in a node or to fill whole nodes";
  return {};
}

}  // namespace

ProcessorModel::ProcessorModel(const ProfileTables& tables, const ProcessorProfile* profile, Statistic statistic,
                               PredictionMethod method) {
  if (profile == nullptr) return;
  for (const Operator op : processor_operators) {
    std::shared_ptr<const Curve> curve = tables.processor_curve(*profile, op, statistic, method);
    if (curve != nullptr) curves_.push_back(std::move(curve));
  }
}

std::optional<Prediction> ProcessorModel::time(double requests) const {
  if (curves_.empty()) return std::nullopt;
  Prediction sum{};
  Seconds error;
  for (const std::shared_ptr<const Curve>& curve : curves_) {
    const Prediction one = curve->predict(whole_tokens(requests));
    sum.time += one.time;
    error += one.time * one.relative_error;
    sum.coverage = std::max(sum.coverage, one.coverage);
  }
  if (sum.time > Seconds{}) sum.relative_error = error / sum.time;
  return sum;
}

Replicas::Replicas(const SweepValues& values, const ProfiledValues& decoded, const Batches& batches,
                   const ProfileTables& tables)
    : decoded_(decoded),
      batches_(batches),
      tables_(tables),
      replica_space_(values, replica_parameters(decoded)),
      layer_space_(values, layer_parameters(decoded)),
      network_space_(values, network_parameters),
      processor_space_(values, processor_parameters),
      replicas_(replica_space_.size() <= most_replicas ? replica_space_.size() : 0),
      layers_(table_size(layer_space_)),
      networks_(table_size(network_space_)),
      processors_(some(decoded.counts_processor) ? table_size(processor_space_) : 0) {}

const Replica& Replicas::at(const PointColumns& points, const CodeColumns& codes, std::size_t i, Replica& own) const {
  if (replicas_.size() > 0)
    return replicas_.get(replica_space_.index(points, i), [&] { return make(points, codes.codes(i), i); });
  own = make(points, codes.codes(i), i);
  return own;
}

Replica Replicas::make(const PointColumns& points, const Codes& codes, std::size_t i) const {
  const ServedModel& served = decoded_.models[codes[Parameter::model]].model;
  const ProfileConvention& reading = *decoded_.conventions[codes[Parameter::convention]];
  const ProfiledNetwork& joined_by = decoded_.networks[codes[Parameter::network]];
  const double t = number(codes, Parameter::tensor_parallel);
  const double stages = number(codes, Parameter::pipeline_parallel);
  const StageChoice choice{number_or(codes, Parameter::stage, StageChoice::all)};
  Replica replica;
  replica.reason = reason_against(served, t, stages, choice.stage, joined_by.devices_per_node, reading.pipeline_shape);
  if (!replica.reason.empty()) {
    replica.verdict = Status::invalid;
    return replica;
  }
  if (served.has_experts()) {
    replica.verdict = Status::no_profile;
    replica.reason = "the model has experts, and tables have no columns of expert layers";
    return replica;
  }
  if (served.has_other_attention) {
    replica.verdict = Status::no_profile;
    replica.reason = "the model has latent, linear, sparse or gated attention, and tables have no columns of it";
    return replica;
  }
  replica.layer = &layers_.get(layer_space_.index(points, i), [&] { return make_layer(codes); });
  replica.layer->model.prepare();
  replica.network = networks_.get(network_space_.index(points, i), [&] { return make_network(codes); }).get();
  replica.network->model.prepare();
  if (decoded_.counts_processor[codes[Parameter::processor_overhead]])
    replica.processor = &processors_.get(processor_space_.index(points, i), [&] {
      const std::string& folder = decoded_.models[codes[Parameter::model]].folder;
      const auto devices = static_cast<unsigned>(t);
      const auto* profile =
          tables_.profiles().find_processor(decoded_.devices[codes[Parameter::device]].folder, folder, devices);
      if (profile == nullptr) profile = tables_.profiles().find_processor(joined_by.folder, folder, devices);
      return ProcessorModel(tables_, profile, decoded_.statistics[codes[Parameter::statistic]], reading.method);
    });
  replica.terms = terms_of(codes, choice, replica);
  if (some(decoded_.is_simulated))
    for (double s = 0.0; s < stages; ++s) replica.stage_terms.push_back(terms_of(codes, {s}, replica));
  if (head_of(codes) != HeadCost::none) replica.layer->head->prepare();
  replica.memory = memory_plan(served, t, replica.terms.stages, reading);
  const Bytes capacity{
      number_or(codes, Parameter::dram_capacity, decoded_.devices[codes[Parameter::device]].memory_capacity.value())};
  replica.usable_memory = capacity * (1.0 - number(codes, Parameter::memory_margin));
  replica.max_batch = !is_given(capacity) ? absent
                                          : requests_that_fit(replica.memory, replica.usable_memory,
                                                              number(codes, Parameter::max_request_tokens));
  replica.check = reading.memory_check;
  return replica;
}

HeadCost Replicas::head_of(const Codes& codes) const {
  return decoded_.heads[codes[Parameter::head]].value_or(decoded_.conventions[codes[Parameter::convention]]->head);
}

ReplicaTerms Replicas::terms_of(const Codes& codes, StageChoice choice, const Replica& replica) const {
  const ServedModel& served = decoded_.models[codes[Parameter::model]].model;
  const ProfileConvention& reading = *decoded_.conventions[codes[Parameter::convention]];
  const double t = number(codes, Parameter::tensor_parallel);
  const double stages = number(codes, Parameter::pipeline_parallel);
  const double embedding_layers = reading.embedding_copies * embedding_weights(served, t) / layer_weights(served, t);
  ReplicaTerms terms;
  terms.stages =
      stages_of(served.layers, t, stages, choice, decoded_.networks[codes[Parameter::network]].devices_per_node,
                reading.crosses, embedding_layers);
  terms.all_reduces = t > 1.0 ? 2.0 : 0.0;
  terms.all_reduce_overhead =
      Seconds{number(codes, Parameter::launch_overhead) + number(codes, Parameter::skew_overhead) * std::pow(t, 1.25)};
  terms.processor_batches = choice.stage == StageChoice::all ? stages : 1.0;
  if (head_of(codes) == HeadCost::none) return terms;
  terms.embeddings = terms.stages.embeddings;
  // The sampler time in the processor table includes output layer and sampling on the device.
  terms.outputs = replica.processor == nullptr ? terms.stages.outputs : 0.0;
  return terms;
}

TableReading Replicas::reading_of(const Codes& codes) const {
  const ProfileConvention& c = *decoded_.conventions[codes[Parameter::convention]];
  return {decoded_.statistics[codes[Parameter::statistic]], c.method, c.empty_cell,
          number(codes, Parameter::block_size)};
}

BatchReading Replicas::batch_reading_of(const Codes& codes) const {
  const ProfileConvention& c = *decoded_.conventions[codes[Parameter::convention]];
  const double applies = decoded_.models[codes[Parameter::model]].model.has_grouped_queries() ? 1.0 : 0.0;
  return {&c, number_or(codes, Parameter::token_granularity, c.token_granularity),
          number_or(codes, Parameter::context_granularity, c.context_granularity),
          applies * number_or(codes, Parameter::decode_batching_overhead, c.batching_overhead),
          applies * number_or(codes, Parameter::prefill_batching_overhead, c.batching_overhead)};
}

DeviceRates Replicas::rates_of(const Codes& codes) const {
  const DeviceRates& entry = decoded_.devices[codes[Parameter::device]].rates;
  return {Throughput{number_or(codes, Parameter::peak_flops, entry.peak.value())},
          Bandwidth{number_or(codes, Parameter::dram_bandwidth, entry.bandwidth.value())}};
}

OperatorSource Replicas::source_of(const Codes& codes, Operator op) const {
  const ProfiledModel& served = decoded_.models[codes[Parameter::model]];
  const std::string& folder = decoded_.devices[codes[Parameter::device]].folder;
  const LayerSplit wanted{served.model, number(codes, Parameter::tensor_parallel)};
  const TableReading reading = reading_of(codes);
  const auto* own = tables_.profiles().find_layer(folder, served.folder, static_cast<unsigned>(wanted.tensor_parallel),
                                                  shape_of(served.model));
  if (own != nullptr && covers(*own, reading, op)) return {&tables_.predictors_of(*own, reading), {}};
  if (!decoded_.falls_back[codes[Parameter::fallback]] || !rates_of(codes).known()) return {};
  const auto rates_of_folder = [&](const std::string& name) {
    for (const ProfiledDevice& candidate : decoded_.devices)
      if (candidate.folder == name) return candidate.rates;
    return DeviceRates{};
  };
  const auto* nearest = nearest_layer(tables_.profiles().layers, folder, wanted, reading, op, rates_of_folder);
  if (nearest == nullptr) return {};
  return {&tables_.predictors_of(*nearest, reading),
          StandIn{split_of(*nearest, served.model), rates_of_folder(nearest->device)}};
}

LayerRows Replicas::make_layer(const Codes& codes) const {
  std::array<OperatorSource, layer_operator_count> sources;
  for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = source_of(codes, layer_operators[i]);
  const LayerSplit split{decoded_.models[codes[Parameter::model]].model, number(codes, Parameter::tensor_parallel)};
  const auto kept = [](std::uint64_t cells) { return cells <= most_batch_cells ? cells : 0; };
  const auto upto = [](double most) { return std::min(static_cast<std::uint64_t>(most) + 1, most_token_cells); };
  const LayerModel model(split, rates_of(codes), batch_reading_of(codes), sources);
  const auto* own = tables_.profiles().find_layer(decoded_.devices[codes[Parameter::device]].folder,
                                                  decoded_.models[codes[Parameter::model]].folder,
                                                  static_cast<unsigned>(split.tensor_parallel), shape_of(split.model));
  return {model,
          LazyCells<TokenRow>(upto(batches_.most_tokens())),
          LazyCells<TimeCell>(kept(batches_.decode_cells())),
          LazyCells<TimeCell>(kept(batches_.prefill_cells())),
          std::make_unique<const HeadModel>(tables_, model, own, reading_of(codes)),
          LazyCells<TimeCell>(upto(batches_.most_tokens())),
          LazyCells<LogitRow>(upto(batches_.most_requests()))};
}

std::unique_ptr<const NetworkRows> Replicas::make_network(const Codes& codes) const {
  const NetworkRequest request{.network = decoded_.networks[codes[Parameter::network]].folder,
                               .hidden = decoded_.models[codes[Parameter::model]].model.hidden,
                               .tensor_parallel = number(codes, Parameter::tensor_parallel),
                               .statistic = decoded_.statistics[codes[Parameter::statistic]],
                               .method = decoded_.conventions[codes[Parameter::convention]]->method,
                               .falls_back = decoded_.falls_back[codes[Parameter::fallback]],
                               .is_of_another_device = !decoded_.networks[codes[Parameter::network]].belongs_to(
                                   decoded_.devices[codes[Parameter::device]])};
  const auto tokens = static_cast<std::uint64_t>(batches_.most_tokens()) + 1;
  return std::unique_ptr<const NetworkRows>(
      new NetworkRows{NetworkModel(tables_, request), LazyCells<NetworkRow>(std::min(tokens, most_token_cells))});
}

}  // namespace dfsweep::profiled
