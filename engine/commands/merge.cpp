#include "engine/commands/merge.hpp"

#include <fmt/format.h>

#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/store/run_directory.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

void check_output(const MergeRequest& request) {
  const std::string shown = printable(request.output.string());
  if (std::filesystem::is_directory(request.output))
    throw UsageError(fmt::format("-o '{}': is a folder. Name a file in it, such as merged.h5.", shown));
  if (!std::filesystem::exists(request.output)) return;
  for (const std::filesystem::path& part : request.parts) {
    const std::filesystem::path file = std::filesystem::is_directory(part) ? store::RunDirectory{part}.result() : part;
    if (std::filesystem::exists(file) && std::filesystem::equivalent(file, request.output))
      throw UsageError(
          fmt::format("-o '{}': is one of the results, which stay as they are. Name another file.", shown));
  }
}

std::string merged_text(const MergeReport& report, const std::filesystem::path& output) {
  std::string text;
  for (const MergeReport::Source& source : report.sources)
    text += fmt::format("{}: {} of {}\n", printable(source.shown), source.taken, counted(source.source.rows, "row"));
  text += fmt::format("{}: {}, ", printable(output.string()), counted(report.rows, "row"));
  return text + (report.no_grid.empty() ? "a grid\n" : fmt::format("a list of points: {}\n", report.no_grid));
}

Json merged_json(const MergeReport& report, const std::filesystem::path& output) {
  JsonArray sources;
  for (const MergeReport::Source& source : report.sources)
    sources.push_back(JsonObject{{"file", source.shown},
                                 {"name", source.source.name},
                                 {"plan_fingerprint", source.source.fingerprint},
                                 {"checksum", source.source.checksum},
                                 {"rows", source.source.rows},
                                 {"taken", source.taken}});
  return JsonObject{{"file", output.string()},
                    {"rows", report.rows},
                    {"form", report.no_grid.empty() ? "grid" : "points"},
                    {"no_grid", report.no_grid.empty() ? Json() : Json(report.no_grid)},
                    {"sources", std::move(sources)}};
}

}  // namespace

ExitStatus run_merge(const MergeOptions& options) {
  MergeRequest request = options.request;
  check_output(request);
  if (request.threads == 0) request.threads = allowed_cores();
  const MergeReport report = merge_results(request);
  write_results(options.form == OutputForm::json ? to_text(merged_json(report, request.output))
                                                 : merged_text(report, request.output));
  return ExitStatus::complete;
}

}  // namespace dfsweep
