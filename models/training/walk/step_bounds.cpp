#include "models/training/walk/step_bounds.hpp"

#include <algorithm>
#include <limits>

namespace dfsweep::training {

namespace {

constexpr std::uint64_t most_known = 8192;
constexpr double allows_for_rounding = 1 - 1e-9;
constexpr double unknown_bound = -std::numeric_limits<double>::infinity();

}  // namespace

template <class Value>
StepBounds::Known<Value>::Known(Part what, const PartSpaces& spaces)
    : part(what), cache(spaces.size(what), most_known) {}

StepBounds::StepBounds(const DecodedValues& decoded, const PartSpaces& spaces)
    : spaces_(&spaces),
      walk_(decoded, spaces),
      layers_(Part::stages, spaces),
      pipeline_(Part::shape, spaces),
      ends_(Part::update, spaces) {}

StepBounds::Layers StepBounds::layers_of(const StageParts& stages) {
  return {(stages.layers * stages.layer.total() + stages.output.total()).value(),
          (stages.layers * stages.layer.hidden_in_pair).value()};
}

StepBounds::Pipeline StepBounds::pipeline_of(const PipelineShape& shape) {
  const double p = shape.stages;
  const double m = shape.micro_batches;
  if (p <= 1) return {m, 0.0};
  if (shape.schedule == Schedule::one_forward_one_backward) return {(m + (p - 1) / shape.chunks) / p, 0.0};
  return {m / p, shape.schedule == Schedule::dual_pipe ? m / p : 0.0};
}

StepBounds::Ends StepBounds::ends_of(const StepEnds& ends, double gradient_exposed) {
  const Seconds exchange = ends.exchange.dense.per_step + ends.exchange.experts.per_step;
  return {(gradient_exposed * exchange + ends.optimizer).value(), 1 + ends.straggler};
}

template <class Value>
void StepBounds::number(Known<Value>& known, const PointColumns& points, std::size_t first, std::size_t count) {
  const std::span<std::uint64_t> out = std::span(known.numbers).first(count);
  known.stride = spaces_->number(known.part, points, first, is_constant_, serial_, out) ? 0 : 1;
}

double StepBounds::bound_of(const Layers& layers, const Pipeline& pipeline, const Ends& ends) {
  const double in_pipeline = pipeline.passes * layers.seconds - pipeline.pairs * layers.hidden;
  return allows_for_rounding * (in_pipeline + ends.seconds) * ends.factor;
}

template <class Go>
double StepBounds::bound_of(std::size_t k, Go go) {
  const Layers* layers = layers_.cache.find(layers_.number(k));
  const Pipeline* pipeline = pipeline_.cache.find(pipeline_.number(k));
  const Ends* ends = ends_.cache.find(ends_.number(k));
  if (layers != nullptr && pipeline != nullptr && ends != nullptr) return bound_of(*layers, *pipeline, *ends);
  if (!go()) return unknown_bound;
  const double exposed = walk_.point().point.software.links.gradient_exposed;
  return bound_of(layers_.cache.at(layers_.number(k), [&] { return layers_of(walk_.stages()); }),
                  pipeline_.cache.at(pipeline_.number(k), [&] { return pipeline_of(walk_.shape()); }),
                  ends_.cache.at(ends_.number(k), [&] { return ends_of(walk_.ends(), exposed); }));
}

void StepBounds::find(const PointColumns& points, const PointCodes& codes, std::span<double> bound) {
  for (std::size_t first = 0; first < bound.size(); first += walk_run) {
    const std::size_t count = std::min(walk_run, bound.size() - first);
    spaces_->find_constant(points, first, count, is_constant_);
    number(layers_, points, first, count);
    number(pipeline_, points, first, count);
    number(ends_, points, first, count);
    bool has_started = false;
    for (std::size_t k = 0; k < count; ++k)
      bound[first + k] = bound_of(k, [&] {
        if (!has_started) walk_.start_run(points, first);
        has_started = true;
        return walk_.go_to(codes, k) == Rule::none;
      });
  }
}

}  // namespace dfsweep::training
