#include "models/training/walk/point_walk.hpp"

#include <algorithm>
#include <limits>

namespace dfsweep::training {

namespace {

constexpr std::uint64_t unloaded = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t most_kept = 8192;

constexpr Parts start_parts =
    set_of(Part::degrees) | set_of(Part::batch) | set_of(Part::choices) | set_of(Part::machine) | set_of(Part::format);
constexpr Parts execution_parts =
    set_of(Part::model) | set_of(Part::sharding) | set_of(Part::offload) | set_of(Part::shape);

}  // namespace

constexpr PointWalk::Results PointWalk::results_of(Part part) {
  switch (part) {
    case Part::machine:
    case Part::layer:
      return of_activations | of_memory;
    case Part::offload:
      return of_offload | of_memory;
    case Part::sharding:
    case Part::states:
      return of_memory;
    case Part::degrees:
    case Part::sending:
      return of_pipeline | of_exchange;
    case Part::stages:
      return of_pipeline | of_exchange | of_flop;
    case Part::shape:
      return all_results;
    case Part::update:
      return of_exchange;
    default:
      return 0;
  }
}

template <class Value>
PointWalk::Kept<Value>::Kept(Part what, const PartSpaces& spaces) : part(what), cache(spaces.size(what), most_kept) {}

PointWalk::PointWalk(const DecodedValues& decoded, const PartSpaces& spaces)
    : decoded_(&decoded),
      run_(spaces),
      machine_(Part::machine, spaces),
      format_(Part::format, spaces),
      degrees_(Part::degrees, spaces),
      batch_(Part::batch, spaces),
      choices_(Part::choices, spaces),
      shards_(Part::sharding, spaces),
      offload_(Part::offload, spaces),
      shape_(Part::shape, spaces),
      states_(Part::states, spaces),
      layer_(Part::layer, spaces),
      stages_(Part::stages, spaces),
      sending_(Part::sending, spaces),
      bill_(Part::bill, spaces),
      update_(Part::update, spaces) {
  loaded_.elements.fill(unloaded);
}

template <class Value, class Compute>
bool PointWalk::load(Kept<Value>& kept, Compute compute) {
  if (!has_changed(set_of(kept.part))) return false;
  const std::uint64_t wanted = run_.number(kept.part, k_);
  const bool is_other = wanted != loaded_[kept.part];
  if (is_other) {
    loaded_[kept.part] = unloaded;  // an exception leaves nothing loaded
    kept.now = &kept.cache.at(wanted, compute);
    loaded_[kept.part] = wanted;
    stale_ |= results_of(kept.part);
  }
  changed_ &= ~set_of(kept.part);
  return is_other;
}

Rule PointWalk::go_to(const PointCodes& codes, std::size_t k) {
  k_ = k;
  changed_ |= run_.changes(k);
  const PointValues values(decoded_->numbers, codes, run_.first() + k);
  if (has_changed(start_parts)) early_rule_ = load_start(values);
  if (early_rule_ < Rule::host_memory) return early_rule_;  // all other rules come after these
  if (is_assembled_ && !has_changed(execution_parts)) return rule_;
  load_model(values);
  const bool other_shards = load(shards_, [&] { return shards_at(*decoded_, values); });
  const bool other_offload = load(offload_, [&] { return offload_at(values); });
  if (is_assembled_ && other_shards) set_shards(*shards_.now, point_.point.software.kept, point_.point.execution);
  if (is_assembled_ && other_offload) set_offload(*offload_.now, point_.point.execution);
  const bool other_shape = load(shape_, [&] {
    assemble();
    const PipelineShape shape = pipeline_shape(point_.point.execution);
    return ShapeParts{shape, held_layers(point_.point.architecture, point_.point.execution), schedule_rule(shape)};
  });
  const bool is_other = !is_assembled_ || other_shards || other_shape;
  if (!is_other && !other_offload) return rule_;
  if (!is_assembled_) assemble();
  if (is_other) {
    rule_of_parts_ = std::min({early_rule_, machine_.now->rule, shape_.now->rule});
    can_run_.reset();
  }
  return rule_ = start_rule();
}

Rule PointWalk::load_start(const PointValues& values) {
  if (load(degrees_, [&] { return degrees_at(*decoded_, values); })) is_assembled_ = false;
  if (degrees_.now->rule <= Rule::product) return degrees_.now->rule;
  if (load(batch_, [&] { return batch_at(*decoded_, values, degrees_.now->parallel.data); })) is_assembled_ = false;
  if (load(choices_, [&] { return choices_at(values); })) is_assembled_ = false;
  load_machine(values);
  if (load(format_, [&] { return format_at(values, machine_.now->system.accelerator.formats); })) is_assembled_ = false;
  return std::min({degrees_.now->rule, batch_.now->rule, choices_.now->rule, format_.now->rule});
}

void PointWalk::load_machine(const PointValues& values) {
  if (!load(machine_, [&] { return machine_at(*decoded_, values); })) return;
  is_assembled_ = false;
  point_.system = machine_.now->system;
  point_.point.accelerator = machine_.now->system.accelerator;
  point_.point.network = machine_.now->network;
  point_.point.software = machine_.now->software;
  point_.stack = machine_.now->stack;
  point_.evidence = machine_.now->evidence;
}

void PointWalk::load_model(const PointValues& values) {
  if (!has_changed(set_of(Part::model))) return;
  const std::uint64_t wanted = values.code(Parameter::model);
  if (wanted != loaded_[Part::model]) {
    point_.point.architecture = decoded_->models[wanted];
    loaded_[Part::model] = wanted;
    is_assembled_ = false;
  }
  changed_ &= ~set_of(Part::model);
}

void PointWalk::assemble() {
  Execution& e = point_.point.execution;
  e = execution_of(*format_.now, *degrees_.now, *batch_.now, *choices_.now);
  set_shards(*shards_.now, point_.point.software.kept, e);
  set_offload(*offload_.now, e);
  point_.products = format_.now->products;
  has_demand_ = false;
  is_assembled_ = true;
}

Rule PointWalk::start_rule() {
  const Rule rule = std::min(rule_of_parts_, host_rule(point_.point.execution, point_.point.accelerator));
  if (rule <= Rule::stack || point_.stack == nullptr) return rule;
  if (!can_run_) can_run_ = can_stack_run();
  return *can_run_ ? rule : Rule::stack;
}

bool PointWalk::can_stack_run() {
  const TrainingPoint& point = point_.point;
  if (has_demand_)
    point_.demand.sharding = demanded_sharding(point.execution);
  else
    point_.demand = demand_of(point.architecture, point.execution, *format_.now, *choices_.now);
  has_demand_ = true;
  return can_run(*point_.stack, point_.demand);
}

void PointWalk::find_memory() {
  const TrainingPoint& point = point_.point;
  load(states_, [&] { return state_footprint(point.architecture, point.execution, point.software); });
  load(layer_, [&] { return kept_by_layer(point.architecture, point.execution, point.software); });
  if ((stale_ & of_memory) == 0) return;
  if ((stale_ & of_activations) != 0)
    activations_ = held_activations(*layer_.now, shape_.now->held, point.execution, point.software.kept);
  if ((stale_ & (of_activations | of_offload)) != 0) set_activations(activations_, point.execution, estimate_.memory);
  set_states(*states_.now, point.execution, point.software.kept, estimate_.memory);
  estimate_.fit = training::fit(point, estimate_.memory);
  stale_ &= ~(of_activations | of_offload | of_memory);
}

Fit PointWalk::fit() {
  find_memory();
  return estimate_.fit;
}

const StepEstimate& PointWalk::step() {
  find_memory();
  const TrainingPoint& point = point_.point;
  const auto placed = [&] { return place(point.execution.parallel, point.network.enclosures); };
  load(stages_, [&] { return stage_parts(point, placed()); });
  load(sending_, [&] { return stage_exchange(point, placed()); });
  load(update_, [&] { return step_ends(point); });
  if ((stale_ & of_pipeline) != 0) {
    StageParts stages = *stages_.now;
    stages.stages = point.execution.parallel.pipeline;
    const PipelineTimes pipeline = pipeline_times(point, stages, shape_.now->shape, *sending_.now);
    set_pipeline(point, shape_.now->shape, *sending_.now, pipeline, estimate_);
    window_ = gradient_window(point);
  }
  if ((stale_ & of_exchange) != 0) set_exchange(point, update_.now->exchange, window_, estimate_);
  stale_ &= ~(of_pipeline | of_exchange);
  set_ends(point, *update_.now, estimate_);
  return estimate_;
}

void PointWalk::find_bill(const PointCodes& codes) {
  const PointValues values(decoded_->numbers, codes, run_.first() + k_);
  if (load(bill_, [&] { return bill_at(*decoded_, values, point_.system); })) point_.bill = *bill_.now;
}

const StepEstimate& PointWalk::whole_step() {
  step();
  if ((stale_ & of_flop) != 0) set_flop(point_.point, estimate_);
  stale_ &= ~of_flop;
  set_utilization(point_.point, estimate_);
  return estimate_;
}

}  // namespace dfsweep::training
