#include "models/serving/points/explanation.hpp"

#include <array>

#include "models/cost/bill_explanation.hpp"
#include "models/machine/memory_reason.hpp"
#include "models/serving/points/point_cursor.hpp"
#include "models/short_number.hpp"

namespace dfsweep::serving {

namespace {

Explanation titled(std::string title) {
  return {.title = std::move(title), .facts = {}, .table = {}, .sections = {}};
}

/// "a first token takes 1.3 of time_to_first_token_limit".
std::string beyond_limit(const char* what, double shortfall, const char* limit) {
  return std::string(what) + " takes " + short_number(shortfall) + " of " + limit;
}

/// "limit_quantile is 1.06 of the share of requests that keep the limits; the fewest keep time_to_first_token_limit".
std::string too_few_requests(double shortfall, const char* limit) {
  if (!is_given(shortfall)) return std::string("no request keeps the limits; the fewest keep ") + limit;
  return "limit_quantile is " + short_number(shortfall) +
         " of the share of requests that keep the limits; the fewest keep " + limit;
}

Explanation with_status(const Demand& demand, const Figures& figures) {
  Explanation all = titled("serving");
  const StatusInfo& info = statuses()[index_of(figures.status)];
  all.facts.push_back({"status", std::string(info.name), ""});
  const double shortfall = figures[Metric::shortfall];
  const bool is_first = figures.status == Status::first_token_limit;
  if (is_given(demand.limit_quantile) && (is_first || figures.status == Status::latency_limit))
    all.facts.push_back(
        {"reason", too_few_requests(shortfall, is_first ? "time_to_first_token_limit" : "time_per_output_token_limit"),
         ""});
  else if (is_first)
    all.facts.push_back({"reason", beyond_limit("a first token", shortfall, "time_to_first_token_limit"), ""});
  else if (figures.status == Status::latency_limit)
    all.facts.push_back({"reason", beyond_limit("an output token", shortfall, "time_per_output_token_limit"), ""});
  else if (figures.status != Status::ok && figures.status != Status::out_of_memory)
    all.facts.push_back({"reason", std::string(info.meaning), ""});
  return all;
}

bool has_figures(Status status) {
  return status == Status::ok || status == Status::out_of_memory || status == Status::latency_limit ||
         status == Status::first_token_limit;
}

Explanation times_table(std::string title, const Parts& parts, Seconds total) {
  Explanation table = titled(std::move(title));
  table.table.headings = {"part, if it ran alone", "time", "share of the time"};
  table.table.units = {"", "s", "1"};
  const auto row = [&](const char* name, Seconds part) {
    table.table.rows.push_back({std::string(name), part.value(), part / total});
  };
  row("arithmetic", parts.compute);
  row("memory", parts.memory);
  row("network", parts.network);
  row("host", parts.host);
  row("all: products take the longer of arithmetic and memory", total);
  return table;
}

Explanation memory_table(const Deployment& d, const Demand& demand, double batch) {
  Explanation table = titled("memory of a device");
  table.table.headings = {"part", "amount", "share of the memory"};
  table.table.units = {"", "B", "1"};
  const auto row = [&](const char* name, Bytes part) {
    table.table.rows.push_back({std::string(name), part.value(), part / d.capacity.memory});
  };
  row("weights", d.capacity.weights);
  row("reserved and buffers", d.capacity.buffers);
  row("cache of the largest batch", cache_bytes(d.capacity, demand.tokens, batch));
  row("all", memory_used(d.capacity, demand.tokens, batch));
  row("there is", d.capacity.memory);
  return table;
}

std::string short_of_memory(const Deployment& d, const Demand& demand, double batch) {
  const bool prompts = d.prefill && prompt_memory_needed(d, demand) > d.prefill->capacity.memory;
  const Capacity& c = prompts ? d.prefill->capacity : d.capacity;
  const Bytes needed = prompts ? prompt_memory_needed(d, demand) : memory_needed(d, demand, batch);
  const Bytes cache = prompts ? needed - c.weights - c.buffers : cache_bytes(d.capacity, demand.tokens, batch);
  const std::array<MemoryUsePart, 3> parts{
      {{"weights", c.weights.value()}, {"reserved and buffers", c.buffers.value()}, {"cache", cache.value()}}};
  const char* memory = prompts ? "the memory of a replica that reads prompts" : "its memory";
  return memory_reason(needed.value(), c.memory.value(), memory, parts);
}

}  // namespace

Explanation explain_point(const Deployment& d, const Demand& demand, const Figures& figures) {
  Explanation all = with_status(demand, figures);
  if (!has_figures(figures.status)) return all;
  if (figures.status == Status::out_of_memory)
    all.facts.push_back({"reason", short_of_memory(d, demand, figures.batch), ""});
  const Request request = request_of(d, demand);
  const double running = figures[Metric::running_batch];
  const Prompts prompts = prompts_of(request, running);
  const Decode decode = decode_of(request, running);
  const bool is_measured = figures[Metric::time_source] == index_of(TimeSource::profiled);
  const std::string source = is_measured ? ", by rooflines instead of the tables" : "";
  all.sections.push_back(times_table("prefill of the running batch" + source,
                                     (1 / d.costs.pipeline) * prompt_parts(d.costs, prompts),
                                     prefill_time(d.costs, prompts)));
  all.sections.push_back(times_table("a decode step of the running batch" + source, decode_parts(d.costs, decode),
                                     decode_time(d.costs, decode)));
  all.sections.push_back(memory_table(d, demand, figures.batch));
  all.sections.push_back(cost::bill_section(d.bill));
  return all;
}

}  // namespace dfsweep::serving
