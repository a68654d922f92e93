/// Layout: the arrangement of the chips of a system, their parallelism, and the resulting costs on the network.
#pragma once

#include "models/dataflow/parallelism/arrangement.hpp"
#include "models/dataflow/parallelism/collective.hpp"
#include "models/dataflow/parallelism/per_link.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/dataflow/workload/workload.hpp"
#include "models/machine/topology.hpp"
#include "models/units.hpp"

namespace dfsweep::dataflow {

/// Cost of one occurrence of a collective on the links.
struct LinkCost {
  PerLink bytes;  ///< multiples of S/B, S as in collectives.hpp; for an exchange, S are the bytes of the whole machine
  PerLink steps;  ///< link latencies
};

/// Numbers of chips among which one copy of the work is divided; they determine the shards of a workload.
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
  double stages_per_graph = 1.0;  ///< more than 1: the kernels of a graph are divided among the stages

  PerCollective<LinkCost> collectives;
  PerCollective<double> sent;             ///< bytes that a chip sends over its links, inner and outer, multiples of S
  SecondsPerByte gradient_time_per_byte;  ///< replaces collectives[gradient].bytes on all links; 0: not replaced

  // For stages that share a graph: which links join them (0 or 1), and the link latencies of a message.
  PerLink stage_link;
  PerLink stage_link_steps;

  PerLinkOf<Bytes> transfer_once;      ///< between stages per step
  PerLinkOf<Bytes> transfer_per_pass;  ///< between stages per sequence
  PerLink transfer_steps;              ///< link latencies per micro-batch
  double bubble = 0.0;                 ///< idle share of the pipeline x micro-batches

  PerLink link_units;  ///< multiples of the link bandwidth, for the price
  PerLink link_power_units;
  PerLink switch_units;  ///< of switches, for the price
  PerLink switch_power_units;
};

/// The layout of a point. Dimensions take the requested roles, otherwise tensor, pipeline, data in this order (with
/// fewer dimensions, the first subset in this order that agrees with the degrees). Missing degrees and sizes follow
/// from the others and from device_count. DLRM, HPL and FFT use all chips in the same way and need a shape; if they
/// have stages, the other dimensions are the chips of a stage. [dfmodel] sections 2 to 4 and 6;
/// docs/models/dataflow.md, "Layout".
[[nodiscard]] Layout layout_of(const LayoutRequest& request, const Workload& workload, const Convention& convention);

}  // namespace dfsweep::dataflow
