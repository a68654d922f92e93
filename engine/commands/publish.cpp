#include "engine/commands/publish.hpp"

#include <fmt/core.h>

#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/parallel/threads.hpp"
#include "io/json.hpp"

namespace dfsweep {

namespace {

std::string_view spelled(PublishOutcome outcome) {
  switch (outcome) {
    case PublishOutcome::published:
      return "published";
    case PublishOutcome::unfinished:
      return "unfinished";
    case PublishOutcome::damaged:
      return "damaged";
  }
  return "damaged";
}

Json to_json(const PublishReport& report) {
  return JsonObject{{"outcome", spelled(report.outcome)},
                    {"file", report.file.string()},
                    {"rows", report.rows},
                    {"verified_bytes", report.verified_bytes},
                    {"missing_blocks", report.missing_blocks},
                    {"damaged", JsonArray(report.damaged.begin(), report.damaged.end())}};
}

std::string to_text(const PublishReport& report) {
  switch (report.outcome) {
    case PublishOutcome::published:
      if (report.missing_blocks != 0)
        return fmt::format("{}: {} rows, those of {} blocks with status missing. The run can go on\n",
                           report.file.string(), report.rows, report.missing_blocks);
      return fmt::format("{}: {} rows, published and verified\n", report.file.string(), report.rows);
    case PublishOutcome::unfinished:
      return fmt::format("{} blocks are missing: run the sweep again, or publish --partial what there is\n",
                         report.missing_blocks);
    case PublishOutcome::damaged:
      return fmt::format("{} blocks did not verify: run the sweep again, it repairs them\n", report.damaged.size());
  }
  return {};
}

}  // namespace

ExitStatus run_publish(const PublishOptions& options) {
  const std::unique_ptr<Communicator> ranks = make_communicator();
  const unsigned threads = options.threads != 0 ? options.threads : allowed_cores();
  const PublishReport report = publish(real_file_system(), options.directory, *ranks, threads, options.completeness);
  if (ranks->rank() == 0) {
    if (options.form == OutputForm::json)
      write_results(to_text(to_json(report)));
    else if (options.verbosity != Verbosity::quiet || report.outcome != PublishOutcome::published)
      write_results(to_text(report));
  }
  return report.outcome == PublishOutcome::published ? ExitStatus::complete : ExitStatus::stopped;
}

}  // namespace dfsweep
