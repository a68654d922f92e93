/// Counting of mapped workloads.
#include "models/dataflow/points/first_uses.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/dataflow/points/published.hpp"

namespace dfsweep::dataflow {

namespace {

/// Whether a parameter is a rate, which does not change mapped workloads with a given mapping.
bool is_rate(Parameter p) {
  using enum Parameter;
  constexpr std::array rates = {device,
                                memory,
                                interconnect,
                                outer_interconnect,
                                global_batch,
                                micro_batch,
                                overlap,
                                copies,
                                dram_bandwidth,
                                dram_capacity,
                                sram_capacity,
                                peak_flops,
                                compute_utilization,
                                link_bandwidth,
                                link_latency,
                                outer_link_bandwidth,
                                power_limit};
  const bool is_price = prices <= p && p < power_limit;
  return is_price || std::find(rates.begin(), rates.end(), p) != rates.end();
}

}  // namespace

FirstUses first_uses(const SweepValues& values, double rows) {
  FirstUses uses;
  double stride = 1.0;
  for (std::size_t column = values.column_sizes.size(); column-- > 0;) {
    const auto size = static_cast<double>(values.column_sizes[column]);
    bool counts = false;
    for (ParameterIndex p = 0; p < values.parameters.size(); ++p)
      counts |= values.parameters[p].column == column && !is_rate(static_cast<Parameter>(p));
    if (counts) uses.all *= size;
    if (counts) uses.in_rows *= std::clamp(std::ceil(rows / stride), 1.0, size);
    stride *= size;
  }
  uses.in_rows = std::min(uses.in_rows, rows);
  return uses;
}

}  // namespace dfsweep::dataflow
