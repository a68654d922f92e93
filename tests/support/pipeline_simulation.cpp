/// The clock, and the check of what it gave.
#include "tests/support/pipeline_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace dfsweep::testing {

namespace {

using training::Operation;
using training::OperationGroup;
using training::Pass;

/// Passes that have to end before this one, by what a transformer computes from what.
std::vector<Operation> inputs_of(const Operation& o, int stages) {
  switch (o.pass) {
    case Pass::forward:
      if (o.stage == 0) return {};
      return {{Pass::forward, o.end, o.stage - 1, o.micro}};
    case Pass::backward_input:
      if (o.stage == stages - 1) return {{Pass::forward, o.end, o.stage, o.micro}};
      return {{Pass::backward_input, o.end, o.stage + 1, o.micro}, {Pass::forward, o.end, o.stage, o.micro}};
    case Pass::backward_weight:
      return {{Pass::backward_input, o.end, o.stage, o.micro}};
  }
  return {};
}

struct Clock {
  const training::PipelineOrders& orders;
  std::map<Operation, double> ended;

  [[nodiscard]] bool can_start(const OperationGroup& group, double now) const {
    return std::all_of(group.begin(), group.end(), [&](const Operation& operation) {
      const std::vector<Operation> inputs = inputs_of(operation, orders.stages);
      return std::all_of(inputs.begin(), inputs.end(), [&](const Operation& input) {
        const auto found = ended.find(input);
        const bool is_inside = std::find(group.begin(), group.end(), input) != group.end();
        return is_inside || (found != ended.end() && found->second <= now);
      });
    });
  }
};

}  // namespace

std::optional<SimulatedPipeline> simulate_pipeline(const training::PipelineOrders& orders,
                                                   const std::function<double(const OperationGroup&)>& duration) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Clock clock{orders, {}};
  SimulatedPipeline pipeline(orders.devices.size());
  for (double now = 0; now < never;) {
    bool started = false;
    double next = never;
    for (std::size_t d = 0; d < pipeline.size(); ++d) {
      const double free = pipeline[d].empty() ? 0.0 : pipeline[d].back().end;
      if (free > now) next = std::min(next, free);
      if (free > now || pipeline[d].size() == orders.devices[d].size()) continue;
      const OperationGroup& group = orders.devices[d][pipeline[d].size()];
      if (!clock.can_start(group, now)) continue;
      pipeline[d].push_back({group, now, now + duration(group)});
      for (const Operation& operation : group) clock.ended[operation] = pipeline[d].back().end;
      started = true;
    }
    if (!started) now = next;
  }
  for (std::size_t d = 0; d < pipeline.size(); ++d)
    if (pipeline[d].size() != orders.devices[d].size()) return std::nullopt;
  return pipeline;
}

double end_of(const SimulatedPipeline& pipeline) {
  double end = 0.0;
  for (const auto& device : pipeline)
    for (const SimulatedGroup& group : device) end = std::max(end, group.end);
  return end;
}

std::string impossible_in(const SimulatedPipeline& pipeline, int stages, int micro_batches, int ends) {
  std::map<Operation, const SimulatedGroup*> ran;
  const int devices = static_cast<int>(pipeline.size());
  for (int d = 0; d < devices; ++d) {
    double free = 0.0;
    for (const SimulatedGroup& group : pipeline[static_cast<std::size_t>(d)]) {
      if (group.begin < free || group.end < group.begin) return fmt::format("device {} runs two groups at once", d);
      free = group.end;
      for (const Operation& o : group.operations) {
        const int place = o.end == 0 ? o.stage % devices : devices - 1 - o.stage % devices;
        if (place != d) return fmt::format("stage {} runs on device {}", o.stage, d);
        if (!ran.emplace(o, &group).second) return fmt::format("stage {}, micro-batch {} twice", o.stage, o.micro);
      }
    }
  }
  const auto wanted = 3U * static_cast<std::size_t>(stages) * static_cast<std::size_t>(micro_batches);
  if (ran.size() != wanted) return fmt::format("{} passes instead of {}", ran.size(), wanted);
  for (const auto& [operation, group] : ran) {
    if (operation.end >= ends || operation.micro >= micro_batches / ends) return "a micro-batch too many";
    for (const Operation& input : inputs_of(operation, stages)) {
      const auto found = ran.find(input);
      if (found == ran.end()) return "an input is missing";
      if (found->second != group && found->second->end > group->begin)
        return fmt::format("stage {}, micro-batch {} starts too early", operation.stage, operation.micro);
    }
  }
  return {};
}

}  // namespace dfsweep::testing
