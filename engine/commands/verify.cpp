#include "engine/commands/verify.hpp"

#include <fmt/core.h>

#include "engine/console/output.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/store/verification.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t most_named = 20;

Json to_json(const store::VerifyReport& report) {
  JsonArray damaged;
  for (const store::DamagedBlock& block : report.damaged)
    damaged.emplace_back(
        JsonObject{{"block", block.block}, {"columns", JsonArray(block.columns.begin(), block.columns.end())}});
  return JsonObject{{"file", report.file.string()},
                    {"sound", report.is_sound()},
                    {"published", report.subject != store::Subject::run},
                    {"blocks", report.blocks},
                    {"blocks_missing", report.missing_blocks},
                    {"bytes", report.bytes},
                    {"damaged", std::move(damaged)},
                    {"frame_damaged", report.is_frame_damaged},
                    {"notes", JsonArray(report.notes.begin(), report.notes.end())}};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string to_text(const store::VerifyReport& report) {
  std::string text;
  for (std::size_t i = 0; i < std::min(report.damaged.size(), most_named); ++i)
    text += fmt::format("block {} is damaged ({})\n", report.damaged[i].block, joined(report.damaged[i].columns));
  if (report.damaged.size() > most_named)
    text += fmt::format("... and {} more blocks\n", report.damaged.size() - most_named);
  if (report.is_frame_damaged) text += "the file is damaged outside its columns, or its checksum table is\n";
  const std::uint32_t checked =
      report.blocks - (report.subject == store::Subject::run ? std::min(report.missing_blocks, report.blocks) : 0);
  const std::string finding = report.is_sound()        ? "sound"
                              : report.damaged.empty() ? "damaged"
                                                       : fmt::format("{} damaged", report.damaged.size());
  text += fmt::format("{}: {}, {} verified, {}\n", printable(report.file.string()), counted(checked, "block"),
                      with_unit(static_cast<double>(report.bytes), "byte", 3), finding);
  if (!report.is_sound() && report.subject != store::Subject::file) {
    text += "Next: the same dfsweep run again repairs it\n";
  } else if (report.subject == store::Subject::run) {
    text += report.missing_blocks != 0
                ? fmt::format("{} not evaluated yet. ", report.missing_blocks == 1
                                                            ? std::string("1 block is")
                                                            : fmt::format("{} blocks are", report.missing_blocks))
                : std::string("All blocks are evaluated, but the result is not published yet. ");
    text += "Next: the same dfsweep run again\n";
  }
  return text;
}

}  // namespace

ExitStatus run_verify(const VerifyOptions& options) {
  FileSystem& files = real_file_system();
  const unsigned threads = options.threads != 0 ? options.threads : allowed_cores();
  const bool is_directory = std::filesystem::is_directory(options.path);
  const store::VerifyReport report =
      is_directory ? store::verify_run(files, options.path, threads) : store::verify_file(files, options.path, threads);
  if (options.form == OutputForm::json) {
    write_results(to_text(to_json(report)));
  } else {
    const bool prints = options.verbosity != Verbosity::quiet || !report.is_sound();
    for (const std::string& note : report.notes)
      if (prints) write_message(note);
    if (prints) write_results(to_text(report));
  }
  if (!report.is_sound()) return ExitStatus::foreign_run;
  return report.subject == store::Subject::run ? ExitStatus::stopped : ExitStatus::complete;
}

}  // namespace dfsweep
