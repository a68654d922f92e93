/// Neighbours of a training step whose time or memory is ordered: faster machines, more work, more devices, other
/// choices.
#pragma once

#include <cmath>

#include "models/absent.hpp"
#include "models/machine/tier_collectives.hpp"
#include "tests/support/training_domain.hpp"

namespace dfsweep::testing::training_neighbours {

using training::Metric;
using training::Parameter;
using enum training::Parameter;

/// A neighbour of a point. Changes nothing where it does not apply.
struct Neighbour {
  const char* why;
  void (*change)(TrainingValues&);
};

template <Parameter p, int percent>
void multiply(TrainingValues& v) {
  v[p].number *= percent / 100.0;
}

template <Parameter p>
void add_one(TrainingValues& v) {
  v[p].number += 1;
}

/// Whether nodes are filled evenly by switches, and leaving one is no gain.
inline bool has_plain_links(const TrainingValues& v) {
  if (v[topology].entry != nullptr || v[node_links].text == "direct") return false;
  constexpr LinkShares achieved;  // no software of the domain has others
  if (achieved.inside * v.number(device_link_bandwidth) < achieved.across * v.number(outer_link_bandwidth))
    return false;
  const double node =
      is_given(v.number(node_devices)) ? v.number(node_devices) : v[system].entry->number_or("node_devices", 1);
  const auto is_power = [](double number) { return std::exp2(std::floor(std::log2(number))) == number; };
  return is_power(node) && is_power(v.number(device_count));
}

/// Twice the devices by this degree, where they bring no links of another kind. A second stage allows pairs. With
/// chunks, twice the stages exchange half of the gradients beside as much time of the later chunks, so that more than
/// half of what was visible can be gone.
template <Parameter p>
void double_devices(TrainingValues& v) {
  if (!has_plain_links(v)) return;
  if (p == pipeline_parallel && v[schedule].text == "dual_pipe" && v.number(p) == 1) return;
  if (p == pipeline_parallel && v.number(interleaving) > 1) return;
  v[p].number *= 2;
  v[device_count].number *= 2;
}

template <Parameter p, int value>
void set(TrainingValues& v) {
  v[p].number = value;
}

/// Never slower, and they change no memory.
inline const Neighbour faster[] = {
    {"memory 1 % faster", multiply<dram_bandwidth, 101>},
    {"memory twice as fast", multiply<dram_bandwidth, 200>},
    {"memory 100 times as fast", multiply<dram_bandwidth, 10000>},
    {"peak rate 1 % higher", multiply<peak_flops, 101>},
    {"twice the peak rate", multiply<peak_flops, 200>},
    {"100 times the peak rate", multiply<peak_flops, 10000>},
    {"links of the node 1 % faster", multiply<device_link_bandwidth, 101>},
    {"links of the node twice as fast", multiply<device_link_bandwidth, 200>},
    {"links of the node 100 times as fast", multiply<device_link_bandwidth, 10000>},
    {"outer links 1 % faster", multiply<outer_link_bandwidth, 101>},
    {"outer links twice as fast", multiply<outer_link_bandwidth, 200>},
    {"outer links 100 times as fast", multiply<outer_link_bandwidth, 10000>},
    {"switches in the node", [](TrainingValues& v) { v[node_links].text = "switched"; }},
    {"overlapped tensor exchanges", [](TrainingValues& v) { v[tensor_overlap].text = "ring"; }},
};

/// Never faster.
inline const Neighbour more_work[] = {
    {"a sequence more", add_one<global_batch>},
    {"twice the sequences", multiply<global_batch, 200>},
    {"a token more", add_one<sequence_length>},
    {"twice the tokens", multiply<sequence_length, 200>},
    {"more rows of experts", multiply<capacity_factor, 125>},
    {"all activations offloaded", set<activation_offload, 1>},
    {"the optimizer offloaded", set<optimizer_offload, 1>},
};

/// Never less than half of the time.
inline const Neighbour twice_the_devices[] = {
    {"twice the replicas", double_devices<data_parallel>},
    {"twice the tensor degree", double_devices<tensor_parallel>},
    {"twice the stages", double_devices<pipeline_parallel>},
    {"twice the context degree", double_devices<context_parallel>},
};

/// Pairs of which the first is never slower, nor larger where it says so.
struct Ordered {
  const char* why;
  Parameter parameter;
  const char* less;
  const char* more;
  Metric metric;
};

inline const Ordered ordered[] = {
    {"a forward pass is a part of a step", phase, "forward", "train", Metric::step_time},
    {"a forward pass keeps less", phase, "forward", "train", Metric::memory_used},
    {"zero-bubble fills the drain", schedule, "zero_bubble", "one_forward_one_backward", Metric::step_time},
    {"balanced stages", stage_split, "balanced", "even", Metric::step_time},
    {"a low-rank update", task, "low_rank", "full", Metric::step_time},
    {"nothing repeated", recompute, "none", "elementwise", Metric::step_time},
    {"less repeated", recompute, "elementwise", "selective", Metric::step_time},
    {"scores repeated", recompute, "attention", "full", Metric::step_time},
    {"inputs of layers alone are kept", recompute, "full", "selective", Metric::memory_used},
    {"half is kept", recompute, "selective", "elementwise", Metric::memory_used},
    {"latent vectors instead of keys and values", recompute, "latent", "none", Metric::memory_used},
    {"inputs of layers instead of latent vectors", recompute, "full", "latent", Metric::memory_used},
    {"no scores are kept", recompute, "attention", "none", Metric::memory_used},
};

}  // namespace dfsweep::testing::training_neighbours
