/// Problems of the mapping studies.
#include "tests/support/mapping_study.hpp"

#include <cmath>
#include <random>
#include <stdexcept>

#include "models/dataflow/workload/mapping.hpp"
#include "tests/support/dataflow_point.hpp"

namespace dfsweep::testing {

using namespace dataflow;

namespace {

Device device_of(double cores, double width, double height, double gigahertz, double sram) {
  Device device;
  device.cores = cores;
  device.systolic_width = width;
  device.systolic_height = height;
  device.frequency = Frequency{gigahertz * 1e9};
  device.peak_flops = Throughput{2.0 * width * height * cores * device.frequency.value()};
  device.sram_capacity = Bytes{sram};
  return device;
}

Entry dlrm_entry() {
  Entry entry;
  entry.name = "dlrm";
  entry.texts["kind"] = "dlrm";
  entry.numbers = {{"tables", 600},      {"rows_per_table", 14211469}, {"embedding_dim", 93},
                   {"pooled_rows", 30},  {"mlp_layers", 20},           {"bottom_layers", 10},
                   {"mlp_width", 13500}, {"samples_per_chip", 128},    {"global_batch", 128e6},
                   {"word_bytes", 4}};
  return entry;
}

Workload workload_of(StudyWorkload which, LayerDetail detail) {
  const Entry entry = which == StudyWorkload::dlrm                ? dlrm_entry()
                      : which == StudyWorkload::gpt3_175b_prefill ? transformer_entry(12288, 96, 96, 2048, 2304)
                                                                  : transformer_entry(25600, 160, 128, 2048, 3072);
  WorkloadChoices choices;
  const bool prefill = which == StudyWorkload::gpt3_1t_prefill || which == StudyWorkload::gpt3_175b_prefill;
  choices.phase = prefill ? Phase::prefill : Phase::train;
  choices.layer_detail = detail;
  return decode_workload(entry, choices).workload;
}

}  // namespace

const StudyChip& study_chip(const std::string& name) {
  static const std::vector<StudyChip> chips{{"h100", device_of(1056, 16, 16, 1.837, 118489090)},
                                            {"tpu_v4", device_of(8, 128, 128, 1.05, 167772160)},
                                            {"sn30", device_of(1280, 32, 6, 1.25, 671088640)},
                                            {"wse2", device_of(853776, 4, 1, 1.1, 41964010000)},
                                            {"sn10", device_of(640, 32, 6, 1.25, 335544320)}};
  for (const StudyChip& chip : chips)
    if (chip.name == name) return chip;
  throw std::invalid_argument("no chip " + name);
}

Graph study_graph(StudyWorkload workload) {
  return workload_of(workload, LayerDetail::plain).graph;
}

StudyPoint::StudyPoint(StudyWorkload which, const StudySystem& system, const StudyOptions& options)
    : options_(options), device_(system.device), workload_(workload_of(which, convention().layer_detail)) {
  LayoutRequest request;
  request.topology = decode_topology(topology_entry(system.topology)).value;
  request.shape = *parse_shape(system.shape);
  if (workload_.spread == Spread::tensor_parallel) {
    request.tensor_parallel = system.tensor_parallel;
    request.pipeline_parallel = system.pipeline_parallel;
    request.data_parallel = system.data_parallel;
  }
  layout_ = layout_of(request, workload_, convention());
  if (layout_.verdict != Layout::Verdict::possible) throw std::invalid_argument("contradiction in " + system.shape);
  inputs_.peak_flops = device_.peak_flops;
  inputs_.compute_utilization = options.compute_utilization;
  inputs_.frequency = device_.frequency;
  inputs_.sram_capacity = device_.sram_capacity;
  inputs_.dram_bandwidth = Bandwidth{system.dram_bandwidth};
  inputs_.dram_capacity = Bytes{system.dram_capacity};
  inputs_.link_bandwidth = {Bandwidth{system.link_bandwidth}, Bandwidth{system.outer_link_bandwidth}};
  inputs_.link_latency = {Seconds{system.link_latency}, Seconds{system.link_latency}};
  inputs_.global_batch = workload_.global_batch;
  inputs_.micro_batch = options.micro_batch;
  inputs_.overlap = options.overlap;
  std::vector<ShardDimension> sharding = options.given_sharding;
  if (workload_.spread == Spread::tensor_parallel && options.sharding != StudyOptions::Sharding::given) {
    ShardingPrices prices;
    if (options.sharding == StudyOptions::Sharding::least_time) {
      const NetworkRates rates = network_rates(layout_, inputs_);
      const double each = pass_shares(convention(), batches()).each;
      prices.counted = ShardingPrices::Counted::shard_of_source;
      for (const Collective c : all_of<Collective>)
        prices.of[c] = {rates[c].byte.value(), rates[c].each.value() * each};
    }
    sharding = *best_sharding(workload_.graph, layout_.split.tensor, workload_.word_bytes, prices, options.sink);
  }
  const PartitionRules rules{
      options.sram, workload_.phase == Phase::train ? convention().training_weights : convention().prefill_weights};
  model_ = std::make_unique<PartitionModel>(workload_, sharding, layout_.split, rules);
}

MappingRequest StudyPoint::request() const {
  MappingRequest request;
  request.rules = model_->rules();
  request.num_tile = options_.setting.num_tile;
  request.convention = &convention();
  const PhaseOrder orders[] = {PhaseOrder::separate, PhaseOrder::one_mixed, PhaseOrder::free};
  request.limits.phase_order = orders[static_cast<int>(options_.setting.mixing)];
  return request;
}

MappedWorkload StudyPoint::mapped(const Assignment& assignment) const {
  MappingRequest given = request();
  given.limits = {};
  given.assignment = assignment;
  return mapped_workload(*model_, given);
}

BestMapping StudyPoint::best() const {
  return best_mapping(*model_, layout_, inputs_, device_, request());
}

JointMapping StudyPoint::joint(const JointLimits& limits) const {
  std::vector<ShardDimension> first;
  for (std::size_t k = 0; k < workload_.graph.kernels.size(); ++k) first.push_back(model_->dimension(k));
  const MappingRequest searched = request();
  return joint_mapping(workload_, layout_, model_->rules(), inputs_, device_, searched, options_.sink, first, limits);
}

PartitionProblem StudyPoint::problem() const {
  return partition_problem_of(*model_, mapped(kernel_by_kernel(workload_.graph)), layout_, convention(), inputs_,
                              device_, options_.setting);
}

PartitionProblem study_problem(StudyWorkload workload, const StudySystem& system, const StudyOptions& options) {
  return StudyPoint(workload, system, options).problem();
}

std::vector<NamedSystem> paper_systems() {
  std::vector<NamedSystem> systems;
  for (const char* chip : {"h100", "tpu_v4", "sn30", "wse2"})
    for (const auto& [topology, letters] :
         {std::pair{"2d_torus", "rr"}, {"3d_torus", "rrr"}, {"dragonfly", "ff"}, {"dgx_1", "rs"}, {"dgx_2", "ss"}})
      for (const auto& [memory, dram] : {std::pair{"ddr", 300e9}, {"hbm", 3072e9}})
        for (const auto& [network, link] : {std::pair{"pcie", 50e9}, {"nvlink", 450e9}}) {
          StudySystem system;
          system.device = study_chip(chip).device;
          system.topology = letters;
          if (system.topology == "rrr") {
            system.shape = "8x64x2";
            system.pipeline_parallel = 64.0;
            system.data_parallel = 2.0;
          }
          system.dram_bandwidth = dram;
          system.link_bandwidth = link;
          systems.push_back({std::string(chip) + "_" + topology + "_" + memory + "_" + network, system});
        }
  return systems;
}

PartitionProblem layered_problem(std::size_t kernels, std::size_t width, double fraction, double bandwidth,
                                 Overlap overlap, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  const auto draw = [&](std::size_t last) { return static_cast<std::size_t>(random() % (last + 1)); };
  const auto size = [&] { return std::floor(std::exp2(static_cast<double>(draw(660)) / 100.0) * 1e6); };
  PartitionProblem problem;
  problem.overlap = overlap;
  problem.mixing = PassMixing::free;
  problem.kernels.resize(kernels);
  double sram = 0.0;
  for (std::size_t k = 0; k < kernels; ++k) {
    problem.kernels[k].compute = Seconds{size()};
    problem.kernels[k].network = Seconds{draw(3) == 0 ? size() : 0.0};
    problem.kernels[k].sram = Bytes{draw(2) == 0 ? size() : 0.0};
    sram += problem.kernels[k].sram.value();
    const std::size_t layer = k / width;
    if (layer == 0) continue;
    std::vector<std::size_t> sources;
    for (std::size_t s = (layer - 1) * width; s < layer * width; ++s) sources.push_back(s);
    for (std::size_t in = 1 + draw(std::min<std::size_t>(2, width - 1)); in > 0; --in) {
      const std::size_t pick = draw(sources.size() - 1);
      problem.edges.push_back({sources[pick], k, {}, {}, {}});
      sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    if (layer > 1 && draw(5) == 0) problem.edges.push_back({draw((layer - 1) * width - 1), k, {}, {}, {}});
  }
  for (PartitionEdge& edge : problem.edges) {
    const double bytes = size();
    edge.traffic = Bytes{bytes};
    edge.sram_boundary = Bytes{std::floor(bytes / 64.0)};
    edge.sram_inside = edge.sram_boundary + edge.sram_boundary;
  }
  problem.dram_bandwidth = Bandwidth{bandwidth};
  problem.sram_capacity = Bytes{std::floor(sram * fraction)};
  double least = 0.0;
  for (std::size_t k = 0; k < kernels; ++k) {
    problem.kernels[k].sram_alone = problem.kernels[k].sram;
    for (const PartitionEdge& edge : problem.edges)
      if (edge.source == k || edge.destination == k) problem.kernels[k].sram_alone += edge.sram_boundary;
    least = std::max(least, problem.kernels[k].sram_alone.value());
  }
  if (problem.sram_capacity.value() < least) problem.sram_capacity = Bytes{least};
  return problem;
}

}  // namespace dfsweep::testing
