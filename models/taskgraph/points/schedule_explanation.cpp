#include "models/taskgraph/points/schedule_explanation.hpp"

#include <algorithm>
#include <vector>

namespace dfsweep::taskgraph {

namespace {

constexpr std::size_t most_chain_rows = 100;
constexpr std::size_t most_busy_facts = 12;
constexpr std::size_t most_bars = 2000;

Seconds time_of_task(const RunSchedule& run, TaskIndex task) {
  return run.schedule.ends()[task] - run.schedule.starts()[task];
}

Explanation groups_section(const RunSchedule& run) {
  Explanation groups{.title = "groups", .facts = {}, .table = {}, .sections = {}};
  groups.table.headings = {"group", "devices", "busy", "busy fraction", "share of the critical path"};
  groups.table.units = {"", "", "s", "", ""};
  std::vector<Seconds> on_chain(run.graph.groups());
  for (const TaskIndex task : run.chain) on_chain[run.graph.group(task)] += time_of_task(run, task);
  for (std::size_t g = 0; g < on_chain.size(); ++g) {
    const Seconds busy = run.schedule.busy()[g];
    groups.table.rows.push_back(
        {run.group_name(g), run.group_devices(g), busy.value(), busy / run.whole, on_chain[g] / run.whole});
  }
  return groups;
}

Explanation chain_section(const RunSchedule& run) {
  Explanation chain{.title = "tasks of the critical path", .facts = {}, .table = {}, .sections = {}};
  chain.table.headings = {"task", "group", "start", "time", "share of the step"};
  chain.table.units = {"", "", "s", "s", ""};
  for (const TaskIndex task : run.chain.first(std::min(run.chain.size(), most_chain_rows))) {
    const Seconds time = time_of_task(run, task);
    chain.table.rows.push_back({run.task_name(task), run.group_name(run.graph.group(task)),
                                run.schedule.starts()[task].value(), time.value(), time / run.whole});
  }
  chain.facts.push_back({"tasks on it", static_cast<double>(run.chain.size()), ""});
  if (run.chain.size() > most_chain_rows) chain.facts.push_back({"listed", static_cast<double>(most_chain_rows), ""});
  for (std::size_t g = 0; g < std::min(run.graph.groups(), most_busy_facts); ++g)
    chain.facts.push_back({"busy fraction of " + run.group_name(g), run.schedule.busy()[g] / run.whole, ""});
  return chain;
}

TimelineDrawing timeline_of(const RunSchedule& run) {
  TimelineDrawing drawing{", tasks on groups", {"on the critical path", "off the critical path"}, {}, {}};
  for (std::size_t g = 0; g < run.graph.groups(); ++g) drawing.lanes.push_back(run.group_name(g));
  std::vector<std::size_t> category(run.graph.tasks(), 1);
  for (const TaskIndex task : run.chain) category[task] = 0;
  for (TaskIndex task = 0; task < run.graph.tasks(); ++task)
    drawing.bars.push_back({run.graph.group(task), run.schedule.starts()[task].value(),
                            run.schedule.ends()[task].value(), category[task], run.task_name(task)});
  return drawing;
}

}  // namespace

void add_schedule(const RunSchedule& run, Explanation& all) {
  all.sections.push_back(groups_section(run));
  all.sections.push_back(chain_section(run));
  if (run.graph.tasks() <= most_bars) all.timeline = timeline_of(run);
}

}  // namespace dfsweep::taskgraph
