#include "engine/cluster/job_script.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/console/shell_word.hpp"
#include "io/terminal.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

constexpr std::string_view letters_and_digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::chrono::minutes step_time{60};
/// Before the limit, for blocks in progress, their commit and the requeueing. Slurm is up to a minute early or late.
constexpr std::chrono::seconds usual_warning{180};

bool consists_of(std::string_view text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return letters_and_digits.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
  });
}

/// Slurm reads directives without a shell, so that names must not need quotes.
std::string job_name(std::string name) {
  for (char& c : name)
    if (!consists_of(std::string_view(&c, 1), "_-.")) c = '_';
  return name.empty() ? "dfsweep" : name;
}

std::string directive(std::string_view option, std::string_view value) {
  return value.empty() ? "" : fmt::format("#SBATCH --{}={}\n", option, value);
}

/// The directives that a run and its further steps share.
std::string common_directives(const JobResources& resources) {
  std::string text = fmt::format("#SBATCH --cpus-per-task={}\n", resources.threads);
  if (resources.memory_per_core != 0) text += fmt::format("#SBATCH --mem-per-cpu={}M\n", resources.memory_per_core);
  return text + directive("partition", resources.partition) + directive("account", resources.account);
}

std::string run_directives(const JobScript& job) {
  const JobResources& resources = job.resources;
  const std::chrono::seconds warning = std::min(usual_warning, std::chrono::seconds(resources.time) / 2);
  const bool is_array = resources.parts > 1;
  std::string text = "#!/bin/bash\n" + directive("job-name", job_name(job.name));
  if (is_array) text += fmt::format("#SBATCH --array=1-{}\n", resources.parts);
  if (resources.ranks == 1) text += "#SBATCH --nodes=1\n";
  text += fmt::format("#SBATCH --ntasks={}\n", resources.ranks) + common_directives(resources);
  text += directive("time", slurm_time(resources.time));
  if (!resources.after.empty())
    text += directive("dependency", "afterok:" + resources.after) + directive("kill-on-invalid-dep", "yes");
  text += fmt::format("#SBATCH --signal=B:USR1@{}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n", warning.count());
  return text + directive("output", is_array ? "%x-%A_%a.log" : "%x-%j.log");
}

std::string comments(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "# " + printable(line) + '\n';
  return text;
}

std::string setup_lines(const JobScript& job) {
  std::string text;
  for (const std::string& line : job.setup) text += line + '\n';
  return text;
}

std::string variables(const JobScript& job) {
  const std::string_view identifier =
      job.resources.parts > 1 ? "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" : "$SLURM_JOB_ID";
  std::string text = fmt::format("set -u\ndfsweep={}\nsweep={}\nrun={}\njob={}\n", shell_word(job.program),
                                 shell_word(job.sweep), shell_word(job.run), identifier);
  if (job.resources.parts > 1)
    text += fmt::format(
        "# A part has its name from here, so that any tasks can run in any order, also again: sbatch --array=2,4\n"
        "part=$SLURM_ARRAY_TASK_ID/{}\n",
        job.resources.parts);
  return text;
}

/// The blocks that this job has completed, in bytes of their records.
std::string journal_function(const JobScript& job) {
  const std::string files = job.resources.parts > 1
                                ? fmt::format("part-\"$SLURM_ARRAY_TASK_ID\"-of-{}.*.journal", job.resources.parts)
                                : "*.journal";
  return fmt::format("journal_bytes() {{ du -bc \"$run\"/journal/{} 2> /dev/null | tail -n 1 | cut -f 1; }}\n", files);
}

std::string launch(const JobScript& job) {
  switch (job.launcher) {
    case Launcher::none:
      return "";
    case Launcher::mpirun:
      return "mpirun --map-by \"slot:PE=$SLURM_CPUS_PER_TASK\" ";
    case Launcher::srun:
      return "srun --cpus-per-task=\"$SLURM_CPUS_PER_TASK\" ";
  }
  return "";
}

