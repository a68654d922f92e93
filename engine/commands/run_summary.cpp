/// The words of a run's end.
#include "engine/commands/run_summary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/results/summary.hpp"
#include "engine/run/progress.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "io/dataset_reader.hpp"

namespace dfsweep {
namespace {

std::string_view status_name(const SweepSpec& spec, std::size_t code) {
  const auto statuses = spec.estimator->statuses();
  return code < statuses.size() ? statuses[code].name : "no_feasible";
}

std::string counts(const std::vector<std::uint64_t>& statuses, const SweepSpec& spec) {
  std::string text;
  for (std::size_t s = 0; s < statuses.size(); ++s)
    if (statuses[s] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", status_name(spec, s),
                          short_count(static_cast<double>(statuses[s])));
  return text;
}

/// Codes of a point of the grid, or of a line of a point list: [code column].
std::vector<std::uint64_t> codes_of(const SweepSpec& spec, std::uint64_t point) {
  std::vector<std::uint64_t> codes(spec.values.column_sizes.size());
  if (spec.points) {
    for (std::size_t c = 0; c < codes.size(); ++c) codes[c] = spec.points->codes[c][point];
    return codes;
  }
  for (std::size_t axis = spec.axes.size(); axis-- > 0;) {
    codes[axis] = point % spec.axes[axis].size;
    point /= spec.axes[axis].size;
  }
  return codes;
}

std::string_view end_name(RunEnd end) {
  switch (end) {
    case RunEnd::published:
      return "published";
    case RunEnd::found_published:
      return "found_published";
    case RunEnd::part_complete:
      return "part_complete";
    case RunEnd::stopped:
      break;
  }
  return "stopped";
}

double rate(const RunSummary& summary) {
  return summary.seconds > 0.0 ? static_cast<double>(summary.tally.points) / summary.seconds : 0.0;
}

}  // namespace

std::string describe_point(const SweepSpec& spec, std::uint64_t point) {
  const std::vector<std::uint64_t> codes = codes_of(spec, point);
  std::string text;
  for (ParameterIndex p = 0; p < spec.values.parameters.size(); ++p) {
    const SweepValues::Parameter& parameter = spec.values.parameters[p];
    if (parameter.column == SweepValues::fixed) continue;
    const ParameterInfo& info = spec.estimator->parameters()[p];
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", info.name,
                        label(info, parameter.values[codes[parameter.column]]));
  }
  return text;
}

std::string failures_text(const FailureLog& failures, const SweepSpec& spec) {
  std::vector<Failure> sorted = failures.entries();
  std::sort(sorted.begin(), sorted.end(),
            [](const Failure& a, const Failure& b) { return a.first_point < b.first_point; });
  std::string text;
  for (const Failure& failure : sorted)
    text += fmt::format("  {} failed: {}\n    first: point {} ({})\n", short_count(static_cast<double>(failure.count)),
                        failure.message, failure.first_point, describe_point(spec, failure.first_point));
  return text;
}

std::vector<std::uint64_t> status_histogram(const std::filesystem::path& file, std::size_t status_count) {
  const DatasetReader reader(file);
  std::vector<std::uint64_t> counts(status_count + 1);
  if (const auto searched = searched_points(reader)) {
    std::copy_n(searched->begin(), std::min(searched->size(), counts.size()), counts.begin());
    return counts;
  }
  constexpr std::uint64_t chunk = 65536;
  const DatasetColumn* status = reader.column("status");
  DFSWEEP_EXPECT(status != nullptr);
  std::vector<std::uint64_t> values;
  for (std::uint64_t first = 0; first < status->count; first += chunk) {
    values.resize(std::min(chunk, status->count - first));
    reader.read(*status, first, std::span(values));
    for (const std::uint64_t code : values) ++counts[std::min<std::uint64_t>(code, status_count)];
  }
  return counts;
}

std::uint64_t failed_points(const RunSummary& summary) {
  const std::vector<std::uint64_t>& statuses = summary.statuses.empty() ? summary.tally.statuses : summary.statuses;
  return status_failed < statuses.size() ? statuses[status_failed] : 0;
}

std::string summary_text(const RunSummary& summary, const SweepSpec& spec) {
  const std::string evaluated =
      fmt::format("{} points in {} ({}/s)", short_count(static_cast<double>(summary.tally.points)),
                  short_time(summary.seconds), short_count(rate(summary)));
  std::string text;
  switch (summary.end) {
    case RunEnd::published:
      text = fmt::format("{}: {} rows, {} metrics, complete and verified; {}\n", summary.file.string(), summary.rows,
                         spec.metrics.size(), evaluated);
      break;
    case RunEnd::found_published:
      text = fmt::format("{}: {} rows, {} metrics, complete already; nothing to do\n", summary.file.string(),
                         summary.rows, spec.metrics.size());
      break;
    case RunEnd::part_complete:
      text = fmt::format("{}: part {}/{} is complete; {}\n", summary.directory.string(), summary.part.index + 1,
                         summary.part.count, evaluated);
      break;
    case RunEnd::stopped:
      text = fmt::format("{}: stopped early ({}), {} blocks left; {}\n", summary.directory.string(),
                         to_string(summary.reason), summary.blocks_left, evaluated);
      break;
  }
  const std::string histogram = counts(summary.statuses.empty() ? summary.tally.statuses : summary.statuses, spec);
  if (!histogram.empty()) text += fmt::format("  {}\n", histogram);
  switch (summary.end) {
    case RunEnd::published:
    case RunEnd::found_published:
      text += fmt::format("next: dfsweep show {}\n", summary.file.string());
      break;
    case RunEnd::part_complete:
      text += fmt::format("next: dfsweep status {}\n", summary.directory.string());
      break;
    case RunEnd::stopped:
      text += "next: the same command continues where this run stopped\n";
      break;
  }
  return text;
}

Json summary_json(const RunSummary& summary, const SweepSpec& spec) {
  JsonObject statuses;
  const std::vector<std::uint64_t>& counted = summary.statuses.empty() ? summary.tally.statuses : summary.statuses;
  for (std::size_t s = 0; s < counted.size(); ++s) statuses.emplace_back(std::string(status_name(spec, s)), counted[s]);
  JsonArray failures;
  for (const Failure& failure : summary.tally.failures.entries())
    failures.push_back(JsonObject{{"message", failure.message},
                                  {"count", failure.count},
                                  {"first_point", failure.first_point},
                                  {"labels", describe_point(spec, failure.first_point)}});
  return JsonObject{
      {"end", end_name(summary.end)},
      {"directory", summary.directory.string()},
      {"file", summary.file.empty() ? Json(nullptr) : Json(summary.file.string())},
      {"rows", summary.rows},
      {"points_evaluated", summary.tally.points},
      {"seconds", summary.seconds},
      {"points_per_second", rate(summary)},
      {"statuses", std::move(statuses)},
      {"failures", std::move(failures)},
      {"blocks_left", summary.blocks_left},
      {"stop_reason", summary.reason == StopReason::none ? Json(nullptr) : Json(to_string(summary.reason))}};
}

}  // namespace dfsweep
