/// PointModel: workload, layout, mapping and rates of a combination of parameter codes, computed without tables.
#pragma once

#include <array>
#include <cstdint>

#include "models/absent.hpp"
#include "models/cost/columns.hpp"
#include "models/dataflow/cost/mapped_workload.hpp"
#include "models/dataflow/cost/step.hpp"
#include "models/dataflow/parallelism/layout.hpp"
#include "models/dataflow/points/decoded_values.hpp"
#include "models/dataflow/points/point_costs.hpp"

namespace dfsweep::dataflow {

/// Code of every parameter at a point.
using Codes = EnumArray<Parameter, std::uint32_t>;

/// Which prices and powers of a point are needed.
enum class Costs : std::uint8_t {
  all,
  of_limits,  ///< those that a limit of power needs, which lowers rates
};

class PointModel {
 public:
  /// Pre: `values` and `decoded` outlive the model.
  PointModel(const SweepValues& values, const DecodedValues& decoded) : values_(values), decoded_(decoded) {}

  [[nodiscard]] Workload workload(const Codes& codes) const;
  [[nodiscard]] LayoutRequest layout_request(const Codes& codes) const;
  [[nodiscard]] Layout layout(const Codes& codes, const Workload& workload) const;
  /// The sharding of a layer; an empty vector where nothing is sharded, no value where best_sharding has none.
  [[nodiscard]] std::optional<std::vector<ShardDimension>> sharding(const Codes& codes, const Workload& workload,
                                                                    const Layout& layout) const;
  [[nodiscard]] PartitionRules rules(const Codes& codes, const Workload& workload) const;
  [[nodiscard]] Assignment assignment(const Codes& codes, const Workload& workload) const;
  /// The mapping request without the assignment.
  [[nodiscard]] MappingRequest request(const Codes& codes, const Workload& workload) const;
  /// All layers of the workload: where they are of two kinds, the mapping of each.
  [[nodiscard]] MappedWorkload mapped(const Codes& codes, const Workload& workload, const Layout& layout,
                                      Reasons reasons) const;
  /// The amounts that `workload`, a share of the layers of a model, needs per layer, whatever the mapping.
  [[nodiscard]] OtherLayers other_layers(const Codes& codes, const Workload& workload, const Layout& layout,
                                         double share) const;
  /// All kernels in one partition, with the sharding of the point. Empty where the sharding depends on more than the
  /// degrees. Pre: the stages do not share the graph.
  [[nodiscard]] std::optional<MappedWorkload> whole(const Codes& codes, const Workload& workload,
                                                    const Layout& layout) const;
  [[nodiscard]] const Convention& convention_of(const Codes& codes) const {
    return *decoded_.conventions[codes[Parameter::convention]];
  }

  [[nodiscard]] const Device& device_of(const Codes& codes) const { return decoded_.devices[codes[Parameter::device]]; }

  /// The rates of a point. `code(parameter)` gives the code of a parameter there; `workload_batch`: the global batch
  /// of the workload, used where the point has none. `costs`: all others may be missing.
  template <class CodeOf>
  [[nodiscard]] StepInputs inputs(const CodeOf& code, double workload_batch, Costs costs = Costs::all) const {
    const auto number = [&](Parameter p) { return decoded_.numbers[p][code(p)]; };
    const auto number_or = [&](Parameter p, double otherwise) {
      const double value = number(p);
      return is_given(value) ? value : otherwise;
    };
    const auto quantity_or = [&](Parameter p, auto otherwise) {
      const double value = number(p);
      return is_given(value) ? decltype(otherwise){value} : otherwise;
    };
    const Device& chip = decoded_.devices[code(Parameter::device)];
    const Memory& dram = decoded_.memories[code(Parameter::memory)];
    const Interconnect& link = decoded_.interconnects[code(Parameter::interconnect)];
    const std::optional<Interconnect>& given_outer = decoded_.outer_interconnects[code(Parameter::outer_interconnect)];
    const Interconnect& outer = given_outer ? *given_outer : link;
    StepInputs in;
    in.global_batch = number_or(Parameter::global_batch, workload_batch);
    in.micro_batch = number(Parameter::micro_batch);
    in.peak_flops = quantity_or(Parameter::peak_flops, chip.peak_flops);
    in.compute_utilization = number(Parameter::compute_utilization);
    in.frequency = (in.peak_flops / chip.peak_flops) * chip.frequency;  // another peak is another clock
    in.sram_capacity = quantity_or(Parameter::sram_capacity, chip.sram_capacity);
    in.dram_bandwidth = quantity_or(Parameter::dram_bandwidth, dram.bandwidth);
    in.dram_capacity = quantity_or(Parameter::dram_capacity, dram.capacity);
    in.link_bandwidth.first = quantity_or(Parameter::link_bandwidth, link.bandwidth);
    in.link_bandwidth.outer =
        quantity_or(Parameter::outer_link_bandwidth, given_outer ? given_outer->bandwidth : in.link_bandwidth.first);
    in.link_latency.first = quantity_or(Parameter::link_latency, link.latency);
    in.link_latency.outer = given_outer ? given_outer->latency : in.link_latency.first;
    in.copies = number(Parameter::copies);
    in.overlap = decoded_.overlaps[code(Parameter::overlap)];
    const double limit = number(Parameter::power_limit);
    if (costs == Costs::of_limits && !is_given(limit)) return in;
    cost::StatedCosts stated = cost::stated_costs<Parameter>(number);
    stated.power_limit = limit;
    set_costs(in, {chip, dram, link, outer}, stated, number(Parameter::dram_capacity),
              decoded_.conventions[code(Parameter::convention)]->price_rule);
    return in;
  }
  [[nodiscard]] StepInputs inputs(const Codes& codes, double workload_batch) const {
    return inputs([&codes](Parameter p) { return codes[p]; }, workload_batch);
  }

 private:
  /// The layers with the graph of `workload`. `given`: their assignment, unless the mapping is searched.
  [[nodiscard]] MappedWorkload mapped_graph(const Codes& codes, const Workload& workload, const Layout& layout,
                                            const Assignment& given, const OtherLayers& other, Reasons reasons) const;
  [[nodiscard]] MappedWorkload mapped_at_best(const Codes& codes, const Workload& workload, const Layout& layout,
                                              std::vector<ShardDimension> dimensions, MappingRequest request) const;
  [[nodiscard]] MappedWorkload mapped_in_stages(const Codes& codes, const Workload& workload, const Layout& layout,
                                                std::vector<ShardDimension> dimensions, MappingRequest request) const;
  [[nodiscard]] SinkSharding sink_of(const Codes& codes, const Workload& workload) const;
  [[nodiscard]] double number(const Codes& codes, Parameter p) const { return decoded_.numbers[p][codes[p]]; }
  [[nodiscard]] const std::string& text(const Codes& codes, Parameter p) const {
    return values_[p].values[codes[p]].text;
  }

  const SweepValues& values_;
  const DecodedValues& decoded_;
};

}  // namespace dfsweep::dataflow
