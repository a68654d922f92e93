/// Arrangement: which network dimension carries which kind of parallelism, and the sizes of all dimensions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "models/absent.hpp"
#include "models/dataflow/workload/convention.hpp"
#include "models/machine/topology.hpp"

namespace dfsweep::dataflow {

/// Dimension that carries each kind of parallelism, or `none`.
struct Roles {
  static constexpr std::size_t none = most_dimensions;
  std::size_t tensor = none;
  std::size_t pipeline = none;
  std::size_t data = none;
};

/// An assignment of roles to all dimensions of a topology, named in the order of the dimensions.
struct RoleChoice {
  std::string_view name;
  std::size_t dimensions;
  RoleOrder order;  ///< the strictest rule that allows this choice
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

/// The parameters of a point that constrain the arrangement of chips. NaN and count 0: not given.
struct LayoutRequest {
  Topology topology;
  Shape shape;
  double device_count = absent;
  double tensor_parallel = absent;
  double pipeline_parallel = absent;
  double data_parallel = absent;
  double high_bandwidth_domain = absent;  ///< chips joined by inner links, independent of the shape: domain_chips
  double all_reduce_passes = absent;      ///< overrides the convention on rings and switches
  double interleaving = 1.0;
  const RoleChoice* roles =
      nullptr;  ///< null: the first choice in the order tensor, pipeline, data that satisfies the request
};

struct Arrangement {
  Roles roles;
  Shape shape;
};

/// The requested roles, or the first roles in the order tensor, pipeline, data that satisfy the request, with their
/// unique shape; empty where none does. Pre: the shape of the request is not given, or has one size per dimension of
/// the topology.
[[nodiscard]] std::optional<Arrangement> arrangement_of(const LayoutRequest& request, const Convention& convention);

/// The shape for a workload that uses all chips in the same way: as given, or the degrees in order, or all chips in one
/// dimension; empty where the request contradicts itself. Pre: as arrangement_of.
[[nodiscard]] std::optional<Shape> whole_machine_shape(const LayoutRequest& request);

}  // namespace dfsweep::dataflow
