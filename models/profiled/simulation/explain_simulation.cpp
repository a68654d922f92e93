/// Facts, tables and pictures of simulated runs.
#include "models/profiled/simulation/explain_simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace dfsweep::profiled {

namespace {

Explanation titled_section(std::string title) {
  return {.title = std::move(title), .facts = {}, .table = {}, .sections = {}};
}

std::string whole_text(double number) {
  return std::to_string(static_cast<std::uint64_t>(number));
}

Explanation explain_run(const SimulatedPoint& point) {
  const vidur::RunSummary& s = point.summary;
  Explanation section = titled_section("run");
  section.facts = {{"requests", static_cast<double>(point.offered.size()), ""},
                   {"completed", static_cast<double>(s.completed), ""},
                   {"from the first arrival to the last completion", s.makespan, "s"},
                   {"completed requests per second", s.request_rate, "s-1"},
                   {"output tokens per second", s.token_rate, "s-1"},
                   {"batches", static_cast<double>(point.record.batch_count), ""},
                   {"mean requests of a batch", s.batch_requests, ""},
                   {"mean tokens of a batch", s.batch_tokens, ""},
                   {"restarts for want of blocks", static_cast<double>(s.restarts), ""},
                   {"requests restarted", static_cast<double>(s.restarted), ""},
                   {"share of time in which stages work", s.busy, ""},
                   {"share of the blocks in use", s.cache_use, ""},
                   {"model FLOP over the peak rate", point.flops_utilization, ""}};
  return section;
}

Explanation explain_rules(const vidur::Rules& rules) {
  Explanation section = titled_section("replicas");
  section.facts = {{"scheduler", std::string(vidur::scheduler_names[static_cast<std::size_t>(rules.scheduler)]), ""},
                   {"routing", std::string(vidur::routing_names[static_cast<std::size_t>(rules.routing)]), ""},
                   {"replicas", static_cast<double>(rules.replicas), ""},
                   {"stages of each", static_cast<double>(rules.stages), ""},
                   {"blocks of the cache of each", static_cast<double>(rules.blocks), ""},
                   {"tokens of a block", static_cast<double>(rules.block_tokens), ""},
                   {"most requests that run on each", static_cast<double>(rules.batch_limit), ""}};
  return section;
}

Explanation explain_distributions(const vidur::RunSummary& s) {
  Explanation section = titled_section("distributions");
  section.table.headings = {"of", "mean", "p50", "p90", "p95", "p99"};
  section.table.units = {"", "s", "s", "s", "s", "s"};
  const auto add = [&](std::string name, const vidur::Distribution& d) {
    section.table.rows.push_back({std::move(name), d.mean, d.p50, d.p90, d.p95, d.p99});
  };
  add("time to first token", s.first_token);
  add("time per output token, per request", s.output_token);
  add("time between two output tokens", s.token_interval);
  add("request latency", s.latency);
  add("waiting time", s.delay);
  add("time of a batch", s.batch_time);
  return section;
}

Explanation explain_capacity(const vidur::Capacity& capacity) {
  Explanation section = titled_section("search for the capacity");
  section.facts = {{"capacity", capacity.rate, "s-1"}};
  section.table.headings = {"arrival rate", "waiting time", "within the limit"};
  section.table.units = {"s-1", "s", ""};
  for (const vidur::CapacityStep& step : capacity.steps)
    section.table.rows.push_back({step.rate, step.delay.value(), std::string(step.is_within ? "yes" : "no")});
  return section;
}

Listing list_requests(const SimulatedPoint& point) {
  Listing listing{"requests", {}};
  listing.table.headings = {"request",        "arrival",      "prompt",         "output",
                            "replica",        "scheduled_at", "first_token_at", "completed_at",
                            "execution_time", "waiting_time", "restarts"};
  listing.table.units = {"", "s", "", "", "", "s", "s", "s", "s", "s", ""};
  for (std::size_t i = 0; i < point.offered.size(); ++i) {
    const vidur::RequestTimes& times = point.record.times[i];
    const vidur::RequestParts& parts = point.record.parts[i];
    listing.table.rows.push_back({static_cast<double>(i), times.arrival, static_cast<double>(point.offered[i].prompt),
                                  static_cast<double>(point.offered[i].output), static_cast<double>(parts.replica),
                                  times.scheduled_at, times.prompt_completed_at, times.completed_at, parts.execution,
                                  parts.waiting, static_cast<double>(point.record.requests[i].restarts)});
  }
  return listing;
}

/// Members as "request:tokens" in the order of the batch.
std::string members_of(const vidur::RunRecord& record, const vidur::BatchRecord& batch) {
  std::string text;
  for (std::uint64_t m = batch.first_member; m < batch.first_member + batch.requests; ++m) {
    const vidur::BatchMemberRecord& member = record.members[m];
    if (!text.empty()) text += ' ';
    text += std::to_string(member.request) + ':' + std::to_string(member.tokens);
  }
  return text;
}

Listing list_batches(const vidur::RunRecord& record) {
  Listing listing{"batches", {}};
  listing.table.headings = {"batch",    "replica", "scheduled_at",  "completed_at",
                            "requests", "tokens",  "prompt_tokens", "members"};
  listing.table.units = {"", "", "s", "s", "", "", "", ""};
  for (std::size_t b = 0; b < record.batches.size(); ++b) {
    const vidur::BatchRecord& batch = record.batches[b];
    listing.table.rows.push_back({static_cast<double>(b), static_cast<double>(batch.replica), batch.scheduled_at,
                                  batch.completed_at, static_cast<double>(batch.requests),
                                  static_cast<double>(batch.tokens), static_cast<double>(batch.prompt_tokens),
                                  members_of(record, batch)});
  }
  return listing;
}

/// Kinds of bars of the timeline.
enum class BarKind : std::size_t { prompts, outputs, both, waiting };

BarKind kind_of(const vidur::BatchRecord& batch) {
  if (batch.prompt_tokens == 0) return BarKind::outputs;
  return batch.prompt_tokens == batch.tokens ? BarKind::prompts : BarKind::both;
}

/// Bars of the batches of the replicas, where neighbours of one kind without a gap are one bar.
void draw_batches(const vidur::RunRecord& record, double end, TimelineDrawing& drawing) {
  constexpr double shortest_share = 1e-3;  // of the time shown; shorter bars could not be seen
  std::vector<TimelineDrawing::Bar> open(record.caches.size());
  const auto close = [&](TimelineDrawing::Bar& bar) {
    if (bar.end > bar.begin) drawing.bars.push_back(bar);
    bar.end = bar.begin;
  };
  for (const vidur::BatchRecord& batch : record.batches) {
    if (!is_given(batch.completed_at) || batch.scheduled_at >= end) continue;
    TimelineDrawing::Bar& bar = open[batch.replica];
    const auto category = static_cast<std::size_t>(kind_of(batch));
    const bool goes_on =
        bar.end > bar.begin && bar.category == category && batch.scheduled_at - bar.end <= shortest_share * end;
    if (!goes_on) {
      close(bar);
      bar = {batch.replica, batch.scheduled_at, batch.scheduled_at, category, ""};
    }
    bar.end = std::max(bar.end, batch.completed_at);
  }
  for (TimelineDrawing::Bar& bar : open) close(bar);
}

/// Lanes of the replicas, then of the first requests.
TimelineDrawing draw(const SimulatedPoint& point) {
  constexpr std::size_t most_requests_drawn = 40;
  TimelineDrawing drawing;
  drawing.title = ": simulated requests";
  drawing.categories = {"prompts", "output tokens", "both together", "waiting"};
  std::vector<vidur::RequestIndex> first(point.offered.size());
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<vidur::RequestIndex>(i);
  const auto arrival = [&](vidur::RequestIndex i) { return point.record.times[i].arrival; };
  std::stable_sort(first.begin(), first.end(), [&](auto a, auto b) { return arrival(a) < arrival(b); });
  first.resize(std::min(first.size(), most_requests_drawn));
  double end = 0.0;
  for (const vidur::RequestIndex i : first)
    if (const double at = point.record.times[i].completed_at; is_given(at)) end = std::max(end, at);
  for (std::size_t r = 0; r < point.record.caches.size(); ++r) drawing.lanes.push_back("replica " + std::to_string(r));
  draw_batches(point.record, end, drawing);
  for (const vidur::RequestIndex i : first) {
    const vidur::RequestTimes& times = point.record.times[i];
    const std::size_t lane = drawing.lanes.size();
    drawing.lanes.push_back("request " + std::to_string(i));
    const auto add = [&](double begin, double until, BarKind kind, std::string label) {
      if (until > begin) drawing.bars.push_back({lane, begin, until, static_cast<std::size_t>(kind), std::move(label)});
    };
    add(times.arrival, times.scheduled_at, BarKind::waiting, "");
    add(times.scheduled_at, times.prompt_completed_at, BarKind::prompts, whole_text(point.offered[i].prompt));
    add(times.prompt_completed_at, times.completed_at, BarKind::outputs, whole_text(point.offered[i].output));
  }
  return drawing;
}

}  // namespace

Explanation explain_simulation(const SimulatedPoint& point) {
  Explanation all = titled_section("profiled");
  if (!point.reason.empty()) all.facts.push_back({"reason", point.reason, ""});
  if (point.record.batch_count == 0) return all;
  all.sections = {explain_run(point), explain_distributions(point.summary), explain_rules(point.rules)};
  if (point.capacity) all.sections.push_back(explain_capacity(*point.capacity));
  all.timeline = draw(point);
  all.listings = {list_requests(point), list_batches(point.record)};
  return all;
}

}  // namespace dfsweep::profiled
