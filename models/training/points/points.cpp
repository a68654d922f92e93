#include "models/training/points/points.hpp"

#include "models/training/points/point_parts.hpp"
#include "models/training/step/estimate.hpp"

namespace dfsweep::training {

Point point_at(const DecodedValues& values, const PointCodes& codes, std::size_t i) {
  const PointValues v(values.numbers, codes, i);
  const Machine machine = machine_at(values, v);
  const Accelerator& accelerator = machine.system.accelerator;
  const ProductFormat format = format_at(v, accelerator.formats);
  const Degrees degrees = degrees_at(values, v);
  const BatchSizes batch = batch_at(values, v, degrees.parallel.data);
  const Choices choices = choices_at(v);
  Execution e = execution_of(format, degrees, batch, choices);
  set_shards(shards_at(values, v), machine.software.kept, e);
  set_offload(offload_at(v), e);
  Point result;
  result.system = machine.system;
  result.bill = bill_at(values, v, machine.system);
  result.point = {values.models[v.code(Parameter::model)], e, accelerator, machine.network, machine.software};
  result.products = format.products;
  result.stack = machine.stack;
  result.evidence = machine.evidence;
  if (result.stack != nullptr) result.demand = demand_of(result.point.architecture, e, format, choices);
  const bool can_start = result.stack == nullptr || can_run(*result.stack, result.demand);
  const Rule broken =
      std::min({machine.rule, format.rule, degrees.rule, batch.rule, choices.rule, host_rule(e, accelerator),
                schedule_rule(pipeline_shape(e)), can_start ? Rule::none : Rule::stack});
  result.status = status_of(broken);
  return result;
}

}  // namespace dfsweep::training
