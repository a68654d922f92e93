#include "models/serving_study/pass.hpp"

#include <algorithm>
#include <cmath>

#include "models/kernels/core_allocation.hpp"
#include "models/machine/collectives.hpp"

namespace dfsweep::serving_study {

namespace {

/// Which dimension of a kernel tensor parallelism divides.
enum class Split : std::uint8_t { none, outer, m, k };

struct LayerKernel {
  Kernel kernel;
  Split split = Split::none;
};

Kernel matrix(const char* name, double outer, double m, double k, double n) {
  Kernel kernel;
  kernel.name = name;
  kernel.type = KernelType::matrix;
  kernel.outer = outer;
  kernel.m = m;
  kernel.k = k;
  kernel.n = n;
  return kernel;
}

Kernel elementwise(const char* name, double outer, double m, double n) {
  Kernel kernel = matrix(name, outer, m, 1.0, n);
  kernel.type = KernelType::elementwise;
  return kernel;
}

/// Positions that a token attends to: context + tokens of its sequence; in prefill that is the whole prompt.
double positions(const Pass& pass) {
  return pass.context + pass.tokens / pass.sequences;
}

std::vector<LayerKernel> kernels_of(const Model& model, const Pass& pass, double n) {
  const double h = model.hidden;
  const double a = model.heads;
  const double d = h / a;
  const double f = model.ffn_hidden;
  const double s = positions(pass);
  std::vector<LayerKernel> layer{{elementwise("Add_Prev_Layer", 1, h, n), Split::none},
                                 {elementwise("LayerNorm_1", 1, h, n), Split::none},
                                 {matrix("Q", a, d, h, n), Split::outer},
                                 {matrix("K", a, d, h, n), Split::outer},
                                 {matrix("V", a, d, h, n), Split::outer}};
  if (pass.reads_cache) {
    layer.push_back({matrix("K_Cache", 1, h, 1, s), Split::m});
    layer.push_back({matrix("V_Cache", 1, h, 1, s), Split::m});
  }
  for (LayerKernel kernel : {LayerKernel{matrix("MHA_GEMM_1", a, s, d, n), Split::outer},
                             {elementwise("SOFTMAX", a, s, n), Split::outer},
                             {elementwise("DropOut_1", a, s, n), Split::outer},
                             {matrix("MHA_GEMM_2", a, d, s, n), Split::outer},
                             {matrix("PROJ", 1, h, h, n), Split::k},
                             {elementwise("DropOut_2", 1, h, n), Split::none},
                             {elementwise("Add_1", 1, h, n), Split::none},
                             {elementwise("LayerNorm_2", 1, h, n), Split::none},
                             {matrix("FFN0", 1, f, h, n), Split::m},
                             {elementwise("GeLU", 1, f, n), Split::m},
                             {matrix("FFN1", 1, h, f, n), Split::k},
                             {elementwise("DropOut_3", 1, h, n), Split::none},
                             {elementwise("Add_2", 1, h, n), Split::none}})
    layer.push_back(std::move(kernel));
  return layer;
}

/// The shard of a kernel on one of t chips.
Kernel shard(const LayerKernel& layer, double t) {
  Kernel kernel = layer.kernel;
  double* const dimension = layer.split == Split::outer ? &kernel.outer
                            : layer.split == Split::m   ? &kernel.m
                            : layer.split == Split::k   ? &kernel.k
                                                        : nullptr;
  if (dimension != nullptr) *dimension = std::ceil(*dimension / t);
  return kernel;
}

double layers_of_stage(const Model& model, const Pass& pass) {
  return std::ceil(model.layers / pass.pipeline);
}

double weight_words(const Model& model) {
  return 4 * model.hidden * model.hidden + 2 * model.hidden * model.ffn_hidden;
}

double cache_words(const Model& model, const Pass& pass) {
  return pass.reads_cache ? 2 * model.hidden * pass.context * pass.sequences : 0.0;
}

Seconds compute_time(const Model& model, const Machine& machine, const Pass& pass) {
  std::vector<Kernel> shards;
  Flop flop;
  const bool is_fixed = pass.compute_utilization > 0;
  const double tokens = is_fixed ? pass.tokens : std::ceil(pass.tokens / pass.tiles);
  for (const LayerKernel& kernel : kernels_of(model, pass, tokens)) {
    shards.push_back(shard(kernel, pass.tensor));
    flop += Flop{flop_of(shards.back())};
  }
  if (is_fixed) return flop / (pass.compute_utilization * machine.device.peak_flops);
  return pass.tiles * partition_cycles(shards, machine.device) / machine.device.frequency;
}

}  // namespace

std::vector<Kernel> layer_kernels(const Model& model, const Pass& pass, double tokens) {
  std::vector<Kernel> all;
  for (const LayerKernel& kernel : kernels_of(model, pass, tokens)) all.push_back(kernel.kernel);
  return all;
}

double layer_flop(const Model& model, const Pass& pass) {
  double sum = 0.0;
  for (const Kernel& kernel : layer_kernels(model, pass, pass.tokens)) sum += flop_of(kernel);
  return sum;
}

LayerTime layer_time(const Model& model, const Machine& machine, const Pass& pass) {
  const double t = pass.tensor;
  LayerTime time;
  time.compute = compute_time(model, machine, pass);
  if (pass.reads_cache)
    time.memory =
        Bytes{(weight_words(model) + cache_words(model, pass)) * pass.word_bytes / t} / machine.memory_bandwidth;
  if (t <= 1) return time;
  const bool is_ring = machine.tensor_links != DimensionKind::fully_connected;
  const double passes = is_ring ? pass.all_reduce_passes : 1.0;
  const Bytes output{model.hidden * pass.tokens * pass.word_bytes};
  time.serialization = 2 * passes * one_pass(machine.tensor_links, t) * (output / machine.link_bandwidth);
  time.latency = 2 * ring_all_reduce_steps(machine.tensor_links, t) * machine.link_latency;
  return time;
}

Seconds stage_time(const Model& model, const Machine& machine, const Pass& pass) {
  const LayerTime time = layer_time(model, machine, pass);
  const Seconds layer = pass.overlaps ? std::max({time.compute, time.memory, time.network()})
                                      : time.compute + time.memory + time.network();
  return layers_of_stage(model, pass) * layer;
}

Seconds pass_latency(const Model& model, const Machine& machine, const Pass& pass) {
  const Seconds stages = pass.pipeline * stage_time(model, machine, pass);
  if (pass.pipeline <= 1) return stages;  // one stage needs no links
  const Bytes boundary{model.hidden * pass.tokens * pass.word_bytes / pass.tensor};
  return stages + (pass.pipeline - 1) * (boundary / machine.link_bandwidth + machine.link_latency);
}

Seconds run_time(const Model& model, const Machine& machine, const Pass& pass, double passes) {
  const double depth = std::max(layers_of_stage(model, pass) - 1, 1.0);
  return (1 + (pass.pipeline - 1) / (passes * depth)) * passes * stage_time(model, machine, pass);
}

Footprint footprint(const Model& model, const Pass& pass) {
  const double share = layers_of_stage(model, pass) / pass.tensor * pass.word_bytes;
  return {Bytes{share * weight_words(model)}, Bytes{share * cache_words(model, pass)}};
}

}  // namespace dfsweep::serving_study
