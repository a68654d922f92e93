/// The words of a run's end.
#include "engine/commands/run_summary.hpp"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "engine/results/summary.hpp"
#include "engine/run/progress.hpp"
#include "engine/sweep/point_codes.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "engine/sweep/statuses.hpp"
#include "io/hdf5/dataset_reader.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"

namespace dfsweep {
namespace {

std::string counts(const std::vector<std::uint64_t>& statuses, const SweepSpec& spec) {
  const std::vector<StatusInfo> infos = statuses_of(spec);
  std::string text;
  for (std::size_t s = 0; s < statuses.size(); ++s)
    if (statuses[s] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", infos.at(s).name, statuses[s]);
  return text;
}

std::string_view end_name(SessionEnd end) {
  switch (end) {
    case SessionEnd::published:
      return "published";
    case SessionEnd::found_published:
      return "found_published";
    case SessionEnd::part_complete:
      return "part_complete";
    case SessionEnd::stopped:
      break;
  }
  return "stopped";
}

std::uint64_t evaluated_points(const SessionReport& session) {
  return session.tally.points - session.tally.taken;
}

double rate(const SessionReport& session) {
  return session.seconds > 0.0 ? static_cast<double>(evaluated_points(session)) / session.seconds : 0.0;
}

std::string evaluated(const SessionReport& session) {
  const std::uint64_t taken = session.tally.taken;
  return fmt::format("{} in {} ({}){}", counted(evaluated_points(session), "point"), short_time(session.seconds),
                     short_rate(rate(session)), taken > 0 ? fmt::format("; {} taken", counted(taken, "point")) : "");
}

}  // namespace

std::string describe_point(const SweepSpec& spec, std::uint64_t point) {
  const std::vector<std::uint32_t> codes = codes_of_point(spec, point);
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
    text += fmt::format("  {} failed: {}\n    first: point {} ({})\n", counted(failure.count, "point"), failure.message,
                        failure.first_point, describe_point(spec, failure.first_point));
  return text;
}

std::vector<std::uint64_t> status_histogram(const std::filesystem::path& file, std::size_t status_count) {
  const DatasetReader reader(file);
  std::vector<std::uint64_t> counts(status_count);
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
    for (const std::uint64_t code : values) ++counts.at(code);
  }
  return counts;
}

std::string stopped_text(const RunSummary& summary) {
  const SessionReport& session = summary.session;
  return fmt::format("{}: stopped early ({}): {} of {} complete, {} left; {}\nTo resume: {}\n",
                     printable(session.directory.string()), to_string(session.reason),
                     session.blocks - session.blocks_left, counted(session.blocks, "block"), session.blocks_left,
                     evaluated(session), summary.resume);
}

namespace {

/// What a user does with a result. Where no point has an estimate, there is nothing to show: the nearest miss says
/// most.
std::string next_command(const RunSummary& summary) {
  const std::string file = printable(summary.session.file.string());
  const std::vector<NearestMiss>& misses = summary.misses;
  if (summary.statuses[status_ok] > 0 || misses.empty()) return fmt::format("dfsweep show {}", file);
  const auto nearest = std::find_if(misses.begin(), misses.end(), [](const NearestMiss& m) { return m.is_nearest; });
  return fmt::format("dfsweep explain {} --point {}", file,
                     (nearest == misses.end() ? misses.begin() : nearest)->point);
}

}  // namespace

std::string summary_text(const RunSummary& summary, const SweepSpec& spec) {
  const SessionReport& session = summary.session;
  const std::string result = fmt::format("{}: {}, {}", printable(session.file.string()), counted(session.rows, "row"),
                                         counted(spec.metrics.size(), "metric"));
  const std::string histogram = counts(summary.statuses, spec);
  const std::string statuses = (histogram.empty() ? "" : fmt::format("  {}\n", histogram)) +
                               reasons_text(summary.misses, terminal_of(STDOUT_FILENO));
  switch (session.end) {
    case SessionEnd::published:
      return fmt::format("{}, complete and verified; {}\n{}Next: {}\n", result, evaluated(session), statuses,
                         next_command(summary));
    case SessionEnd::found_published:
      return fmt::format("{}, complete already; nothing to do\n{}Next: {}\n", result, statuses, next_command(summary));
    case SessionEnd::part_complete:
      return fmt::format("{}: part {}/{} is complete; {}\n{}Next: dfsweep status {}\n",
                         printable(session.directory.string()), session.part.index + 1, session.part.count,
                         evaluated(session), statuses, printable(session.directory.string()));
    case SessionEnd::stopped:
      break;
  }
  return statuses + stopped_text(summary);
}

Json summary_json(const RunSummary& summary, const SweepSpec& spec) {
  const SessionReport& session = summary.session;
  const std::vector<StatusInfo> infos = statuses_of(spec);
  JsonObject statuses;
  for (std::size_t s = 0; s < summary.statuses.size(); ++s)
    statuses.emplace_back(std::string(infos.at(s).name), summary.statuses[s]);
  JsonArray failures;
  for (const Failure& failure : session.tally.failures.entries())
    failures.push_back(JsonObject{{"message", failure.message},
                                  {"count", failure.count},
                                  {"first_point", failure.first_point},
                                  {"labels", describe_point(spec, failure.first_point)}});
  const bool is_stopped = session.end == SessionEnd::stopped;
  return JsonObject{
      {"end", end_name(session.end)},
      {"directory", session.directory.string()},
      {"file", session.file.empty() ? Json(nullptr) : Json(session.file.string())},
      {"rows", session.rows},
      {"points_evaluated", evaluated_points(session)},
      {spec.search ? "points_taken" : "rows_taken", session.tally.taken},
      {"seconds", session.seconds},
      {"points_per_second", rate(session)},
      {"statuses", std::move(statuses)},
      {"reasons", reasons_json(summary.misses)},
      {"failures", std::move(failures)},
      {"blocks_left", session.blocks_left},
      {"stop_reason", session.reason == StopReason::none ? Json(nullptr) : Json(to_string(session.reason))},
      {"resume", is_stopped ? Json(summary.resume) : Json(nullptr)}};
}

}  // namespace dfsweep
