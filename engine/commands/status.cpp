#include "engine/commands/status.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "engine/commands/run_standing.hpp"
#include "engine/console/output.hpp"
#include "engine/run/progress.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"

namespace dfsweep {
namespace {

template <class Number>
Json json_or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

std::string_view name_of_state(WriterState state) {
  switch (state) {
    case WriterState::working:
      return "working";
    case WriterState::complete:
      return "complete";
    case WriterState::stopped:
      return "stopped";
    case WriterState::failed:
      return "failed";
  }
  return "";
}

Json json_of(const RunStanding& standing, const Writer& writer) {
  JsonArray hosts(writer.hosts.begin(), writer.hosts.end());
  return JsonObject{{"part", writer.part},
                    {"state", name_of_state(writer.state)},
                    {"hosts", std::move(hosts)},
                    {"ranks", writer.ranks},
                    {"threads", writer.threads},
                    {"seconds_since_seen", silence(standing, writer)},
                    {"points_per_second", json_or_null(writer.points_per_second)},
                    {"points_left", json_or_null(writer.points_left)},
                    {"stop_reason", writer.stop_reason.empty() ? Json(nullptr) : Json(writer.stop_reason)}};
}

Json failure_json(const Writer* writer) {
  if (writer == nullptr) return nullptr;
  JsonArray hosts(writer->hosts.begin(), writer->hosts.end());
  return JsonObject{{"time", utc_text(writer->trouble_seen)},
                    {"part", writer->part},
                    {"hosts", std::move(hosts)},
                    {"message", writer->trouble}};
}

Json to_json(const RunStanding& standing, const store::RunDirectory& directory) {
  const BlockCut& cut = standing.record.cut;
  JsonArray running(standing.running.begin(), standing.running.end());
  JsonArray notes(standing.notes.begin(), standing.notes.end());
  JsonArray missing(standing.missing_parts.begin(), standing.missing_parts.end());
  JsonArray writers;
  for (const Writer& writer : standing.writers) writers.push_back(json_of(standing, writer));
  return JsonObject{{"directory", directory.path.string()},
                    {"name", standing.record.name},
                    {"state", state_of(standing)},
                    {"fingerprint", standing.record.fingerprint},
                    {"program_version", standing.record.program_version},
                    {"blocks", cut.block_count},
                    {"blocks_complete", standing.complete_blocks},
                    {"rows", cut.rows},
                    {"rows_complete", standing.complete_rows},
                    {"bytes", standing.record.file_size},
                    {"points_per_second", rate_of(standing)},
                    {"seconds_left", json_or_null(time_left_of(standing))},
                    {"parts", standing.record.parts},
                    {"parts_missing", std::move(missing)},
                    {"writers", std::move(writers)},
                    {"last_failure", failure_json(last_trouble(standing))},
                    {"running", std::move(running)},
                    {"notes", std::move(notes)}};
}

std::string next_step(const RunStanding& standing, const store::RunDirectory& directory) {
  const std::string path = printable(directory.path.string());
  if (standing.is_damaged) return "Next: the same dfsweep run again repairs what is damaged";
  if (standing.is_published) return fmt::format("Next: dfsweep show {}", printable(directory.result().string()));
  if (standing.complete_blocks == standing.record.cut.block_count) return fmt::format("Next: dfsweep publish {}", path);
  return "Next: the same dfsweep run again evaluates what is missing";
}

constexpr std::size_t most_listed = 20;

/// "2,4,7", as sbatch --array takes it: at most 20 of them.
std::string listed_parts(const std::vector<std::uint32_t>& parts) {
  const std::size_t shown = std::min(parts.size(), most_listed);
  return fmt::format("{}{}", fmt::join(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(shown), ","),
                     shown < parts.size() ? fmt::format(" and {} more", parts.size() - shown) : "");
}

std::string hosts_text(const Writer& writer) {
  const std::size_t shown = std::min(writer.hosts.size(), most_listed);
  const auto end = writer.hosts.begin() + static_cast<std::ptrdiff_t>(shown);
  return printable(fmt::format("{}", fmt::join(writer.hosts.begin(), end, ", "))) +
         (shown < writer.hosts.size() ? fmt::format(" and {} more", writer.hosts.size() - shown) : "");
}

/// The writer that stopped last; null where none has stopped.
const Writer* last_stopped(const RunStanding& standing) {
  const Writer* last = nullptr;
  for (const Writer& writer : standing.writers)
    if (writer.state == WriterState::stopped && (last == nullptr || writer.seen > last->seen)) last = &writer;
  return last;
}

/// Rate, time left, parts and writers of a run that is not published.
std::string work_lines(const RunStanding& standing) {
  std::string text;
  if (const double rate = rate_of(standing); rate > 0.0) {
    const std::optional<double> left = time_left_of(standing);
    text += fmt::format("  rate    {}{}\n", short_rate(rate), left ? ", " + short_time(*left) + " left" : "");
  }
  if (standing.record.parts > 1) {
    const std::vector<std::uint32_t>& missing = standing.missing_parts;
    text += fmt::format("  parts   {} of {} complete{}\n", standing.record.parts - missing.size(),
                        standing.record.parts, missing.empty() ? "" : "; missing: " + listed_parts(missing));
  }
  std::size_t working = 0;
  for (const Writer& writer : standing.writers)
    if (writer.state == WriterState::working && ++working <= most_listed)
      text += fmt::format("  at work part {} on {}, {} of {}, last seen {} ago\n", writer.part, hosts_text(writer),
                          counted(writer.ranks, "rank"), counted(writer.threads, "thread"),
                          short_time(silence(standing, writer)));
  if (working > most_listed) text += fmt::format("  at work {} more parts\n", working - most_listed);
  const Writer* stopped = last_stopped(standing);
  if (stopped != nullptr && working == 0)
    text += fmt::format("  stopped {} ago, part {} on {}: {}\n", short_time(silence(standing, *stopped)), stopped->part,
                        hosts_text(*stopped), stopped->stop_reason);
  if (const Writer* writer = last_trouble(standing); writer != nullptr)
    text += fmt::format("  failure {}, part {} on {}: {}\n", utc_text(writer->trouble_seen), writer->part,
                        hosts_text(*writer), printable(writer->trouble));
  return text;
}

std::string to_text(const RunStanding& standing, const store::RunDirectory& directory) {
  const BlockCut& cut = standing.record.cut;
  const double share = 100.0 * standing.complete_blocks / cut.block_count;
  std::string text = fmt::format("{}: {} in {}\n", printable(standing.record.name), state_of(standing),
                                 printable(directory.path.string()));
  text += fmt::format("  blocks  {} of {} complete ({:.1f} %)\n", standing.complete_blocks, cut.block_count, share);
  if (cut.kind == BlockKind::candidates && !standing.is_published)
    text += fmt::format("  rows    {} when published\n", cut.rows);
  else
    text += fmt::format("  rows    {} of {}\n", standing.complete_rows, cut.rows);
  if (!standing.is_published) text += work_lines(standing);
  for (const std::string& line : standing.running) text += fmt::format("  running {}\n", line);
  for (const std::string& note : standing.notes) text += fmt::format("  note    {}\n", note);
  return text + next_step(standing, directory) + "\n";
}

}  // namespace

ExitStatus run_status(const StatusOptions& options) {
  const store::RunDirectory directory{options.directory};
  const RunStanding standing = standing_of(real_file_system(), directory);
  write_results(options.form == OutputForm::json ? to_text(to_json(standing, directory))
                                                 : to_text(standing, directory));
  if (standing.is_damaged) return ExitStatus::foreign_run;
  return standing.is_published ? ExitStatus::complete : ExitStatus::stopped;
}

}  // namespace dfsweep
