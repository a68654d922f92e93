/// Layout: how the chips of a system are arranged and shared out, and what a byte on its network then costs.
#pragma once

#include <array>
#include <string_view>

#include "models/absent.hpp"
#include "models/dataflow/parallelism/collective.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/dataflow/workload/workload.hpp"
#include "models/network/topology.hpp"
#include "models/units.hpp"

namespace dfsweep::dataflow {

/// Dimension that serves each kind of parallelism, or `none`.
struct Roles {
  static constexpr std::size_t none = network::most_dimensions;
  std::size_t tensor = none;
  std::size_t pipeline = none;
  std::size_t data = none;
};

/// Roles of all dimensions of a topology, named in the order of the dimensions.
struct RoleChoice {
  std::string_view name;
  std::size_t dimensions;
  RoleOrder order;  ///< the strictest rule that allows it
  Roles roles;
};
inline constexpr std::array<RoleChoice, 15> role_choices{{
    {"tensor", 1, RoleOrder::tensor_pipeline_data, {0, Roles::none, Roles::none}},
    {"pipeline", 1, RoleOrder::tensor_pipeline_data, {Roles::none, 0, Roles::none}},
    {"data", 1, RoleOrder::tensor_pipeline_data, {Roles::none, Roles::none, 0}},
    {"tensor_pipeline", 2, RoleOrder::tensor_pipeline_data, {0, 1, Roles::none}},
    {"tensor_data", 2, RoleOrder::tensor_pipeline_data, {0, Roles::none, 1}},
    {"pipeline_data", 2, RoleOrder::tensor_pipeline_data, {Roles::none, 0, 1}},
    {"pipeline_tensor", 2, RoleOrder::any, {1, 0, Roles::none}},
    {"data_tensor", 2, RoleOrder::any, {1, Roles::none, 0}},
    {"data_pipeline", 2, RoleOrder::any, {Roles::none, 1, 0}},
    {"tensor_pipeline_data", 3, RoleOrder::tensor_pipeline_data, {0, 1, 2}},
    {"tensor_data_pipeline", 3, RoleOrder::any, {0, 2, 1}},
    {"pipeline_tensor_data", 3, RoleOrder::any, {1, 0, 2}},
    {"data_tensor_pipeline", 3, RoleOrder::any, {1, 2, 0}},
    {"pipeline_data_tensor", 3, RoleOrder::any, {2, 0, 1}},
    {"data_pipeline_tensor", 3, RoleOrder::any, {2, 1, 0}},
}};

/// What a point says about the arrangement of chips. NaN and count 0: not said.
struct LayoutRequest {
  network::Topology topology;
  network::Shape shape;
  double device_count = absent;
  double tensor_parallel = absent;
  double pipeline_parallel = absent;
  double data_parallel = absent;
  double high_bandwidth_domain =
      absent;                         ///< chips joined by links of the first dimension, whatever its size: DomainChips
  double all_reduce_passes = absent;  ///< replaces those of the convention on rings and switches
  double interleaving = 1.0;
  const RoleChoice* roles = nullptr;  ///< null: the first in the order tensor, pipeline, data that agrees
};

/// Chips of each dimension that share a high-bandwidth domain, and what follows for its links.
struct DomainChips {
  std::array<double, network::most_dimensions> chips{1.0, 1.0, 1.0};  ///< 1 to the size of the dimension
  std::size_t inner = 1;  ///< dimensions from the first on whose links are all of the inner kind
};

/// A domain of H chips is shared out once, innermost dimension first:
///
///     h_d = min(x_d, H / (h_0 ... h_(d-1)) rounded down), so that h_0 h_1 ... <= H
///
/// Without a domain the first dimension is one: h_0 = x_0, all others 1. `domain`: H; NaN: none.
[[nodiscard]] DomainChips domain_chips(const network::Shape& shape, double domain);

/// Amounts on the inner links (of dimension 0, or of a high-bandwidth domain) and on all others, or what those links
/// are like.
template <class Amount>
struct PerLinkOf {
  Amount first{};
  Amount outer{};
};
using PerLink = PerLinkOf<double>;
template <class Amount, class Rate>
constexpr auto dot(const PerLinkOf<Amount>& amounts, const PerLinkOf<Rate>& rates) {
  return amounts.first * rates.first + amounts.outer * rates.outer;
}

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
