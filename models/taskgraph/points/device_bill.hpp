/// Price and power of a device of a point, from its entries and what the sweep replaces or states of them.
#pragma once

#include "models/cost/columns.hpp"
#include "models/taskgraph/points/decoded_values.hpp"

namespace dfsweep::taskgraph {

/// A device has its memory without its capacity, which no strategy reads, its cache, and its links; those between
/// groups count where the sweep names them. `code(parameter)` gives the codes of the point.
template <class CodeOf>
[[nodiscard]] cost::Bill bill_at(const TaskGraphValues& values, const CodeOf& code) {
  using enum Parameter;
  using detail::first_of;
  const auto number = [&](Parameter p) { return values.numbers[p][code(p)]; };
  const auto address = [](const auto& given) { return given ? &*given : nullptr; };
  const TaskGraphDevice& chip = values.devices[code(device)];
  const std::optional<Memory>& dram = values.memories[code(memory)];
  const LinkValues& inside = values.links[code(interconnect)];
  const LinkValues& across = values.outer_links[code(outer_interconnect)];
  cost::NamedParts named;
  named.device = &chip.chip;
  named.memory = address(dram);
  named.inside = address(inside.entry);
  named.across = address(across.entry);
  cost::VariedParts varied;
  System& system = varied.system;
  system.accelerator.memory_bandwidth =
      Bandwidth{first_of(first_of(number(dram_bandwidth), detail::bandwidth_of(dram)), chip.memory_bandwidth)};
  system.network.inside.bandwidth = Bandwidth{first_of(number(link_bandwidth), inside.bandwidth)};
  const double outer = first_of(number(outer_link_bandwidth), across.bandwidth);
  if (is_given(outer)) system.network.across.bandwidth = Bandwidth{outer};
  varied.peak_flops = number(peak_flops);
  varied.sram_bytes = number(cache_capacity);
  return cost::bill_of(named, varied, cost::stated_costs<Parameter>(number));
}

}  // namespace dfsweep::taskgraph
