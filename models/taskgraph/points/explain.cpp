#include "models/taskgraph/points/explain.hpp"

#include <algorithm>
#include <array>

#include "models/short_number.hpp"
#include "models/taskgraph/points/metric_columns.hpp"
#include "models/taskgraph/strategies/station_graph.hpp"

namespace dfsweep::taskgraph {

namespace {

constexpr double most_listed_tasks = 50'000.0;  ///< graphs of more are not built for an explanation
constexpr std::size_t most_chain_rows = 100;
constexpr std::size_t most_busy_facts = 12;

std::string reason_text(const PointQuestion& q, const StepEstimate& e) {
  const Setting& s = q.setting;
  switch (e.obstacle) {
    case Obstacle::none:
      return "";
    case Obstacle::micro_batches:
      return short_number(s.micro_batches) + " micro-batches do not divide a batch of " +
             short_number(s.batch.sequences);
    case Obstacle::heads:
      return short_number(s.model.heads) + " heads are no multiple of tensor_parallel " +
             short_number(s.tensor_parallel);
    case Obstacle::ffn_hidden:
      return "ffn_hidden " + short_number(s.model.ffn_hidden) + " is no multiple of tensor_parallel " +
             short_number(s.tensor_parallel);
    case Obstacle::stages:
      return short_number(s.pipeline_parallel) + " stages for " + short_number(s.model.layers) + " layers";
    case Obstacle::device_count:
      return "device_count is " + short_number(s.device_count) + ", the degrees make " + short_number(e.devices);
    case Obstacle::pool:
      return "no device of " + short_number(s.device_count) + " is left for the pool";
    case Obstacle::cache:
      return "with tiles of one token the fullest of " + short_number(layerwise_devices(s)) + " devices needs " +
             amount_text(s.cache_capacity.value() / e.cache_fit, "B") + " of " +
             amount_text(s.cache_capacity.value(), "B") + " of cache";
    case Obstacle::no_profile:
      return "the measured tables do not know a product of the point";
    case Obstacle::count:
      break;
  }
  return "";
}

Explanation section(std::string title) {
  return {.title = std::move(title), .facts = {}, .table = {}, .sections = {}};
}

Explanation explain_result(const PointQuestion& q, const StepEstimate& e) {
  Explanation result = section("result");
  const StatusInfo& status = statuses()[index_of(status_of(e.obstacle))];
  result.facts = {{"status", std::string(status.name), ""}};
  if (e.obstacle != Obstacle::none) {
    result.facts.push_back({"reason", reason_text(q, e), ""});
    return result;
  }
  result.facts.push_back({"step time", e.step.value(), "s"});
  result.facts.push_back({"longest path of the dependences", e.critical_path.value(), "s"});
  for (const Part part : all_of<Part>)
    if (e.times.of[part] > Seconds{})
      result.facts.push_back(
          {"of the step, " + std::string(part_names[index_of(part)]), e.times.of[part].value(), "s"});
  result.facts.push_back({"devices", e.devices, ""});
  if (is_given(e.pool_devices)) result.facts.push_back({"pool devices", e.pool_devices, ""});
  if (is_given(e.token_tile)) result.facts.push_back({"tokens of a tile", e.token_tile, ""});
  if (is_given(e.cache_fit)) result.facts.push_back({"cache over what the fullest group needs", e.cache_fit, ""});
  return result;
}

/// A graph that was run, with what its parts are called.
struct RunGraph {
  const Scheduler& schedule;
  std::span<const TaskIndex> chain;
  Seconds whole;
};

/// `names(task)`: task and group.
template <class Names, class GroupName>
Explanation explain_chain(const RunGraph& run, const GroupName& group_name, const Names& names) {
  Explanation chain = section("tasks of the critical path");
  chain.table.headings = {"task", "group", "start", "time", "share of the step"};
  chain.table.units = {"", "", "s", "s", ""};
  for (const TaskIndex task : run.chain.first(std::min(run.chain.size(), most_chain_rows))) {
    const Seconds start = run.schedule.starts()[task];
    const Seconds time = run.schedule.ends()[task] - start;
    const auto [name, group] = names(task);
    chain.table.rows.push_back({name, group, start.value(), time.value(), time / run.whole});
  }
  chain.facts.push_back({"tasks on it", static_cast<double>(run.chain.size()), ""});
  const std::span<const Seconds> busy = run.schedule.busy();
  for (std::size_t g = 0; g < std::min(busy.size(), most_busy_facts); ++g)
    chain.facts.push_back({"busy fraction of " + group_name(g), busy[g] / run.whole, ""});
  if (run.chain.size() > most_chain_rows) chain.facts.push_back({"shown", static_cast<double>(most_chain_rows), ""});
  return chain;
}

/// `group(g)`: name and devices.
template <class Group>
Explanation explain_groups(const RunGraph& run, std::span<const TaskIndex> chain_groups, const Group& group) {
  Explanation groups = section("groups");
  groups.table.headings = {"group", "devices", "busy", "busy fraction", "share of the critical path"};
  groups.table.units = {"", "", "s", "", ""};
  std::vector<Seconds> on_chain(run.schedule.busy().size());
  for (std::size_t t = 0; t < run.chain.size(); ++t)
    on_chain[chain_groups[t]] += run.schedule.ends()[run.chain[t]] - run.schedule.starts()[run.chain[t]];
  for (std::size_t g = 0; g < on_chain.size(); ++g) {
    const auto [name, devices] = group(g);
    const Seconds busy = run.schedule.busy()[g];
    groups.table.rows.push_back({name, devices, busy.value(), busy / run.whole, on_chain[g] / run.whole});
  }
  return groups;
}

std::vector<TaskIndex> groups_of(const Dependences& graph, std::span<const TaskIndex> chain) {
  std::vector<TaskIndex> groups;
  for (const TaskIndex task : chain) groups.push_back(static_cast<TaskIndex>(graph.group(task)));
  return groups;
}

void explain_given(const GivenRun& run, Seconds whole, Explanation& all) {
  const GivenGraph& graph = run.graph();
  const RunGraph at{run.schedule(), run.chain(), whole};
  all.sections.push_back(explain_groups(at, groups_of(graph.dependences, at.chain), [&](std::size_t g) {
    return std::pair{graph.groups[g].name, graph.groups[g].is_link ? 0.0 : graph.groups[g].devices};
  }));
  const auto group_name = [&](std::size_t g) { return graph.groups[g].name; };
  all.sections.push_back(explain_chain(at, group_name, [&](TaskIndex task) {
    return std::pair{graph.tasks[task].name, group_name(graph.tasks[task].group)};
  }));
}

void explain_stations(const StationList& list, Explanation& all) {
  const double tasks = static_cast<double>(list.stations.size()) * list.jobs * list.rounds;
  if (tasks > most_listed_tasks) {
    all.facts.push_back({"tasks", tasks, ""});
    all.facts.push_back({"not listed", "more than " + short_number(most_listed_tasks) + " tasks", ""});
    return;
  }
  const StationGraph graph = station_graph(list);
  Scheduler schedule(graph.dependences);
  const Seconds whole = schedule.run(graph.durations);
  std::vector<TaskIndex> room(graph.durations.size());
  const RunGraph at{schedule, schedule.critical_chain(room), whole};
  all.sections.push_back(explain_groups(at, groups_of(graph.dependences, at.chain), [&](std::size_t g) {
    return std::pair{list.stations[g].name, list.stations[g].devices};
  }));
  const auto group_name = [&](std::size_t g) { return list.stations[g].name; };
  all.sections.push_back(explain_chain(at, group_name, [&](TaskIndex task) {
    const std::string layer = list.rounds > 1.0 ? "layer " + std::to_string(graph.round[task]) + ", " : "";
    return std::pair{layer + "micro-batch " + std::to_string(graph.job[task]),
                     group_name(graph.dependences.group(task))};
  }));
}

void add_products(ExplanationTable& table, const std::string& name, std::span<const Product> products,
                  const DeviceRates& device) {
  for (const Product& p : products)
    if (p.count > 0.0)
      table.rows.push_back({name, p.count, p.m, p.k, p.n, flop_of(p).value(), product_time(p, device).value()});
}

/// The products of a layer on one device, for a micro-batch.
Explanation explain_products(const PointQuestion& q) {
  const Setting& s = q.setting;
  const Batch batch = micro_batch_of(s);
  const Convention& c = *s.convention;
  const bool is_pool = q.strategy == Strategy::attention_pool;
  const AttentionWork attention =
      is_pool ? c.pool_attention(s.model, batch, s.pool_devices, s.tensor_parallel, s.device.word)
              : c.attention(s.model, batch, s.tensor_parallel, s.device.word);
  Explanation products = section("products of a layer on one device, per micro-batch");
  products.table.headings = {"of", "count", "m", "k", "n", "work", "time"};
  products.table.units = {"", "", "", "", "", "FLOP", "s"};
  add_products(products.table, "attention", attention.projections, s.device);
  add_products(products.table, "attention", std::array{scores_of(attention.core), weighted_sum_of(attention.core)},
               s.device);
  add_products(products.table, "ffn", c.ffn(s.model, batch, s.tensor_parallel, s.device.word).products, s.device);
  return products;
}

}  // namespace

Explanation explain_point(const PointQuestion& question, PointScratch& scratch) {
  const StepEstimate estimate = estimate_of(question, scratch);
  Explanation all = section("task graph");
  const Explanation result = explain_result(question, estimate);
  all.facts = result.facts;
  if (estimate.obstacle != Obstacle::none) return all;
  PointQuestion at = question;
  if (question.strategy == Strategy::attention_pool) at.setting.pool_devices = estimate.pool_devices;
  switch (question.strategy) {
    case Strategy::tensor_pipeline:
      explain_stations(pipeline_list(at.setting), all);
      break;
    case Strategy::attention_pool:
      explain_stations(pool_list(at.setting), all);
      break;
    case Strategy::layerwise:
      explain_stations(layerwise_list(at.setting, scratch.placement), all);
      return all;
    case Strategy::given:
      explain_given(*question.run, estimate.step, all);
      return all;
  }
  all.sections.push_back(explain_products(at));
  return all;
}

}  // namespace dfsweep::taskgraph
