/// The contradictions detected by layout_of, simplest first.
#include "models/dataflow/parallelism/layout_problem.hpp"

#include <array>
#include <cmath>

#include "models/absent.hpp"

namespace dfsweep::dataflow {

namespace {

/// Text of a size, degree or count, all of which are whole numbers.
std::string whole(double number) {
  return std::to_string(static_cast<long long>(number));
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

struct Degrees {
  std::string product_text;  ///< of the given degrees: "tensor_parallel 4 x pipeline_parallel 2"
  double product = 1.0;
  std::size_t said = 0;
  std::size_t above_one = 0;
};

Degrees degrees_of(const LayoutRequest& request) {
  const std::array names{"tensor_parallel", "pipeline_parallel", "data_parallel"};
  const std::array values{request.tensor_parallel, request.pipeline_parallel, request.data_parallel};
  Degrees degrees;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_given(values[i])) continue;
    degrees.product_text += (degrees.said == 0 ? "" : " x ") + (names[i] + (" " + whole(values[i])));
    degrees.product *= values[i];
    ++degrees.said;
    degrees.above_one += values[i] > 1.0 ? 1 : 0;
  }
  return degrees;
}

std::string shape_text(const Shape& shape) {
  std::string text = "shape ";
  for (std::size_t d = 0; d < shape.count; ++d) text += (d == 0 ? "" : "x") + whole(shape.sizes[d]);
  return text;
}

/// A contradiction independent of the workload; empty: no contradiction.
std::string contradiction(const LayoutRequest& request, const Degrees& degrees) {
  const std::size_t dimensions = request.topology.count;
  if (request.shape.count != 0) {
    const std::string shape = shape_text(request.shape) + " has ";
    const double chips = chips_of(request.shape);
    for (std::size_t d = dimensions; d < request.shape.count; ++d)
      if (request.shape.sizes[d] != 1.0)
        return shape + counted(request.shape.count, "size") + ", the topology " + counted(dimensions, "dimension");
    if (request.shape.count < dimensions)
      return shape + counted(request.shape.count, "size") + ", the topology " + counted(dimensions, "dimension");
    if (is_given(request.device_count) && chips != request.device_count)
      return shape + whole(chips) + " chips, device_count is " + whole(request.device_count);
  }
  const double chips = request.shape.count != 0 ? chips_of(request.shape) : request.device_count;
  if (!is_given(chips)) return {};
  const bool divides = std::fmod(chips, degrees.product) == 0.0;
  if (degrees.said == 3 ? degrees.product != chips : !divides)
    return degrees.product_text + (degrees.said == 3 ? " is not " : " does not divide ") + whole(chips) + " chips";
  return {};
}

/// Why the pipeline cannot have this number of stages; empty: no problem.
std::string pipeline_problem(const LayoutRequest& request, const Workload& workload, const Convention& convention) {
  const double stages = request.pipeline_parallel;
  const double kernels = static_cast<double>(workload.graph.kernels.size());
  const bool shares_kernels = convention.stage_rule == StageRule::kernels && workload.layers == 1.0;
  if (is_given(stages) && stages > (shares_kernels ? kernels : workload.layers))
    return "pipeline_parallel " + whole(stages) + " is more than the " +
           (shares_kernels ? whole(kernels) + " kernels" : whole(workload.layers) + " layers") + " of the workload";
  const double layers_per_stage = is_given(stages) ? std::ceil(workload.layers / stages) : workload.layers;
  if (request.interleaving > layers_per_stage)
    return "interleaving " + whole(request.interleaving) + " is more than the " + whole(layers_per_stage) +
           " layers of a stage";
  return {};
}

}  // namespace

std::string layout_problem(const LayoutRequest& request, const Workload& workload, const Convention& convention) {
  const Degrees degrees = degrees_of(request);
  const std::size_t dimensions = request.topology.count;
  if (std::string problem = contradiction(request, degrees); !problem.empty()) return problem;
  const bool has_roles = workload.spread == Spread::tensor_parallel;
  const bool has_stages = has_roles || (convention.stage_rule == StageRule::kernels &&
                                        is_given(request.pipeline_parallel) && request.pipeline_parallel > 1.0);
  if (has_stages) {
    if (std::string problem = pipeline_problem(request, workload, convention); !problem.empty()) return problem;
    if (degrees.above_one > dimensions)
      return degrees.product_text + ": every degree above 1 needs a dimension of its own, the topology has " +
             std::to_string(dimensions);
  }
  if (request.shape.count == 0 && !has_stages)
    return "this workload uses all chips in the same way: it needs a shape, or all degrees as the sizes of the " +
           counted(dimensions, "dimension") + (dimensions == 1 ? ", or device_count alone" : "");
  if (request.shape.count == 0 && degrees.said < 3)
    return "degrees and device_count do not determine the shape: give the shape or one more degree";
  return "no order of roles gives the " + counted(dimensions, "dimension") + " of the topology these degrees";
}

}  // namespace dfsweep::dataflow
