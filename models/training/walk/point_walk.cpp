#include "models/training/walk/point_walk.hpp"

#include <algorithm>
#include <limits>

namespace dfsweep::training {

namespace {

constexpr std::uint64_t unloaded = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t most_kept = 8192;

constexpr std::array memory_parts{Part::machine, Part::storage, Part::shape, Part::states, Part::layer};
constexpr std::array pipeline_parts{Part::degrees, Part::shape, Part::stages, Part::sending};
constexpr std::array flop_parts{Part::shape, Part::stages};

}  // namespace

template <class Value>
PointWalk::Kept<Value>::Kept(Part what, const PartSpaces& spaces) : part(what), cache(spaces.size(what), most_kept) {}

PointWalk::PointWalk(const DecodedValues& decoded, const PartSpaces& spaces)
    : decoded_(&decoded),
      spaces_(&spaces),
      machine_(Part::machine, spaces),
      format_(Part::format, spaces),
      degrees_(Part::degrees, spaces),
      batch_(Part::batch, spaces),
      choices_(Part::choices, spaces),
      storage_(Part::storage, spaces),
      shape_(Part::shape, spaces),
      states_(Part::states, spaces),
      layer_(Part::layer, spaces),
      stages_(Part::stages, spaces),
      sending_(Part::sending, spaces),
      bill_(Part::bill, spaces),
      update_(Part::update, spaces) {
  loaded_.elements.fill(unloaded);
  memory_key_.fill(unloaded);
  pipeline_key_.fill(unloaded);
  flop_key_.fill(unloaded);
}

std::size_t PointWalk::start_run(const PointColumns& points, std::size_t first) {
  first_ = first;
  const std::size_t count = std::min(walk_run, points.count() - first);
  spaces_->find_constant(points, first, count, is_constant_);
  for (const Part part : all_of<Part>)
    if (part != Part::bill) number_part(part, points, count);
  run_ = &points;
  run_count_ = count;
  has_bills_ = false;
  return count;
}

void PointWalk::number_part(Part part, const PointColumns& points, std::size_t count) {
  const std::span<std::uint64_t> out = std::span(numbers_[part]).first(count);
  stride_[part] = spaces_->number(part, points, first_, is_constant_, serial_, out) ? 0 : 1;
}

template <class Value, class Compute>
bool PointWalk::load(Kept<Value>& kept, Compute compute) {
  const std::uint64_t wanted = number(kept.part);
  if (wanted == loaded_[kept.part]) return false;
  loaded_[kept.part] = unloaded;  // an exception leaves nothing loaded
  kept.now = &kept.cache.at(wanted, compute);
  loaded_[kept.part] = wanted;
  return true;
}

template <std::size_t size>
bool PointWalk::differs(std::array<std::uint64_t, size>& key, const std::array<Part, size>& parts) const {
  bool found = false;
  for (std::size_t p = 0; p < size; ++p) {
    const std::uint64_t loaded = loaded_[parts[p]];
    found = found || key[p] != loaded;
    key[p] = loaded;
  }
  return found;
}

Rule PointWalk::go_to(const PointCodes& codes, std::size_t k) {
  k_ = k;
  const PointValues values(decoded_->numbers, codes, first_ + k);
  if (load(degrees_, [&] { return degrees_at(*decoded_, values); })) is_assembled_ = false;
  if (degrees_.now->rule <= Rule::product) return degrees_.now->rule;
  if (load(batch_, [&] { return batch_at(*decoded_, values, degrees_.now->parallel.data); })) is_assembled_ = false;
  if (load(choices_, [&] { return choices_at(values); })) is_assembled_ = false;
  if (load(machine_, [&] { return machine_at(*decoded_, values); })) {
    is_assembled_ = false;
    point_.system = machine_.now->system;
    point_.point.accelerator = machine_.now->system.accelerator;
    point_.point.network = machine_.now->network;
    point_.point.software = machine_.now->software;
    point_.stack = machine_.now->stack;
  }
  if (load(format_, [&] { return format_at(values, machine_.now->system.accelerator.formats); })) is_assembled_ = false;
  // All other rules come after these.
  const Rule early = std::min({degrees_.now->rule, batch_.now->rule, choices_.now->rule, format_.now->rule});
  if (early < Rule::host_memory) return early;
  if (number(Part::model) != loaded_[Part::model]) {
    point_.point.architecture = decoded_->models[values.code(Parameter::model)];
    loaded_[Part::model] = number(Part::model);
    is_assembled_ = false;
  }
  const bool other_storage = load(storage_, [&] { return storage_at(*decoded_, values); });
  if (is_assembled_ && other_storage) store(*storage_.now, point_.point.software.kept, point_.point.execution);
  const bool other_shape = load(shape_, [&] {
    assemble();
    const PipelineShape shape = pipeline_shape(point_.point.execution);
    return ShapeParts{shape, held_layers(point_.point.architecture, point_.point.execution), schedule_rule(shape)};
  });
  if (is_assembled_ && !other_storage && !other_shape) return rule_;
  if (!is_assembled_) assemble();
  return rule_ = start_rule();
}

void PointWalk::assemble() {
  Execution& e = point_.point.execution;
  e = execution_of(*format_.now, *degrees_.now, *batch_.now, *choices_.now);
  store(*storage_.now, point_.point.software.kept, e);
  point_.products = format_.now->products;
  is_assembled_ = true;
}

Rule PointWalk::start_rule() const {
  const Rule rule =
      std::min({degrees_.now->rule, batch_.now->rule, choices_.now->rule, machine_.now->rule, format_.now->rule,
                shape_.now->rule, host_rule(point_.point.execution, point_.point.accelerator)});
  if (rule <= Rule::stack || point_.stack == nullptr) return rule;
  const TrainingPoint& point = point_.point;
  const StackDemand demand = demand_of(point.architecture, point.execution, *format_.now, *choices_.now);
  return can_run(*point_.stack, demand) ? rule : Rule::stack;
}

void PointWalk::find_memory() {
  const TrainingPoint& point = point_.point;
  load(states_, [&] { return state_footprint(point.architecture, point.execution, point.software); });
  load(layer_, [&] { return kept_by_layer(point.architecture, point.execution, point.software); });
  if (!differs(memory_key_, memory_parts)) return;
  estimate_.memory = memory_footprint(*states_.now, *layer_.now, shape_.now->held, point.execution, point.software);
  estimate_.fit = training::fit(point, estimate_.memory);
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
  if (differs(pipeline_key_, pipeline_parts)) {
    StageParts stages = *stages_.now;
    stages.stages = point.execution.parallel.pipeline;
    const PipelineTimes pipeline = pipeline_times(point, stages, shape_.now->shape, *sending_.now);
    set_pipeline(point, shape_.now->shape, *sending_.now, pipeline, estimate_);
    window_ = gradient_window(point);
  }
  set_ends(point, *update_.now, window_, estimate_);
  return estimate_;
}

void PointWalk::find_bill(const PointCodes& codes) {
  const PointValues values(decoded_->numbers, codes, first_ + k_);
  if (!has_bills_) number_part(Part::bill, *run_, run_count_);
  has_bills_ = true;
  if (load(bill_, [&] { return bill_at(*decoded_, values, point_.system); })) point_.bill = *bill_.now;
}

const StepEstimate& PointWalk::whole_step() {
  step();
  if (differs(flop_key_, flop_parts)) set_flop(point_.point, estimate_);
  set_utilization(point_.point, estimate_);
  return estimate_;
}

}  // namespace dfsweep::training
