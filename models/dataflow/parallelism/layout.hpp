/// Layout: how the chips of a system are arranged and shared out, and what a byte on its network then costs.
#pragma once

#include "models/dataflow/parallelism/arrangement.hpp"
#include "models/dataflow/parallelism/collective.hpp"
#include "models/dataflow/parallelism/per_link.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/dataflow/workload/workload.hpp"
#include "models/machine/topology.hpp"
#include "models/units.hpp"

namespace dfsweep::dataflow {

/// What one occurrence of a collective costs on the links.
struct LinkCost {
  PerLink bytes;  ///< multiples of S/B, S as in collectives.hpp; of an exchange, of the bytes of the whole machine / B
  PerLink steps;  ///< link latencies
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
  network::Shape shape;
  double chips = 1.0;
  double tensor_parallel = 1.0;
  double pipeline_parallel = 1.0;
  double data_parallel = 1.0;
  Split split;
  double layers_per_stage = 1.0;
  double stages_per_graph = 1.0;  ///< more than 1: the kernels of a graph are shared out over the stages

  PerCollective<LinkCost> collectives;
  SecondsPerByte gradient_time_per_byte;  ///< in place of collectives[gradient].bytes, whatever the links; 0: not

  // Where stages share a graph: the links between them, 0 or 1, and the link latencies of a message.
  PerLink stage_link;
  PerLink stage_link_steps;

  PerLinkOf<Bytes> transfer_once;      ///< between stages per step
  PerLinkOf<Bytes> transfer_per_pass;  ///< between stages per sequence
  PerLink transfer_steps;              ///< link latencies per micro-batch
  double bubble = 0.0;                 ///< idle share of a pipeline, times micro-batches

  PerLink link_units;  ///< multiples of the link bandwidth, for the price
  PerLink link_power_units;
  PerLink switch_units;  ///< for the price
  PerLink switch_power_units;
};

/// The layout of a point. Dimensions take the roles requested, or else tensor, pipeline, data in that order (with fewer
/// dimensions a subset: tensor before pipeline before data, the first that agrees with the degrees); a degree or a size
/// that is absent follows from the others and from device_count. DLRM, HPL and FFT use all chips alike and need a
/// shape, unless they have stages: then the other dimensions are the chips of a stage. [dfmodel] sections 2 to 4 and 6;
/// docs/models/dataflow.md, "Layout".
[[nodiscard]] Layout layout_of(const LayoutRequest& request, const Workload& workload, const Convention& convention);

}  // namespace dfsweep::dataflow
