#include "engine/commands/status.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "engine/console/output.hpp"
#include "engine/store/journals.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/store/verification.hpp"
#include "io/json.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

struct Standing {
  store::RunRecord record;
  bool is_published = false;
  bool is_damaged = false;
  std::uint32_t complete_blocks = 0;
  std::uint64_t complete_rows = 0;
  std::vector<std::string> running;  ///< holders of the locks of parts
  std::vector<std::string> notes;
};

/// Lines like "part-1-of-3: process 4711 on host n1" of parts that are being evaluated now.
std::vector<std::string> running_parts(FileSystem& files, const store::RunDirectory& directory) {
  std::vector<std::string> lines;
  for (const std::string& name : files.list(directory.journals())) {
    if (!name.starts_with("part-") || !name.ends_with(".lock")) continue;
    const std::filesystem::path path = directory.journals() / name;
    const std::string holder = files.lock_holder(path);
    if (!holder.empty()) lines.push_back(fmt::format("{}: {}", name.substr(0, name.size() - 5), holder));
  }
  return lines;
}

/// Status compares all but the rows, which takes no time: those are read by `dfsweep verify`.
bool is_intact_outside_rows(FileSystem& files, const store::RunDirectory& directory, const Standing& standing) {
  const std::filesystem::path path = standing.is_published ? directory.result() : directory.partial();
  if (!files.exists(path)) throw store::no_result_yet(directory);
  const std::unique_ptr<File> file = files.open(path, OpenFor::reading);
  return store::has_planned_frame(*file, standing.record) &&
         (!standing.is_published || store::sealed_table(*file, standing.record).has_value());
}

Standing standing_of(FileSystem& files, const store::RunDirectory& directory) {
  Standing standing{.record = store::read_run_record(files, directory), .running = {}, .notes = {}};
  const BlockCut& cut = standing.record.cut;
  standing.is_published = files.exists(directory.result()) && !files.exists(directory.partial());
  standing.is_damaged = files.exists(directory.damage()) || !is_intact_outside_rows(files, directory, standing);
  standing.running = running_parts(files, directory);
  if (standing.is_published) {
    standing.complete_blocks = cut.block_count;
    standing.complete_rows = cut.rows;
    return standing;
  }
  const store::JournalState journals =
      store::read_journals(files, directory, standing.record, store::JournalUse::completeness);
  standing.notes = journals.notes;
  standing.complete_blocks = journals.complete_count();
  for (std::uint32_t b = 0; b < cut.block_count && cut.kind != BlockKind::candidates; ++b)
    if (journals.complete[b]) standing.complete_rows += cut.stored(b).row_count;
  return standing;
}

std::string_view state_of(const Standing& standing) {
  if (standing.is_damaged) return "damaged";
  if (standing.is_published) return "published";
  if (standing.complete_blocks == standing.record.cut.block_count) return "ready to publish";
  return standing.running.empty() ? "stopped" : "running";
}

Json to_json(const Standing& standing, const store::RunDirectory& directory) {
  const BlockCut& cut = standing.record.cut;
  JsonArray running(standing.running.begin(), standing.running.end());
  JsonArray notes(standing.notes.begin(), standing.notes.end());
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
                    {"running", std::move(running)},
                    {"notes", std::move(notes)}};
}

std::string next_step(const Standing& standing, const store::RunDirectory& directory) {
  const std::string path = printable(directory.path.string());
  if (standing.is_damaged) return "Next: the same dfsweep run again repairs what is damaged";
  if (standing.is_published) return fmt::format("Next: dfsweep show {}", printable(directory.result().string()));
  if (standing.complete_blocks == standing.record.cut.block_count) return fmt::format("Next: dfsweep publish {}", path);
  return "Next: the same dfsweep run again evaluates what is missing";
}

std::string to_text(const Standing& standing, const store::RunDirectory& directory) {
  const BlockCut& cut = standing.record.cut;
  const double share = 100.0 * standing.complete_blocks / cut.block_count;
  std::string text = fmt::format("{}: {} in {}\n", printable(standing.record.name), state_of(standing),
                                 printable(directory.path.string()));
  text += fmt::format("  blocks  {} of {} complete ({:.1f} %)\n", standing.complete_blocks, cut.block_count, share);
  if (cut.kind == BlockKind::candidates && !standing.is_published)
    text += fmt::format("  rows    {} when published\n", cut.rows);
  else
    text += fmt::format("  rows    {} of {}\n", standing.complete_rows, cut.rows);
  for (const std::string& line : standing.running) text += fmt::format("  running {}\n", line);
  for (const std::string& note : standing.notes) text += fmt::format("  note    {}\n", note);
  return text + next_step(standing, directory) + "\n";
}

}  // namespace

ExitStatus run_status(const StatusOptions& options) {
  const store::RunDirectory directory{options.directory};
  const Standing standing = standing_of(real_file_system(), directory);
  write_results(options.form == OutputForm::json ? to_text(to_json(standing, directory))
                                                 : to_text(standing, directory));
  if (standing.is_damaged) return ExitStatus::foreign_run;
  return standing.is_published ? ExitStatus::complete : ExitStatus::stopped;
}

}  // namespace dfsweep
