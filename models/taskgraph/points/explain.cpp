#include "models/taskgraph/points/explain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/short_number.hpp"
#include "models/taskgraph/points/metric_columns.hpp"
#include "models/taskgraph/points/schedule_explanation.hpp"
#include "models/taskgraph/strategies/expert_work.hpp"
#include "models/taskgraph/strategies/station_graph.hpp"

namespace dfsweep::taskgraph {

namespace {

constexpr double most_listed_tasks = 50'000.0;  ///< larger graphs are not built for an explanation

std::string reason_text(const PointQuestion& q, const StepEstimate& e) {
  const Setting& s = q.setting;
  switch (e.obstacle) {
    case Obstacle::none:
      return "";
    case Obstacle::micro_batches:
      return short_number(s.micro_batches) + " micro-batches do not divide a batch of " +
             short_number(s.batch.sequences);
    case Obstacle::heads:
      return short_number(s.model.heads) + " heads are not a multiple of tensor_parallel " +
             short_number(s.tensor_parallel);
    case Obstacle::shared_heads:
      return short_number(s.model.heads) + " heads cannot share " + short_number(s.model.key_value_heads) +
             " key-value heads";
    case Obstacle::head_dim:
      return "hidden " + short_number(s.model.hidden) + " over " + short_number(s.model.heads) +
             " heads is not a whole head width: give head_dim";
    case Obstacle::ffn_hidden:
      return (std::fmod(s.model.ffn_hidden, s.tensor_parallel) != 0.0
                  ? "ffn_hidden " + short_number(s.model.ffn_hidden)
                  : "shared_ffn_hidden " + short_number(s.model.shared_ffn_hidden)) +
             " is not a multiple of tensor_parallel " + short_number(s.tensor_parallel);
    case Obstacle::stages:
      return short_number(s.pipeline_parallel) + " stages for " + short_number(s.model.layers) + " layers";
    case Obstacle::device_count:
      return "device_count is " + short_number(s.device_count) + ", the product of the degrees is " +
             short_number(e.devices);
    case Obstacle::pool:
      return "no device of " + short_number(s.device_count) + " is left for the pool";
    case Obstacle::cache:
      return "with tiles of one token the fullest of " + short_number(layerwise_devices(s)) + " devices needs " +
             amount_text(s.cache_capacity.value() / e.cache_fit, "B") + " of " +
             amount_text(s.cache_capacity.value(), "B") + " of cache";
    case Obstacle::no_profile:
      return "the measured tables do not cover a product of the point";
    case Obstacle::no_work:
      return "no task of the graph takes time";
    case Obstacle::attention:
      if (s.model.has_unlike_attention) return "the model has linear, sparse or gated attention";
      return s.model.has_latent_attention
                 ? "the model has latent attention"
                 : "the window of " + short_number(s.model.window) + " tokens is shorter than the context of " +
                       short_number(s.batch.context);
    case Obstacle::experts:
      return s.model.dense_layers > 0.0 ? "only " + short_number(s.model.layers - s.model.dense_layers) + " of " +
                                              short_number(s.model.layers) + " layers have experts"
                                        : "the published shapes of convention 'source' have no experts";
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
  if (q.pool.is_best && e.pool_devices == q.pool.most)
    result.facts.push_back({"pool devices are limited by", "most_pool_devices: more may be better", ""});
  if (is_given(e.token_tile)) result.facts.push_back({"tokens of a tile", e.token_tile, ""});
  if (is_given(e.cache_fit)) result.facts.push_back({"cache over what the fullest group needs", e.cache_fit, ""});
  return result;
}

void explain_given(const GivenRun& run, Seconds whole, Explanation& all) {
  const GivenGraph& graph = run.graph();
  add_schedule(
      {graph.dependences, run.schedule(), run.chain(), whole, [&](std::size_t g) { return graph.groups[g].name; },
       [&](std::size_t g) { return graph.groups[g].is_link ? 0.0 : graph.groups[g].devices; },
       [&](TaskIndex task) { return graph.tasks[task].name; }},
      all);
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
  const auto task_name = [&](TaskIndex task) {
    const std::string layer = list.rounds > 1.0 ? "layer " + std::to_string(graph.round[task]) + ", " : "";
    return layer + "micro-batch " + std::to_string(graph.job[task]);
  };
  add_schedule({graph.dependences, schedule, schedule.critical_chain(room), whole,
                [&](std::size_t g) { return list.stations[g].name; },
                [&](std::size_t g) { return list.stations[g].devices; }, task_name},
               all);
}

void add_products(ExplanationTable& table, const std::string& name, std::span<const Product> products,
                  const DeviceRates& device) {
  for (const Product& p : products)
    if (p.count > 0.0)
      table.rows.push_back({name, p.count, p.m, p.k, p.n, flop_of(p).value(), product_time(p, device).value()});
}

/// Table of the operators between the products of a layer on one device, in the order of the layer.
Explanation explain_operators(const Setting& s, const AttentionWork& attention, const FfnWork& ffn) {
  Explanation all = section("operators of a layer on one device, per micro-batch");
  all.table.headings = {"of", "operator", "moved", "time"};
  all.table.units = {"", "", "B", "s"};
  const DeviceRates rates = without_tables(s.device);
  const auto add = [&](const char* block, const char* name, double words) {
    if (words > 0.0)
      all.table.rows.push_back({block, name, (words * rates.word).value(), operator_time(words, rates).value()});
  };
  const OperatorWork first = attention_operators(s.model, attention);
  const OperatorWork second = ffn_operators(s.model, ffn);
  add("attention", "norm", first.norm);
  add("attention", "aggregation", first.aggregation);
  add("attention", "residual", first.residual);
  add("ffn", "norm", second.norm);
  if (ffn.routed_tokens > 0.0) {
    const ExpertWork experts = expert_work(s.model, ffn.routed_tokens, s.tensor_parallel);
    add("ffn", "dispatch", experts.dispatched);
    add("ffn", "activation", second.activation);
    add("ffn", "combine", experts.combined);
  } else {
    add("ffn", "activation", second.activation);
  }
  add("ffn", "aggregation", second.aggregation);
  add("ffn", "residual", second.residual);
  return all;
}

/// Table of the products of a layer on one device, for a micro-batch.
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
  const FfnWork ffn = c.ffn(s.model, batch, s.tensor_parallel, s.device.word);
  if (ffn.routed_tokens > 0.0) {
    const ExpertWork experts = expert_work(s.model, ffn.routed_tokens, s.tensor_parallel);
    const DeviceRates rates = without_tables(s.device);
    add_products(products.table, "router", std::array{experts.router}, rates);
    add_products(products.table, "experts", std::array{experts.up, experts.down}, rates);
    add_products(products.table, "shared experts", std::array{experts.shared_up, experts.shared_down}, rates);
  } else {
    add_products(products.table, "ffn", ffn.products, s.device);
  }
  if (s.nodes == Nodes::operators) products.sections.push_back(explain_operators(s, attention, ffn));
  return products;
}

}  // namespace

Explanation explain_point(const PointQuestion& question) {
  const StepEstimate estimate = estimate_of(question);
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
      explain_stations(layerwise_list(at.setting, place_layers(at.setting)), all);
      return all;
    case Strategy::given:
      explain_given(*question.run, estimate.step, all);
      return all;
  }
  all.sections.push_back(explain_products(at));
  return all;
}

}  // namespace dfsweep::taskgraph
