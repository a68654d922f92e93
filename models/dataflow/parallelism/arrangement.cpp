#include "models/dataflow/parallelism/arrangement.hpp"

#include <array>
#include <cmath>

#include "models/absent.hpp"

namespace dfsweep::dataflow {

namespace {

bool agrees(double said, double value) {
  return !is_given(said) || said == value;
}

double divided(double whole, double part_size) {
  const double quotient = whole / part_size;
  return quotient == std::floor(quotient) && quotient >= 1.0 ? quotient : absent;
}

/// The given degrees of tensor, pipeline and data parallelism; NaN where not given.
std::array<double, 3> said_degrees(const LayoutRequest& request) {
  return {request.tensor_parallel, request.pipeline_parallel, request.data_parallel};
}

/// The shape whose dimensions have the degrees of their roles. At most one degree may be open; it takes the remaining
/// chips. Empty where the shape is not determined.
std::optional<Shape> shape_of_degrees(const LayoutRequest& request, const std::array<double, 3>& degrees,
                                      const std::array<std::size_t, 3>& dimensions) {
  Shape shape;
  shape.count = request.topology.count;
  std::size_t open = Roles::none;
  double product = 1.0;
  for (std::size_t r = 0; r < degrees.size(); ++r) {
    if (dimensions[r] == Roles::none) continue;
    shape.sizes[dimensions[r]] = degrees[r];
    if (is_given(degrees[r]))
      product *= degrees[r];
    else if (open == Roles::none)
      open = dimensions[r];
    else
      return std::nullopt;
  }
  if (open == Roles::none) return shape;
  shape.sizes[open] = is_given(request.device_count) ? divided(request.device_count, product) : absent;
  return is_given(shape.sizes[open]) ? std::optional(shape) : std::nullopt;
}

/// The shape with which `roles` satisfy the request, if it is unique.
std::optional<Shape> shape_for(const LayoutRequest& request, const Roles& roles) {
  const std::array degrees = said_degrees(request);
  const std::array dimensions{roles.tensor, roles.pipeline, roles.data};
  const std::optional<Shape> shape =
      request.shape.count == 0 ? shape_of_degrees(request, degrees, dimensions) : std::optional(request.shape);
  if (!shape) return std::nullopt;
  for (std::size_t r = 0; r < degrees.size(); ++r)
    if (!agrees(degrees[r], dimensions[r] == Roles::none ? 1.0 : shape->sizes[dimensions[r]])) return std::nullopt;
  return agrees(request.device_count, chips_of(*shape)) ? shape : std::nullopt;
}

bool allows(RoleOrder rule, RoleOrder needed) {
  return rule == RoleOrder::any || rule == needed;
}

}  // namespace

std::optional<Arrangement> arrangement_of(const LayoutRequest& request, const Convention& convention) {
  for (const RoleChoice& choice : role_choices) {
    const bool is_asked = request.roles == nullptr
                              ? choice.order == RoleOrder::tensor_pipeline_data
                              : request.roles == &choice && allows(convention.role_order, choice.order);
    if (!is_asked || choice.dimensions != request.topology.count) continue;
    if (const std::optional<Shape> shape = shape_for(request, choice.roles)) return Arrangement{choice.roles, *shape};
  }
  return std::nullopt;
}

std::optional<Shape> whole_machine_shape(const LayoutRequest& request) {
  const std::array degrees = said_degrees(request);
  Shape shape = request.shape;
  if (shape.count == 0) {
    shape.count = request.topology.count;
    for (std::size_t d = 0; d < shape.count; ++d) shape.sizes[d] = degrees[d];
    if (shape.count == 1 && !is_given(shape.sizes[0])) shape.sizes[0] = request.device_count;
    for (std::size_t d = 0; d < shape.count; ++d)
      if (!is_given(shape.sizes[d])) return std::nullopt;
  }
  const double chips = chips_of(shape);
  double product = 1.0;
  bool all_said = true;
  for (const double degree : degrees) {
    if (is_given(degree))
      product *= degree;
    else
      all_said = false;
  }
  if (all_said ? product != chips : !is_given(divided(chips, product))) return std::nullopt;
  return agrees(request.device_count, chips) ? std::optional(shape) : std::nullopt;
}

}  // namespace dfsweep::dataflow
