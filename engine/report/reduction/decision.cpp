#include "engine/report/reduction/decision.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace dfsweep::report {

namespace {

constexpr std::size_t most_tasks = 256;
constexpr std::string_view task_axes[] = {"model", "sequence_length", "prompt_tokens"};
constexpr std::string_view compute_axes[] = {"system", "device"};
/// Axes that change how much work a step does, so that times of steps do not compete.
constexpr std::string_view work_axes[] = {"global_batch",  "batch",           "sequence_length", "concurrency",
                                          "prefill_batch", "prefill_context", "decode_batch",    "decode_context"};

std::optional<std::size_t> first_varying(const Subject& subject, std::span<const std::string_view> names) {
  for (const std::string_view name : names)
    for (std::size_t a = 0; a < subject.axes.size(); ++a)
      if (subject.axes[a].column->name == name && subject.axes[a].values.size() > 1) return a;
  return std::nullopt;
}

/// A metric with a direction that some ok row has.
std::optional<std::size_t> ranking_metric(const Subject& subject, std::string_view name) {
  for (std::size_t m = 0; m < subject.metrics.size(); ++m) {
    const SubjectMetric& metric = subject.metrics[m];
    if (metric.column->name == name && metric.with_value != 0 && metric.better != Better::neither &&
        metric.names.empty())
      return m;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> task_axis(const Subject& subject) {
  const std::optional<std::size_t> axis = first_varying(subject, task_axes);
  return axis && subject.axes[*axis].codes() <= most_tasks ? axis : std::nullopt;
}

std::optional<std::size_t> compute_axis(const Subject& subject) {
  return first_varying(subject, compute_axes);
}

bool steps_differ(const Subject& subject) {
  const std::optional<std::size_t> task = task_axis(subject);
  return std::any_of(std::begin(work_axes), std::end(work_axes), [&](const std::string_view& name) {
    const std::optional<std::size_t> axis = first_varying(subject, std::span(&name, 1));
    return axis && axis != task;
  });
}

std::optional<std::size_t> deciding_metric(const Subject& subject, std::span<const std::string> asked,
                                           const ResultViews& published) {
  std::vector<std::size_t> ranked;
  const auto add = [&](std::string_view name) {
    if (const std::optional<std::size_t> m = ranking_metric(subject, name)) ranked.push_back(*m);
  };
  for (const std::string& name : asked) add(name);
  if (!ranked.empty()) return ranked.front();
  add(subject.file->attribute("search_metric"));
  for (const std::string_view name : published.headline) add(name);
  for (std::size_t m = 0; m < subject.metrics.size() && ranked.empty(); ++m)
    if (!subject.metrics[m].is_parameter) add(subject.metrics[m].column->name);
  const std::optional<std::size_t> total = ranking_metric(subject, published.total);
  const auto is_total = [&](std::size_t m) { return m == total; };
  if (total && steps_differ(subject) && !std::all_of(ranked.begin(), ranked.end(), is_total))
    std::erase_if(ranked, is_total);
  return ranked.empty() ? std::nullopt : std::optional(ranked.front());
}

}  // namespace dfsweep::report
