#include "models/serving/points/explanation.hpp"

#include <array>

#include "models/machine/memory_reason.hpp"

namespace dfsweep::serving {

namespace {

Explanation titled(std::string title) {
  return {.title = std::move(title), .facts = {}, .table = {}, .sections = {}};
}

/// Every metric that is there, with its unit.
void add_figures(Explanation& all, const Figures& figures) {
  for (const Metric metric : all_of<Metric>) {
    const MetricInfo& info = metrics()[index_of(metric)];
    if (!is_given(figures[metric])) continue;
    if (info.type == MetricType::flags) {
      const auto flag = static_cast<std::size_t>(figures[metric]);
      all.facts.push_back({std::string(info.meaning), std::string(info.flags[flag]), ""});
      continue;
    }
    const std::string unit{info.unit == "byte" ? "B" : info.unit};
    all.facts.push_back({std::string(info.meaning), figures[metric], unit});
  }
}

Explanation with_status(Status status) {
  Explanation all = titled("serving");
  const StatusInfo& info = statuses()[index_of(status)];
  all.facts.push_back({"status", std::string(info.name), ""});
  if (status != Status::ok && status != Status::out_of_memory)
    all.facts.push_back({"reason", std::string(info.meaning), ""});
  return all;
}

Explanation times_table(std::string title, const Parts& parts, Seconds total) {
  Explanation table = titled(std::move(title));
  table.table.headings = {"part, as if alone", "time", "share of the time"};
  table.table.units = {"", "s", "1"};
  const auto row = [&](const char* name, Seconds part) {
    table.table.rows.push_back({std::string(name), part.value(), part / total});
  };
  row("arithmetic", parts.compute);
  row("memory", parts.memory);
  row("network", parts.network);
  row("host", parts.host);
  row("time, products waiting for the slower of arithmetic and memory", total);
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
  const Bytes cache = cache_bytes(d.capacity, demand.tokens, batch);
  const std::array<training::MemoryUsePart, 3> parts{{{"weights", d.capacity.weights.value()},
                                                      {"reserved and buffers", d.capacity.buffers.value()},
                                                      {"cache", cache.value()}}};
  return training::memory_reason(memory_needed(d, demand, batch).value(), d.capacity.memory.value(), "its memory",
                                 parts);
}

}  // namespace

Explanation explain_study(const DecodedValues& values, const PointCodes& codes) {
  const Figures figures = study_figures(values, codes, 0);
  Explanation all = with_status(figures.status);
  if (figures.status != Status::ok && figures.status != Status::out_of_memory) return all;
  const StudyPoint point = study_point(values, PointValues(values.numbers, codes, 0));
  if (figures.status == Status::out_of_memory) {
    const study::Footprint used = footprint(point.model, point.decode);
    const std::array<training::MemoryUsePart, 2> parts{
        {{"weights", used.weights.value()}, {"cache", used.cache.value()}}};
    all.facts.push_back({"reason",
                         training::memory_reason((used.weights + used.cache).value(),
                                                 point.machine.memory_capacity.value(), "its memory", parts),
                         ""});
  }
  add_figures(all, figures);
  for (const auto& [title, pass] : {std::pair{"a layer, prefill", point.prefill}, {"a layer, decode", point.decode}}) {
    const study::LayerTime layer = layer_time(point.model, point.machine, pass);
    Explanation section = titled(title);
    section.table.headings = {"part", "time"};
    section.table.units = {"", "s"};
    section.table.rows = {{std::string("compute"), layer.compute.value()},
                          {std::string("memory"), layer.memory.value()},
                          {std::string("serialization"), layer.serialization.value()},
                          {std::string("latency of links"), layer.latency.value()}};
    all.sections.push_back(std::move(section));
  }
  return all;
}

Explanation explain_physical(const Deployment& d, const Demand& demand, const Figures& figures) {
  Explanation all = with_status(figures.status);
  if (figures.status != Status::ok && figures.status != Status::out_of_memory) return all;
  if (figures.status == Status::out_of_memory)
    all.facts.push_back({"reason", short_of_memory(d, demand, figures.batch), ""});
  add_figures(all, figures);
  Request request = demand.request;
  request.chunk = d.chunk;
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
  return all;
}

}  // namespace dfsweep::serving
