#include "engine/commands/slurm.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "engine/cluster/job_size.hpp"
#include "engine/commands/plan_sample.hpp"
#include "engine/console/output.hpp"
#include "engine/console/shell_word.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/run/stop.hpp"
#include "engine/run/waiting_line.hpp"
#include "engine/store/run_directory.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "io/atomic_file.hpp"
#include "io/external_program.hpp"
#include "io/file_system.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"

namespace dfsweep {
namespace {

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

/// Free bytes of the file system that a path is on, or will be on; nothing where it is unknown.
std::optional<std::uint64_t> free_bytes(std::filesystem::path path) {
  std::error_code error;
  while (!std::filesystem::exists(path, error) && path.has_relative_path()) path = path.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(path, error);
  if (error) return std::nullopt;
  return space.available;
}

void expect_names(const SlurmOptions& options) {
  if (options.sweep == "-") throw UsageError("slurm: the sweep must be a file: standard input does not reach a job");
  if (!options.partition.empty() && !is_slurm_name(options.partition))
    throw UsageError(fmt::format("--partition: '{}' cannot be the name of a partition", printable(options.partition)));
  if (!options.account.empty() && !is_slurm_name(options.account))
    throw UsageError(fmt::format("--account: '{}' cannot be the name of an account", printable(options.account)));
  if (!options.after.empty() && !is_job_identifier(options.after))
    throw UsageError(
        fmt::format("--after: '{}' is not the number of a job. Write it as in --after 4711", printable(options.after)));
  if (options.parts > 1 && options.ranks.value_or(1) > 1)
    throw UsageError("--array and --ranks exclude each other: each part of an array is one process with --threads");
}

/// The options of `dfsweep slurm` that its run needs too, with paths that hold in any folder.
std::vector<std::string> reading_options(const SweepReading& reading) {
  std::vector<std::string> words;
  for (const std::filesystem::path& folder : reading.catalogues) {
    words.emplace_back("--catalogue");
    words.push_back(std::filesystem::absolute(folder).string());
  }
  for (const auto& [name, path] : reading.data) {
    words.emplace_back("--data");
    words.push_back(name + "=" + std::filesystem::absolute(path).string());
  }
  return words;
}

/// A line about the disk. `resumed`: the space of the result is taken already.
std::string disk_reason(const store::RoomNeeded& needed, const std::optional<std::uint64_t>& free, bool is_resumed) {
  const std::string size = with_unit(static_cast<double>(needed.result), "byte", 3);
  const std::string_view more = needed.compressed == 0 ? "" : ", and up to as much again while it is compressed";
  if (is_resumed) return fmt::format("disk: {} for the result, which exists already{}", size, more);
  return fmt::format("disk: {} for the result{}{}", size, more,
                     free ? fmt::format("; {} are free", with_unit(static_cast<double>(*free), "byte", 3)) : "");
}

PlannedWork planned_work(const Plan& plan, const CostSample& sample, SampleEnd end) {
  PlannedWork work{.core_seconds = std::nullopt,
                   .blocks = std::max<std::uint64_t>(plan.block_count(), 1),
                   .result_bytes = result_bytes(plan),
                   .process_bytes = peak_memory()};
  if (sample.is_prepared && sample.evaluated > 0 && end == SampleEnd::finished)
    work.core_seconds = sample.seconds(plan.rows().kept()) + writing_seconds(plan);
  return work;
}

JobScript script_of(const SlurmOptions& options, const SweepSpec& spec, const PlannedWork& work) {
  const JobSize size = size_of_job(
      work, {.ranks = options.ranks, .threads = options.threads, .time = options.time, .parts = options.parts});
  const std::filesystem::path directory =
      options.directory.empty() ? std::filesystem::path("runs") / spec.name : options.directory;
  JobScript script{.name = spec.name,
                   .program = std::filesystem::read_symlink("/proc/self/exe").string(),
                   .sweep = std::filesystem::absolute(options.sweep).string(),
                   .run = std::filesystem::absolute(directory).lexically_normal().string(),
                   .options = reading_options(options.reading),
                   .reasons = {fmt::format("{}: job of dfsweep slurm, from its plan", spec.name)},
                   .setup = options.setup,
                   .resources = {.ranks = size.ranks,
                                 .threads = size.threads,
                                 .parts = options.parts,
                                 .time = size.time,
                                 .memory_per_core = size.memory_per_core,
                                 .partition = options.partition,
                                 .account = options.account,
                                 .after = options.after},
                   .launcher = size.ranks > 1 ? options.launcher : Launcher::none};
  script.reasons.insert(script.reasons.end(), size.reasons.begin(), size.reasons.end());
  return script;
}

/// Adds a line about the disk, and complains where it is too small: before a submission with an error.
void check_disk(JobScript& script, const store::RoomNeeded& needed, Submission submission) {
  const store::RunDirectory directory{script.run};
  FileSystem& files = real_file_system();
  const bool is_resumed = files.exists(directory.partial()) || files.exists(directory.result());
  const std::optional<std::uint64_t> free = free_bytes(script.run);
  script.reasons.push_back(disk_reason(needed, free, is_resumed));
  if (is_resumed || !free || *free >= needed.most()) return;
  if (submission == Submission::submit && *free < needed.result)
    throw IoError("reserve space in", script.run, ENOSPC, script.reasons.back() + ". Choose another --out");
  write_message("warning: " + script.reasons.back() + ". Choose another --out");
}

/// "job.sbatch" becomes "job-then-2.sbatch".
std::filesystem::path step_file(const std::filesystem::path& script, std::size_t number) {
  return script.parent_path() /
         fmt::format("{}-then-{}{}", script.stem().string(), number, script.extension().string());
}

void write_script(const std::filesystem::path& path, const std::string& text) {
  create_folder_of(path);
  replace_file(real_file_system(), path, std::as_bytes(std::span(text)));
}

/// The commands that submit the scripts of files.
std::string submission_text(const std::filesystem::path& script, std::size_t steps) {
  const auto word = [](const std::filesystem::path& path) { return shell_word(printable(path.string())); };
  if (steps == 0) return fmt::format("Next: sbatch {}\n", word(script));
  std::string text = fmt::format("Next: job=$(sbatch --parsable {})\n", word(script));
  for (std::size_t n = 1; n <= steps; ++n)
    text += fmt::format("      job=$(sbatch --parsable --dependency=afterok:$job --kill-on-invalid-dep=yes {})\n",
                        word(step_file(script, n)));
  return text;
}

void show(const SlurmOptions& options, const JobScript& script) {
  std::vector<std::string> steps;
  for (const std::string& command : options.then) steps.push_back(step_script(script, command, steps.size() + 1));
  if (options.output.empty()) {
    std::string text = run_script(script);
    for (const std::string& step : steps) text += "\n# A job that waits for the one above:\n" + step;
    return write_results(text);
  }
  write_script(options.output, run_script(script));
  for (std::size_t n = 0; n < steps.size(); ++n) write_script(step_file(options.output, n + 1), steps[n]);
  write_results(submission_text(options.output, steps.size()));
}

/// Submits a script; returns the identifier of its job. `after`: job that has to succeed before; empty: none.
std::string submit(const std::string& script, const std::string& after) {
  std::vector<std::string> words = {"sbatch", "--parsable"};
  if (!after.empty()) {
    words.push_back("--dependency=afterok:" + after);
    words.emplace_back("--kill-on-invalid-dep=yes");
  }
  ExternalResult result;
  try {
    result = run_external(words, script);
  } catch (const IoError& error) {
    throw IoError("start", "sbatch", error.error_number,
                  "Submit on a host with Slurm; dfsweep slurm ... -o job.sbatch writes the script");
  }
  if (result.status != 0) throw UsageError(fmt::format("sbatch refused the job (status {})", result.status));
  const std::size_t end = result.out.find_first_of(";\n");  // "4711;cluster"
  return result.out.substr(0, end);
}

void submit_all(const SlurmOptions& options, const JobScript& script) {
  std::string job = submit(run_script(script), "");
  write_results(job + '\n');
  for (std::size_t n = 0; n < options.then.size(); ++n) {
    job = submit(step_script(script, options.then[n], n + 1), job);
    write_results(job + '\n');
  }
  write_message(fmt::format("submitted; dfsweep status {} shows the progress", shell_word(printable(script.run))));
}

}  // namespace

std::optional<std::chrono::minutes> parse_job_time(std::string_view text) {
  constexpr double longest = 366.0 * 86'400.0;
  const std::optional<Stop::Seconds> time = parse_time_limit(text);
  if (!time || time->count() <= 0.0 || time->count() > longest) return std::nullopt;
  return std::chrono::minutes(static_cast<std::int64_t>(std::ceil(time->count() / 60.0)));
}

ExitStatus run_slurm(const SlurmOptions& options) {
  expect_names(options);
  std::optional<WaitingLine> line("preparing the sweep and sampling points");
  const SweepSpec spec = read_sweep(options.sweep, options.reading);
  const RowSource rows(spec);
  const Plan plan(spec, rows);
  Sampling sampling(plan);
  const auto [sample, end] = sampling.within(most_sampling_seconds);
  line.reset();
  JobScript script = script_of(options, spec, planned_work(plan, sample, end));
  check_disk(script, room_needed(plan), options.submission);
  if (!options.output.empty() || options.submission == Submission::show) show(options, script);
  if (options.submission == Submission::submit) submit_all(options, script);
  if (end == SampleEnd::finished) return ExitStatus::complete;
  flush_results();
  std::_Exit(static_cast<int>(ExitStatus::complete));  // the thread of the sample may go on for minutes
}

}  // namespace dfsweep
