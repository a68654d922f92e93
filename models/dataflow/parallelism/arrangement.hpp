/// Arrangement: which dimension serves which kind of parallelism, and the sizes of all dimensions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "models/absent.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/machine/topology.hpp"

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
  double high_bandwidth_domain = absent;  ///< chips joined by inner links, whatever the shape: domain_chips
  double all_reduce_passes = absent;      ///< replaces those of the convention on rings and switches
  double interleaving = 1.0;
  const RoleChoice* roles = nullptr;  ///< null: the first in the order tensor, pipeline, data that agrees
};

struct Arrangement {
  Roles roles;
  network::Shape shape;
};

/// The roles that are asked for, or the first ones in the order tensor, pipeline, data that agree with the request, and
/// the one shape that they make; nothing where none do. Pre: the shape of the request is not given, or has as many
/// sizes as the topology has dimensions.
[[nodiscard]] std::optional<Arrangement> arrangement_of(const LayoutRequest& request, const Convention& convention);

/// The shape of a workload that uses all chips alike: as given, or the degrees in order, or all chips in a row; nothing
/// where the request contradicts it. Pre: as arrangement_of.
[[nodiscard]] std::optional<network::Shape> whole_machine_shape(const LayoutRequest& request);

}  // namespace dfsweep::dataflow
