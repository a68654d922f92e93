/// Layout: how the chips of a system are arranged and shared out, and what a byte on its network then costs.
#pragma once

#include <limits>

#include "models/dataflow/convention.hpp"
#include "models/dataflow/workload.hpp"
#include "models/network/topology.hpp"

namespace dfsweep {

/// What a point says about the arrangement of chips. NaN and count 0: not said.
struct LayoutRequest {
  static constexpr double unsaid = std::numeric_limits<double>::quiet_NaN();
  Topology topology;
  Shape shape;
  double device_count = unsaid;
  double tensor_parallel = unsaid;
  double pipeline_parallel = unsaid;
  double data_parallel = unsaid;
  double high_bandwidth_domain = unsaid;  ///< chips joined by links of the first dimension, whatever its size
  double all_reduce_passes = unsaid;      ///< replaces those of the convention on rings and switches
  double interleaving = 1.0;
};

/// Amounts on the links of dimension 0 and on those of all other dimensions.
struct PerLink {
  double first = 0.0;
  double outer = 0.0;
};

/// Chips that share one copy of the work: what the shards of a workload depend on.
struct Split {
  double tensor = 1.0;   ///< transformers and graphs
  double rows = 1.0;     ///< HPL: rows of the grid of chips
  double columns = 1.0;  ///< HPL: columns; FFT: all chips
  double chips = 1.0;    ///< DLRM: all chips
  bool operator==(const Split&) const = default;
};

struct Layout {
  enum class Verdict : std::uint8_t { possible, contradiction };
  Verdict verdict = Verdict::contradiction;
  Shape shape;
  double chips = 1.0;
  double tensor_parallel = 1.0;
  double pipeline_parallel = 1.0;
  double data_parallel = 1.0;
  Split split;
  double layers_per_stage = 1.0;

  // Multiples of S/B, S as in collectives.hpp; the exchange of total bytes / B.
  PerLink all_reduce;
  PerLink all_gather;
  PerLink all_to_all;
  PerLink exchange;
  PerLink gradient;
  double gradient_seconds_per_byte = 0.0;  ///< in place of `gradient`
  // Link latencies per occurrence.
  PerLink all_reduce_steps;
  PerLink all_gather_steps;
  PerLink all_to_all_steps;
  PerLink exchange_steps;
  PerLink gradient_steps;
  PerLink broadcast_steps;  ///< HPL: shift on first links, broadcast on outer ones

  PerLink transfer_once;      ///< bytes between stages per step
  PerLink transfer_per_pass;  ///< bytes between stages per sequence
  PerLink transfer_steps;     ///< link latencies per micro-batch
  double bubble = 0.0;        ///< idle share of a pipeline, times micro-batches

  PerLink link_units;  ///< multiples of the link bandwidth, for the price
  PerLink link_power_units;
  PerLink switch_units;  ///< for the price
  PerLink switch_power_units;
};

/// The layout of a point. Dimensions take the roles tensor, pipeline, data in that order (with fewer dimensions a
/// subset: tensor before pipeline before data, the first that agrees with the degrees); a degree or a size that is
/// absent follows from the others and from device_count. DLRM, HPL and FFT use all chips and need a shape.
/// [dfmodel] sections 2 to 4 and 6; docs/models/dataflow.md, "Layout".
[[nodiscard]] Layout layout_of(const LayoutRequest& request, const Workload& workload, const Convention& convention);

}  // namespace dfsweep
