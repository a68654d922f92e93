#include "engine/commands/publish.hpp"

#include <fmt/core.h>

#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/parallel/threads.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

std::string_view spelled(store::PublishOutcome outcome) {
  switch (outcome) {
    case store::PublishOutcome::published:
      return "published";
    case store::PublishOutcome::unfinished:
      return "unfinished";
    case store::PublishOutcome::damaged:
      return "damaged";
  }
  return "damaged";
}

Json to_json(const store::PublishReport& report) {
  return JsonObject{{"outcome", spelled(report.outcome)},
                    {"file", report.file.string()},
                    {"rows", report.rows},
                    {"verified_bytes", report.verified_bytes},
                    {"missing_blocks", report.missing_blocks},
                    {"damaged", JsonArray(report.damaged.begin(), report.damaged.end())},
                    {"frame_damaged", report.is_frame_damaged}};
}

std::string damage_text(const store::PublishReport& report) {
  if (report.damaged.empty() && !report.is_frame_damaged)
    return fmt::format("{} was found damaged before. Next: the same dfsweep run again repairs it\n",
                       printable(report.file.string()));
  std::string text;
  if (report.is_frame_damaged) text += "the file is damaged outside its columns, or its checksum table is\n";
  if (!report.damaged.empty())
    text += fmt::format("checksum of the contents differs: {}\n", counted(report.damaged.size(), "block"));
  if (!report.file.empty() && report.missing_blocks != 0)
    text += fmt::format("{}: {}; those of {} have status missing\n", printable(report.file.string()),
                        counted(report.rows, "row"), counted(report.missing_blocks + report.damaged.size(), "block"));
  return text + "Next: the same dfsweep run again repairs it\n";
}

std::string to_text(const store::PublishReport& report) {
  switch (report.outcome) {
    case store::PublishOutcome::published:
      if (report.missing_blocks != 0)
        return fmt::format("{}: {}; those of {} have status missing. The run can go on\n",
                           printable(report.file.string()), counted(report.rows, "row"),
                           counted(report.missing_blocks, "block"));
      return fmt::format("{}: {}, published and verified\n", printable(report.file.string()),
                         counted(report.rows, "row"));
    case store::PublishOutcome::unfinished:
      return fmt::format("missing: {}. Run the sweep again, or add --partial to publish the complete rows\n",
                         counted(report.missing_blocks, "block"));
    case store::PublishOutcome::damaged:
      return damage_text(report);
  }
  return {};
}

}  // namespace

ExitStatus run_publish(const PublishOptions& options) {
  const std::unique_ptr<Communicator> ranks = make_communicator();
  const unsigned threads = options.threads != 0 ? options.threads : allowed_cores();
  const store::PublishReport report =
      store::publish(real_file_system(), options.directory, *ranks, threads, options.completeness);
  if (ranks->rank() == 0) {
    if (options.form == OutputForm::json)
      write_results(to_text(to_json(report)));
    else if (options.verbosity != Verbosity::quiet || report.outcome != store::PublishOutcome::published)
      write_results(to_text(report));
  }
  switch (report.outcome) {
    case store::PublishOutcome::published:
      return ExitStatus::complete;
    case store::PublishOutcome::unfinished:
      return ExitStatus::stopped;
    case store::PublishOutcome::damaged:
      return ExitStatus::foreign_run;
  }
  return ExitStatus::foreign_run;
}

}  // namespace dfsweep
