#include "models/training/explain/step_sections.hpp"

#include <string_view>
#include <vector>

namespace dfsweep::training {

namespace {

struct Part {
  std::string_view name;
  Seconds time;
};

/// All but the two passes themselves.
std::vector<Part> parts_beside_passes(const TimeBreakdown& t) {
  return {{"recomputation", t.recompute},
          {"tensor exchanges, visible", t.tensor_exchange},
          {"expert exchanges, visible", t.expert_exchange},
          {"context exchanges, visible", t.context_exchange},
          {"waiting for launches", t.host},
          {"heaviest stage", t.imbalance},
          {"bubble", t.bubble},
          {"between stages, visible", t.stage_exchange},
          {"gradients and weights, visible", t.data_exchange},
          {"offload, visible", t.offload},
          {"optimizer and fixed time", t.optimizer},
          {"stragglers", t.straggler}};
}

Explanation section(std::string title, std::vector<std::string> headings, std::vector<std::string> units) {
  Explanation all{.title = std::move(title), .facts = {}, .table = {}, .sections = {}};
  all.table.headings = std::move(headings);
  all.table.units = std::move(units);
  return all;
}

}  // namespace

Explanation time_section(const TimeBreakdown& t) {
  Explanation times = section("where the time goes", {"part", "time", "share"}, {"", "s", "1"});
  const Seconds step = t.total();
  const auto row = [&](std::string_view name, Seconds part) {
    times.table.rows.push_back({std::string(name), part.value(), part / step});
  };
  row("forward", t.forward);
  row("backward", t.backward);
  for (const Part& part : parts_beside_passes(t)) row(part.name, part.time);
  row("step", step);
  return times;
}

Explanation utilization_section(const StepEstimate& estimate) {
  const TimeBreakdown& t = estimate.time;
  const Seconds step = t.total();
  Explanation losses =
      section("from the peak rate to what is achieved", {"part", "takes away", "leaves"}, {"", "1", "1"});
  double left = 1.0;
  losses.table.rows.push_back({std::string("peak rate"), std::string("-"), left});
  const auto take = [&](std::string_view name, double share) {
    if (share == 0.0) return;
    left -= share;
    losses.table.rows.push_back({std::string(name), share, left});
  };
  for (const Part& part : parts_beside_passes(t)) take(part.name, part.time / step);
  take("kernels slower than the peak", (t.forward + t.backward) / step - estimate.model_flops_utilization_causal);
  losses.table.rows.push_back({std::string("model FLOP utilization, causal attention"), std::string("-"),
                               estimate.model_flops_utilization_causal});
  return losses;
}

}  // namespace dfsweep::training
