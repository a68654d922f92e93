#include "models/training/explain/pipeline_sections.hpp"

#include <algorithm>
#include <cmath>

#include "models/training/pipeline/timeline.hpp"

namespace dfsweep::training {

namespace {

constexpr double most_stages = 128;

/// The shape with no more micro-batches than show the pattern, or nothing where the schedule cannot run it.
std::optional<PipelineShape> drawn_shape(PipelineShape shape) {
  const double p = shape.stages;
  if (p < 2 || p > most_stages) return std::nullopt;
  if (schedule_fit(shape) != ScheduleFit::runs) return std::nullopt;
  shape.micro_batches = std::min(std::ceil(shape.micro_batches), shape.chunks > 1 ? 2 * p : 3 * p);
  return shape;
}

std::size_t category_of(const OperationGroup& group) {
  if (group.front().pass == Pass::forward) return group.size() > 1 ? 3 : 0;
  return group.front().pass == Pass::backward_input ? 1 : 2;
}

std::string micro_batches_of(const OperationGroup& group) {
  std::string text = std::to_string(group.front().micro + 1);
  for (const Operation& operation : group)
    if (operation.micro != group.front().micro) return text + "+" + std::to_string(operation.micro + 1);
  return text;
}

}  // namespace

std::optional<PipelineExplanation> explain_pipeline(const PipelineShape& shape, const PipelineWork& work) {
  const std::optional<PipelineShape> drawn = drawn_shape(shape);
  if (!drawn) return std::nullopt;
  const auto timeline = pipeline_timeline(orders_of(*drawn), work);
  const Seconds end = end_of(timeline);
  PipelineExplanation all;
  all.section.title = "the pipeline, run for " + std::to_string(static_cast<int>(drawn->micro_batches)) +
                      " micro-batches without exchanges of weights";
  all.section.facts = {{"these micro-batches end after", end.value(), "s"},
                       {"micro-batches of the step", shape.micro_batches, ""},
                       {"all micro-batches of the step end after", pipeline_time(shape, work).value(), "s"}};
  all.section.table.headings = {"device", "begins", "ends", "works", "waits", "works, share"};
  all.section.table.units = {"", "s", "s", "s", "s", "1"};
  all.drawing = {.title = ", " + all.section.title,
                 .categories = {"forward", "backward", "gradients of weights", "forward and backward"},
                 .lanes = {},
                 .bars = {}};
  for (std::size_t d = 0; d < timeline.size(); ++d) {
    Seconds working;
    for (const TimedOperations& timed : timeline[d]) {
      if (timed.end == timed.begin) continue;  // backward passes of a forward phase
      working += timed.end - timed.begin;
      all.drawing.bars.push_back({d, timed.begin.value(), timed.end.value(), category_of(timed.operations),
                                  micro_batches_of(timed.operations)});
    }
    all.drawing.lanes.push_back("stage " + std::to_string(d + 1));
    all.section.table.rows.push_back({all.drawing.lanes.back(), timeline[d].front().begin.value(),
                                      timeline[d].back().end.value(), working.value(), (end - working).value(),
                                      working / end});
  }
  return all;
}

}  // namespace dfsweep::training