std::string command_line(const JobScript& job) {
  std::string text = launch(job) + "\"$dfsweep\" run \"$sweep\" --out \"$run\"";
  if (job.resources.parts > 1) text += " --part \"$part\"";
  text += " --threads \"$SLURM_CPUS_PER_TASK\" --time-limit \"$left\"";
  for (const std::string& word : job.options) text += ' ' + shell_word(word);
  return text + (job.launcher == Launcher::mpirun ? " 2> >(without_boxes >&2)" : "");
}

constexpr std::string_view for_mpirun =
    R"sh(
# A launcher that was killed leaves its shared-memory files behind; those that no process maps are removed.
clean='for f in /dev/shm/vader_segment.*; do [ -O "$f" ] && ! grep -qsF "$f" /proc/[0-9]*/maps && rm -f "$f"; done; true'
srun --mpi=none --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 --cpus-per-task=1 bash -c "$clean"

# mpirun adds lines about the signal and the exit status to the message of an early stop. All else that it says stays.
without_boxes() {
  awk '/^mpirun: Forwarding signal/ { next }
       /^--------------------[-]*$/ { is_open = !is_open; box = box $0 "\n"
                                     if (!is_open) { if (box !~ /non-zero/) printf "%s", box; box = "" } next }
       is_open { box = box $0 "\n"; next }
       { print; fflush() }
       END { printf "%s", box }'
}
)sh";

constexpr std::string_view before_the_run =
    R"sh(
# Should the signal get lost, the run itself stops before the limit.
left=$(squeue -h -j "$job" -o %L)
case $left in
  '' | *[!0-9:-]*) left=UNLIMITED ;;
esac

pid='' asked='' signals=0
pass_on() { asked=$1 signals=$((signals + 1)); [ -z "$pid" ] || kill -"$1" "$pid" 2> /dev/null; }
trap 'pass_on USR1' USR1 USR2
trap 'pass_on TERM' TERM
)sh";

constexpr std::string_view after_the_run =
    R"sh( &
pid=$!
[ -z "$asked" ] || kill -"$asked" "$pid"
seen=-1
while [ "$seen" -ne "$signals" ]; do  # a signal ends `wait` early
  seen=$signals
  wait "$pid"
  status=$?
done
wait

# 75: work is left. After SIGTERM the job was cancelled, or Slurm itself starts it again.
if [ "$status" -eq 75 ] && [ "$asked" != TERM ]; then
  if [ "$(journal_bytes)" -gt "$before" ]; then
    scontrol requeue "$job"
  else
    echo "not requeued: not one block was completed; give the job more time" >&2
  fi
fi
exit "$status"
)sh";

}  // namespace

std::string run_script(const JobScript& job) {
  DFSWEEP_EXPECT((job.resources.ranks == 1) == (job.launcher == Launcher::none));
  DFSWEEP_EXPECT(job.resources.parts == 1 || job.resources.ranks == 1);
  std::string text = run_directives(job) + comments(job.reasons) + setup_lines(job) + variables(job);
  if (job.launcher == Launcher::mpirun) text += for_mpirun;
  text += before_the_run;
  text += journal_function(job) + "before=$(journal_bytes)\n";
  return text + command_line(job) + std::string(after_the_run);
}

std::string step_script(const JobScript& job, std::string_view command, std::size_t number) {
  std::string text = "#!/bin/bash\n" + directive("job-name", fmt::format("{}-then-{}", job_name(job.name), number));
  text += "#SBATCH --nodes=1\n#SBATCH --ntasks=1\n" + common_directives(job.resources);
  text += directive("time", slurm_time(step_time)) + directive("output", "%x-%j.log");
  text += setup_lines(job) +
          fmt::format("set -u\ndfsweep={}\nresult={}\n", shell_word(job.program), shell_word(job.run + "/result.h5"));
  const bool is_one_word = command.find_first_of(" \t\n$") == std::string_view::npos;
  return text + fmt::format("\"$dfsweep\" {}{}\n", command, is_one_word ? " \"$result\"" : "");
}

std::string slurm_time(std::chrono::minutes time) {
  const auto minutes = time.count();
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes % 1440 / 60, minutes % 60);
}

bool is_slurm_name(std::string_view text) {
  return consists_of(text, "_-.,+@");
}

bool is_job_identifier(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_digit(c) || c == '_' || c == ':'; });
}

}  // namespace dfsweep
