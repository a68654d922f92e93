#include "engine/commands/run_standing.hpp"

#include <algorithm>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "engine/store/journals.hpp"
#include "engine/store/published_file.hpp"
#include "engine/store/verification.hpp"

namespace dfsweep {
namespace {

/// The end of the log that is read. A writer adds about 100 bytes every ten seconds.
constexpr std::uint64_t most_log_bytes = std::uint64_t{8} << 20;
/// A writer that has been silent for three of its lines, and has no lock that is seen from here, is not at work.
constexpr double longest_silence = 35.0;

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

std::string log_text(FileSystem& files, const store::RunDirectory& directory) {
  if (!files.exists(directory.log())) return {};
  try {
    const std::unique_ptr<File> file = files.open(directory.log(), OpenFor::reading);
    const std::uint64_t size = file->size();
    std::string text(std::min(size, most_log_bytes), '\0');
    const std::size_t count = file->read_some(size - text.size(), std::as_writable_bytes(std::span(text)));
    text.resize(count);
    return text;
  } catch (const IoError&) {  // the journals say what is complete; the log adds who works
    return {};
  }
}

/// Writers that are silent have ended without a word, unless their lock is seen.
std::vector<Writer> writers_now(FileSystem& files, const store::RunDirectory& directory, const RunStanding& standing) {
  std::vector<Writer> writers = writers_of(log_text(files, directory));
  for (Writer& writer : writers) {
    std::string lock = "part-" + writer.part + ":";
    if (const std::size_t slash = lock.find('/'); slash != std::string::npos) lock.replace(slash, 1, "-of-");
    const bool is_locked = std::any_of(standing.running.begin(), standing.running.end(),
                                       [&](const std::string& line) { return line.starts_with(lock); });
    if (writer.state != WriterState::working || is_locked || standing.now - writer.seen < longest_silence) continue;
    writer.state = WriterState::failed;
    writer.trouble = "ended without a last line: killed, or its node died";
    writer.trouble_seen = writer.seen;
  }
  return writers;
}

std::vector<std::uint32_t> missing_parts(const store::RunRecord& record, const std::vector<bool>& complete) {
  std::vector<std::uint32_t> missing;
  for (std::uint32_t part = 0; record.parts > 1 && part < record.parts; ++part)
    for (std::uint32_t b = part; b < record.cut.block_count; b += record.parts)
      if (!complete[b]) {
        missing.push_back(part + 1);
        break;
      }
  return missing;
}

/// Status compares all but the rows, which takes no time: those are read by `dfsweep verify`.
bool is_intact_outside_rows(FileSystem& files, const store::RunDirectory& directory, const RunStanding& standing) {
  const std::filesystem::path path = standing.is_published ? directory.result() : directory.partial();
  if (!files.exists(path)) throw store::no_result_yet(directory);
  const std::unique_ptr<File> file = files.open(path, OpenFor::reading);
  if (!standing.is_published) return store::has_planned_frame(*file, standing.record);
  return store::has_published_frame(files, path, standing.record) &&
         store::sealed_table(*file, standing.record).has_value();
}

bool is_any_working(const RunStanding& standing) {
  return std::any_of(standing.writers.begin(), standing.writers.end(),
                     [](const Writer& writer) { return writer.state == WriterState::working; });
}

}  // namespace

RunStanding standing_of(FileSystem& files, const store::RunDirectory& directory) {
  RunStanding standing{.record = store::read_run_record(files, directory),
                       .running = {},
                       .missing_parts = {},
                       .writers = {},
                       .notes = {}};
  const BlockCut& cut = standing.record.cut;
  standing.is_published = files.exists(directory.result()) && !files.exists(directory.partial());
  standing.is_damaged = files.exists(directory.damage()) || !is_intact_outside_rows(files, directory, standing);
  standing.running = running_parts(files, directory);
  standing.now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  standing.writers = writers_now(files, directory, standing);
  if (standing.is_published) {
    standing.complete_blocks = cut.block_count;
    standing.complete_rows = cut.rows;
    return standing;
  }
  const store::JournalState journals = store::read_journals(files, directory, standing.record);
  standing.notes = journals.notes;
  standing.complete_blocks = journals.complete_count();
  standing.missing_parts = missing_parts(standing.record, journals.complete);
  for (std::uint32_t b = 0; b < cut.block_count && cut.kind != BlockKind::candidates; ++b)
    if (journals.complete[b]) standing.complete_rows += cut.stored(b).row_count;
  return standing;
}

std::string_view state_of(const RunStanding& standing) {
  if (standing.is_damaged) return "damaged";
  if (standing.is_published) return "published";
  if (standing.complete_blocks == standing.record.cut.block_count) return "ready to publish";
  return standing.running.empty() && !is_any_working(standing) ? "stopped" : "running";
}

double rate_of(const RunStanding& standing) {
  double rate = 0.0;
  for (const Writer& writer : standing.writers)
    if (writer.state == WriterState::working) rate += writer.points_per_second.value_or(0.0);
  return rate;
}

std::optional<double> time_left_of(const RunStanding& standing) {
  if (standing.is_published) return std::nullopt;
  const auto is_at_work = [&](std::uint32_t part) {
    const std::string name = fmt::format("{}/{}", part, standing.record.parts);
    return std::any_of(standing.writers.begin(), standing.writers.end(), [&](const Writer& writer) {
      return writer.state == WriterState::working && (writer.part == name || writer.part == "1/1");
    });
  };
  const std::vector<std::uint32_t>& missing = standing.missing_parts;
  if (!std::all_of(missing.begin(), missing.end(), is_at_work)) return std::nullopt;
  return seconds_left(standing.writers);
}

const Writer* last_trouble(const RunStanding& standing) {
  const Writer* last = nullptr;
  for (const Writer& writer : standing.writers)
    if (!writer.trouble.empty() && (last == nullptr || writer.trouble_seen > last->trouble_seen)) last = &writer;
  return last;
}

double silence(const RunStanding& standing, const Writer& writer) {
  return std::max(standing.now - writer.seen, 0.0);  // the clocks of hosts differ a little
}

}  // namespace dfsweep
