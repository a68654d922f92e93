/// TaskGraphValues: the values of a sweep of the estimator `taskgraph`, decoded once and checked.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "models/machine/hardware.hpp"
#include "models/prepared/code_columns.hpp"
#include "models/taskgraph/points/published.hpp"
#include "models/taskgraph/strategies/attention_pool.hpp"
#include "models/taskgraph/strategies/given_graph.hpp"
#include "models/taskgraph/strategies/setting.hpp"

namespace dfsweep::taskgraph {

using CodeColumns = dfsweep::CodeColumns<Parameter>;

/// A device with its memory; NaN where the entry lacks the field.
struct TaskGraphDevice {
  Device chip;
  double peak_flops = absent;
  double memory_bandwidth = absent;
  double sram_capacity = absent;
};

struct LinkValues {
  std::optional<Interconnect> entry;
  double bandwidth = absent;
  double latency = absent;
};

struct TaskGraphValues {
  std::vector<Strategy> strategies;                       ///< [code], as all members
  std::vector<std::unique_ptr<const GivenGraph>> graphs;  ///< by code of `strategy`; null for built-in strategies
  std::vector<Transformer> models;                        ///< sizes are NaN where not given
  std::vector<TaskGraphDevice> devices;
  std::vector<std::optional<Memory>> memories;
  std::vector<LinkValues> links;
  std::vector<LinkValues> outer_links;
  std::vector<AttentionTime> attention_times;
  std::vector<const Convention*> conventions;
  EnumArray<Parameter, std::vector<double>> numbers;  ///< numbers (NaN where absent), or indices of choices
  std::vector<bool> is_best_pool;                     ///< by code of pool_devices
};

/// Throws InvalidValues with all problems, including `data_problems`.
[[nodiscard]] TaskGraphValues decode_values(const SweepValues& values, std::span<const DataProblem> data_problems);

/// The problems of decode_values for an incomplete sweep (Estimator::problems_of).
[[nodiscard]] std::vector<ValueProblem> problems_of_values(const SweepValues& values);

/// The setting of a point; `code(parameter)` gives its codes.
template <class CodeOf>
[[nodiscard]] Setting setting_at(const TaskGraphValues& values, const CodeOf& code);

namespace detail {

/// `a` if given, otherwise `b`.
inline double first_of(double a, double b) {
  return is_given(a) ? a : b;
}

/// The model of a point: parameters override the entry, and the reference set-up fills the rest.
template <class Number>
Transformer transformer_at(Transformer t, const Number& number) {
  const auto size = [&](Parameter p, double of_entry, double otherwise) {
    return first_of(first_of(number(p), of_entry), otherwise);
  };
  t.layers = size(Parameter::layers, t.layers, 4.0);
  t.hidden = size(Parameter::hidden, t.hidden, 4096.0);
  t.heads = size(Parameter::heads, t.heads, 32.0);
  t.key_value_heads = size(Parameter::key_value_heads, t.key_value_heads, t.heads);
  t.head_dim = size(Parameter::head_dim, t.head_dim, t.hidden / t.heads);
  t.ffn_hidden = size(Parameter::ffn_hidden, t.ffn_hidden, 4.0 * t.hidden);
  return t;
}

/// NaN where no memory is given.
inline double bandwidth_of(const std::optional<Memory>& memory) {
  return memory ? memory->bandwidth.value() : absent;
}

inline LinkRates link_rates(double bandwidth, double latency) {
  return {1.0 / Bandwidth{bandwidth}, Seconds{latency}};
}

}  // namespace detail

template <class CodeOf>
Setting setting_at(const TaskGraphValues& values, const CodeOf& code) {
  using detail::first_of;
  const auto number = [&](Parameter p) { return values.numbers[p][code(p)]; };
  constexpr double word_bytes[] = {4.0, 2.0, 2.0, 1.0};
  const TaskGraphDevice& device = values.devices[code(Parameter::device)];
  const LinkValues& link = values.links[code(Parameter::interconnect)];
  const LinkValues& outer = values.outer_links[code(Parameter::outer_interconnect)];
  const double sequence = number(Parameter::sequence_length);
  const bool is_decode = number(Parameter::phase) == 1.0;
  const double bandwidth = first_of(number(Parameter::link_bandwidth), link.bandwidth);
  const double latency = number(Parameter::link_latency);
  Setting s;
  s.model = detail::transformer_at(values.models[code(Parameter::model)], number);
  s.batch = {number(Parameter::batch), is_decode ? 1.0 : sequence, sequence, is_decode};
  s.micro_batches = number(Parameter::micro_batches);
  s.tensor_parallel = number(Parameter::tensor_parallel);
  s.pipeline_parallel = number(Parameter::pipeline_parallel);
  s.pool_devices = number(Parameter::pool_devices);
  s.device_count = number(Parameter::device_count);
  s.utilization = number(Parameter::compute_utilization);
  s.device.per_flop = 1.0 / Throughput{s.utilization * first_of(number(Parameter::peak_flops), device.peak_flops)};
  s.device.per_byte = 1.0 / Bandwidth{first_of(first_of(number(Parameter::dram_bandwidth),
                                                        detail::bandwidth_of(values.memories[code(Parameter::memory)])),
                                               device.memory_bandwidth)};
  s.device.word = Bytes{word_bytes[static_cast<std::size_t>(number(Parameter::precision))]};
  s.link = detail::link_rates(bandwidth, first_of(latency, link.latency));
  s.outer_link =
      detail::link_rates(first_of(first_of(number(Parameter::outer_link_bandwidth), outer.bandwidth), bandwidth),
                         first_of(first_of(latency, outer.latency), link.latency));
  s.cache_capacity = Bytes{first_of(number(Parameter::cache_capacity), device.sram_capacity)};
  const double cache_bandwidth = number(Parameter::cache_bandwidth);
  s.per_cache_byte = is_given(cache_bandwidth) ? 1.0 / Bandwidth{cache_bandwidth} : SecondsPerByte{};
  s.token_tile = number(Parameter::token_tile);
  s.spill = number(Parameter::spill) == 1.0 ? Spill::stream : Spill::none;
  s.placement = number(Parameter::placement) == 1.0 ? Placement::fastest : Placement::fewest_devices;
  s.nodes = number(Parameter::nodes) == 1.0 ? Nodes::operators : Nodes::tasks;
  s.attention_time = values.attention_times[code(Parameter::attention_kernel)];
  s.convention = values.conventions[code(Parameter::convention)];
  return s;
}

}  // namespace dfsweep::taskgraph
