#include "models/training/pipeline/timeline.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "models/expect.hpp"

namespace dfsweep::training {

namespace {

using enum Pass;

std::vector<Operation> needs(const Operation& o, int stages) {
  if (o.pass == backward_weight) return {{backward_input, o.end, o.stage, o.micro}};
  std::vector<Operation> before;
  if (o.pass == forward && o.stage > 0) before.push_back({forward, o.end, o.stage - 1, o.micro});
  if (o.pass == backward_input) before.push_back({forward, o.end, o.stage, o.micro});
  if (o.pass == backward_input && o.stage + 1 < stages) before.push_back({backward_input, o.end, o.stage + 1, o.micro});
  return before;
}

/// When the group can start; nothing while something that it needs is not done.
std::optional<Seconds> start(const OperationGroup& group, Seconds from, const std::map<Operation, Seconds>& done,
                             int stages) {
  for (const Operation& operation : group)
    for (const Operation& before : needs(operation, stages)) {
      if (std::find(group.begin(), group.end(), before) != group.end()) continue;
      const auto found = done.find(before);
      if (found == done.end()) return std::nullopt;
      from = std::max(from, found->second);
    }
  return from;
}

Seconds duration(Pass pass, const StageWork& work) {
  return pass == forward ? work.forward : pass == backward_input ? work.backward_input : work.backward_weight;
}

/// Of all operations of a group, one after the other; a forward pass beside a backward pass hides exchanges.
Seconds duration(const OperationGroup& group, const StageWork& work, int chunks) {
  const bool is_pair = group.front().pass == forward && group.size() > 1;
  Seconds all;
  for (const Operation& operation : group) all += duration(operation.pass, work) / chunks;
  return is_pair ? all - work.hidden_in_pair / chunks : all;
}

}  // namespace

std::vector<std::vector<TimedOperations>> pipeline_timeline(const PipelineOrders& orders, const PipelineWork& work) {
  std::map<Operation, Seconds> done;
  std::vector<std::vector<TimedOperations>> timeline(orders.devices.size());
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t d = 0; d < orders.devices.size(); ++d)
      while (timeline[d].size() < orders.devices[d].size()) {
        const OperationGroup& group = orders.devices[d][timeline[d].size()];
        const auto begin = start(group, timeline[d].empty() ? Seconds{} : timeline[d].back().end, done, orders.stages);
        if (!begin) break;
        const bool is_last = d + 1 == orders.devices.size();
        const Seconds end = *begin + duration(group, is_last ? work.heaviest : work.other, orders.chunks);
        for (const Operation& operation : group) done[operation] = end;
        timeline[d].push_back({group, *begin, end});
        moved = true;
      }
  }
  for (std::size_t d = 0; d < orders.devices.size(); ++d)
    DFSWEEP_EXPECT(timeline[d].size() == orders.devices[d].size());
  return timeline;
}

Seconds end_of(const std::vector<std::vector<TimedOperations>>& timeline) {
  Seconds end;
  for (const auto& device : timeline)
    if (!device.empty()) end = std::max(end, device.back().end);
  return end;
}

}  // namespace dfsweep::training
