#include "models/training/walk/part_spaces.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "models/absent.hpp"
#include "models/prepared/subspace.hpp"

namespace dfsweep::training {

namespace {

using Group = std::vector<Parameter>;

namespace groups {

using enum Parameter;

constexpr Parameter machine_group[] = {
    system,        device,     memory,       interconnect,         outer_interconnect, dram_bandwidth,
    dram_capacity, peak_flops, node_devices, node_links,           link_bandwidth,     outer_link_bandwidth,
    topology,      shape,      software,     device_link_bandwidth};
constexpr auto bill_group =
    published::joined(cost::places_of<Parameter, cost::PriceParameter>, std::array{precision, power_limit});
/// A lower limit of power makes another machine: its clock falls.
constexpr Parameter limited_group[] = {precision, cost::place_of<Parameter>(cost::PriceParameter::device_power),
                                       power_limit};
constexpr Parameter format_group[] = {system, device, memory, peak_flops, precision};
constexpr Parameter degrees_group[] = {model,         device_count,      tensor_parallel, pipeline_parallel,
                                       data_parallel, context_parallel,  expert_parallel, expert_tensor_parallel,
                                       interleaving,  sequence_parallel, stage_split};
constexpr Parameter batch_group[] = {model,         device_count,     tensor_parallel, pipeline_parallel,
                                     data_parallel, context_parallel, sequence_length, global_batch,
                                     max_batch,     micro_batch};
constexpr Parameter choices_group[] = {
    phase,    recompute, tensor_overlap,   capacity_factor, context_exchange, attention_kernel, recomputed_layers,
    schedule, task,      activations_8bit, attention_8bit,  step_graph};
constexpr Parameter shards_group[] = {optimizer_sharding, sharding_group, state_bytes};
constexpr Parameter offload_group[] = {activation_offload, optimizer_offload};
constexpr Parameter shape_group[] = {interleaving, schedule, phase, stage_split};
constexpr Parameter states_group[] = {software,
                                      model,
                                      device_count,
                                      tensor_parallel,
                                      pipeline_parallel,
                                      data_parallel,
                                      context_parallel,
                                      expert_parallel,
                                      expert_tensor_parallel,
                                      optimizer_sharding,
                                      sharding_group,
                                      phase,
                                      task,
                                      state_bytes,
                                      schedule};
constexpr Parameter layer_group[] = {activations_8bit,
                                     software,
                                     model,
                                     sequence_length,
                                     micro_batch,
                                     tensor_parallel,
                                     context_parallel,
                                     expert_parallel,
                                     expert_tensor_parallel,
                                     sequence_parallel,
                                     recompute,
                                     recomputed_layers,
                                     capacity_factor,
                                     attention_kernel,
                                     phase,
                                     task};
constexpr Parameter stages_group[] = {model,
                                      sequence_length,
                                      micro_batch,
                                      tensor_parallel,
                                      context_parallel,
                                      expert_parallel,
                                      expert_tensor_parallel,
                                      sequence_parallel,
                                      recompute,
                                      recomputed_layers,
                                      capacity_factor,
                                      attention_kernel,
                                      phase,
                                      task,
                                      context_exchange,
                                      tensor_overlap,
                                      schedule,
                                      attention_8bit,
                                      step_graph};
constexpr Parameter sending_group[] = {model,         device_count,     tensor_parallel, pipeline_parallel,
                                       data_parallel, context_parallel, sequence_length, micro_batch,
                                       interleaving};
constexpr Parameter update_group[] = {step_graph,
                                      model,
                                      device_count,
                                      tensor_parallel,
                                      pipeline_parallel,
                                      data_parallel,
                                      context_parallel,
                                      expert_parallel,
                                      expert_tensor_parallel,
                                      optimizer_sharding,
                                      sharding_group,
                                      phase,
                                      task};

}  // namespace groups

Group joined(std::initializer_list<std::span<const Parameter>> groups) {
  Group all;
  for (const std::span<const Parameter> group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

/// What machines of a sweep depend on, beside their entries and overrides.
struct Depends {
  bool on_devices = false;  ///< shapes of topologies depend on the devices of a job
  bool on_limits = false;   ///< some point has a limit of power
  bool on_formats = false;  ///< some point has a peak of its own, which is that of its precision
};

/// The parameters that decide a part.
Group group_of(Part part, const Depends& depends) {
  constexpr Parameter of_shapes[] = {Parameter::device_count};
  constexpr Parameter of_peaks[] = {Parameter::precision};
  constexpr Parameter of_model[] = {Parameter::model};
  const std::span limited(groups::limited_group);
  const Group machine = joined({groups::machine_group, std::span(of_shapes).first(depends.on_devices ? 1 : 0),
                                limited.first(depends.on_limits ? limited.size() : 0),
                                std::span(of_peaks).first(depends.on_formats ? 1 : 0)});
  switch (part) {
    case Part::model:
      return joined({of_model});
    case Part::machine:
      return machine;
    case Part::format:
      return joined({groups::format_group});
    case Part::degrees:
      return joined({groups::degrees_group});
    case Part::batch:
      return joined({groups::batch_group});
    case Part::choices:
      return joined({groups::choices_group});
    case Part::sharding:
      return joined({groups::shards_group});
    case Part::offload:
      return joined({groups::offload_group});
    case Part::shape:
      return joined({groups::batch_group, groups::shape_group});
    case Part::states:
      return joined({groups::format_group, groups::states_group});
    case Part::layer:
      return joined({groups::format_group, groups::layer_group});
    case Part::stages:
      return joined({machine, groups::format_group, groups::stages_group});
    case Part::sending:
      return joined({machine, groups::sending_group});
    case Part::bill:
      return joined({machine, groups::bill_group});
    case Part::update:
      return joined({machine, groups::format_group, groups::update_group});
    case Part::count:
      break;
  }
  return {};
}

/// The weights of the columns that count in `space`: the numbers of points whose only code other than 0 is a 1.
std::vector<PartSpaces::Weight> weights_of(const Subspace& space, std::size_t columns) {
  constexpr std::uint32_t zero = 0;
  constexpr std::uint32_t one = 1;
  std::vector<std::span<const std::uint32_t>> codes(columns, std::span(&zero, 1));
  std::vector<PartSpaces::Weight> weights;
  for (std::size_t column = 0; column < columns; ++column) {
    codes[column] = std::span(&one, 1);
    if (const std::uint64_t weight = space.index({codes, 1}, 0); weight > 0) weights.push_back({column, weight});
    codes[column] = std::span(&zero, 1);
  }
  return weights;
}

}  // namespace

PartSpaces::PartSpaces(const SweepValues& values, const DecodedValues& decoded)
    : parts_by_column_(values.column_sizes.size()) {
  const auto has_any = [&](Parameter parameter) {
    const std::vector<double>& numbers = decoded.numbers[parameter];
    return std::any_of(numbers.begin(), numbers.end(), [](double number) { return is_given(number); });
  };
  const Depends depends{std::any_of(decoded.topologies.begin(), decoded.topologies.end(),
                                    [](const std::optional<Topology>& one) { return one.has_value(); }),
                        has_any(Parameter::power_limit), has_any(Parameter::peak_flops)};
  for (const Part part : all_of<Part>) {
    const Group group = group_of(part, depends);
    const Subspace space(values, group);
    sizes_[part] = space.size();
    weights_[part] = weights_of(space, columns());
    for (const Parameter parameter : group)
      if (const std::size_t column = values[parameter].column; column != SweepValues::fixed)
        parts_by_column_[column] |= set_of(part);
  }
}

}  // namespace dfsweep::training
