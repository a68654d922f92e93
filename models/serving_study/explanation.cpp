#include "models/serving_study/explanation.hpp"

#include <array>

#include "models/machine/memory_reason.hpp"
#include "models/serving_study/point.hpp"

namespace dfsweep::serving_study {

namespace {

Explanation titled(std::string title) {
  return {.title = std::move(title), .facts = {}, .table = {}, .sections = {}};
}

std::string short_of_memory(const Point& point) {
  const Footprint used = footprint(point.model, point.decode);
  const std::array<MemoryUsePart, 2> parts{{{"weights", used.weights.value()}, {"cache", used.cache.value()}}};
  return memory_reason((used.weights + used.cache).value(), point.machine.memory_capacity.value(), "its memory", parts);
}

Explanation layer_table(std::string title, const Point& point, const Pass& pass) {
  const LayerTime layer = layer_time(point.model, point.machine, pass);
  Explanation section = titled(std::move(title));
  section.table.headings = {"part", "time"};
  section.table.units = {"", "s"};
  section.table.rows = {{std::string("compute"), layer.compute.value()},
                        {std::string("memory"), layer.memory.value()},
                        {std::string("serialization"), layer.serialization.value()},
                        {std::string("latency of links"), layer.latency.value()}};
  return section;
}

}  // namespace

Explanation explain_point(const DecodedValues& values, const PointValues& v) {
  const Figures figures = figures_of(values, v);
  const StatusInfo& status = statuses()[index_of(figures.status)];
  const bool has_times = figures.status == Status::ok || figures.status == Status::out_of_memory;
  Explanation all = titled("serving study");
  all.facts.push_back({"status", std::string(status.name), ""});
  if (!has_times) {
    all.facts.push_back({"reason", std::string(status.meaning), ""});
    return all;
  }
  const Point point = point_of(values, v);
  if (figures.status == Status::out_of_memory) all.facts.push_back({"reason", short_of_memory(point), ""});
  all.sections.push_back(layer_table("a layer, prefill", point, point.prefill));
  all.sections.push_back(layer_table("a layer, decode", point, point.decode));
  return all;
}

}  // namespace dfsweep::serving_study
