/// Text of job scripts: directives, quoting, and that a shell can read each of them.
#include "engine/cluster/job_script.hpp"

#include <fmt/format.h>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "engine/console/shell_word.hpp"
#include "tests/support/program.hpp"

BOOST_AUTO_TEST_SUITE(job_script_test)

namespace {

using namespace dfsweep;

JobScript small_job() {
  return {.name = "small",
          .program = "/opt/dfsweep",
          .sweep = "/data/a/small.toml",
          .run = "/scratch/small",
          .options = {},
          .reasons = {"why"},
          .setup = {},
          .resources = {},
          .launcher = Launcher::none};
}

struct ScriptCase {
  const char* reason;
  void (*change)(JobScript&);
  std::vector<const char*> lines;   ///< that the script has
  std::vector<const char*> absent;  ///< texts that it has not
};
std::ostream& operator<<(std::ostream& out, const ScriptCase& c) {
  return out << c.reason;
}

const ScriptCase scripts[] = {
    {"one process starts without MPI",
     [](JobScript&) {},
     {"#!/bin/bash", "#SBATCH --job-name=small", "#SBATCH --nodes=1", "#SBATCH --ntasks=1", "#SBATCH --cpus-per-task=1",
      "#SBATCH --time=0-01:00:00", "#SBATCH --signal=B:USR1@180", "#SBATCH --requeue", "#SBATCH --open-mode=append",
      "#SBATCH --output=%x-%j.log", "# why", "dfsweep=/opt/dfsweep", "job=$SLURM_JOB_ID",
      "\"$dfsweep\" run \"$sweep\" --out \"$run\" --threads \"$SLURM_CPUS_PER_TASK\" --time-limit \"$left\" &"},
     {"mpirun", "--array", "--mem", "--partition", "--account", "--dependency", "/dev/shm"}},
    {"ranks are started by mpirun, bound to the cores of their task",
     [](JobScript& job) {
       job.resources.ranks = 64;
       job.resources.threads = 8;
       job.launcher = Launcher::mpirun;
     },
     {"#SBATCH --ntasks=64", "#SBATCH --cpus-per-task=8",
      "mpirun --map-by \"slot:PE=$SLURM_CPUS_PER_TASK\" \"$dfsweep\" run \"$sweep\" --out \"$run\" "
      "--threads \"$SLURM_CPUS_PER_TASK\" --time-limit \"$left\" 2> >(without_boxes >&2) &"},
     {"--nodes"}},
    {"or by srun, which does not inherit the cores of a task",
     [](JobScript& job) {
       job.resources.ranks = 2;
       job.launcher = Launcher::srun;
     },
     {"srun --cpus-per-task=\"$SLURM_CPUS_PER_TASK\" \"$dfsweep\" run \"$sweep\" --out \"$run\" --threads "
      "\"$SLURM_CPUS_PER_TASK\" --time-limit \"$left\" &"},
     {"mpirun", "/dev/shm"}},
    {"a part has its number of parts from the script, not from the tasks that were submitted",
     [](JobScript& job) { job.resources.parts = 8; },
     {"#SBATCH --array=1-8", "part=$SLURM_ARRAY_TASK_ID/8", "job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID",
      "#SBATCH --output=%x-%A_%a.log",
      "\"$dfsweep\" run \"$sweep\" --out \"$run\" --part \"$part\" --threads \"$SLURM_CPUS_PER_TASK\" --time-limit "
      "\"$left\" "
      "&"},
     {"TASK_MAX", "TASK_COUNT"}},
    {"everything that a user may ask",
     [](JobScript& job) {
       job.resources.time = std::chrono::minutes(26 * 60 + 5);
       job.resources.memory_per_core = 640;
       job.resources.partition = "long";
       job.resources.account = "physics";
       job.resources.after = "4711";
       job.setup = {"module load openmpi"};
       job.options = {"--catalogue", "/data/a/my entries"};
     },
     {"#SBATCH --time=1-02:05:00", "#SBATCH --mem-per-cpu=640M", "#SBATCH --partition=long",
      "#SBATCH --account=physics", "#SBATCH --dependency=afterok:4711", "#SBATCH --kill-on-invalid-dep=yes",
      "module load openmpi",
      "\"$dfsweep\" run \"$sweep\" --out \"$run\" --threads \"$SLURM_CPUS_PER_TASK\" --time-limit \"$left\" "
      "--catalogue "
      "'/data/a/my entries' &"},
     {}},
    {"a short job is warned in the second half of its time",
     [](JobScript& job) { job.resources.time = std::chrono::minutes(1); },
     {"#SBATCH --signal=B:USR1@30"},
     {}},
    {"names that Slurm would take apart, and lines that would end a comment",
     [](JobScript& job) {
       job.name = "a b\n#SBATCH --wrap=x";
       job.reasons = {"first\nrm -rf /"};
       job.sweep = "/data/it's $HOME/`id`.toml";
     },
     {"#SBATCH --job-name=a_b__SBATCH_--wrap_x", "# first\\x0arm -rf /", "sweep='/data/it'\\''s $HOME/`id`.toml'"},
     {"\nrm"}},
};

bool has_line(const std::string& text, const std::string& line) {
  return ('\n' + text).find('\n' + line + '\n') != std::string::npos;
}

/// What a shell says to the syntax of a script; empty if it is right.
std::string complaints(const std::string& script) {
  const ProgramResult result = run_program("/bin/bash", {"-n"}, {.input = script});
  return fmt::format("{}{}", result.status == 0 ? "" : "status " + std::to_string(result.status), result.err);
}

}  // namespace

BOOST_DATA_TEST_CASE(a_script_has_the_lines_of_its_job, boost::unit_test::data::make(scripts), c) {
  JobScript job = small_job();
  c.change(job);
  const std::string script = run_script(job);
  for (const char* line : c.lines) BOOST_TEST(has_line(script, line), line << " is no line of\n" << script);
  for (const char* text : c.absent) BOOST_TEST(script.find(text) == std::string::npos, text << " is in\n" << script);
  BOOST_TEST(complaints(script) == "");
}

namespace {

struct StepCase {
  const char* reason;
  const char* command;
  const char* line;
};
std::ostream& operator<<(std::ostream& out, const StepCase& c) {
  return out << c.reason;
}
const StepCase steps[] = {
    {"one word gets the result", "report", "\"$dfsweep\" report \"$result\""},
    {"more words name it", "show \"$result\" --best step_time", "\"$dfsweep\" show \"$result\" --best step_time"},
    {"or need it not", "fit runs.csv", "\"$dfsweep\" fit runs.csv"},
};

}  // namespace

BOOST_DATA_TEST_CASE(a_step_is_a_command_on_the_result, boost::unit_test::data::make(steps), c) {
  JobScript job = small_job();
  job.run = "/scratch/my run";
  const std::string script = step_script(job, c.command, 2);
  BOOST_TEST(has_line(script, c.line), script);
  BOOST_TEST(has_line(script, "#SBATCH --job-name=small-then-2"), script);
  BOOST_TEST(has_line(script, "result='/scratch/my run/result.h5'"), script);
  BOOST_TEST(complaints(script) == "");
}

namespace {

const std::vector<std::string> hostile_words = {"plain",       "a b",        "it's", "$HOME",    "`id`", "\"",
                                                "back\\slash", "two\nlines", "*",    "",         "-n",   "#x",
                                                "a;b",         "~",          "!!",   "\xff\x01", "ü",    "'"};

}  // namespace

BOOST_DATA_TEST_CASE(a_shell_reads_a_word_as_it_was, boost::unit_test::data::make(hostile_words), word) {
  const ProgramResult result = run_program("/bin/bash", {"-c", "printf %s " + shell_word(word)});
  BOOST_TEST(result.out == word);
}

namespace {

struct NameCase {
  const char* text;
  bool is_name;
  bool is_job;
};
std::ostream& operator<<(std::ostream& out, const NameCase& c) {
  return out << '\'' << c.text << '\'';
}
const NameCase names[] = {{"gpu-long", true, false}, {"a,b", true, false},         {"", false, false},
                          {"a b", false, false},     {"x\n#SBATCH", false, false}, {"4711", true, true},
                          {"4711_3", true, true},    {"4711:4712", false, true},   {"4711:", false, false},
                          {":1", false, false},      {"1;rm", false, false}};

}  // namespace

BOOST_DATA_TEST_CASE(names_for_slurm_need_no_quotes, boost::unit_test::data::make(names), c) {
  BOOST_TEST(is_slurm_name(c.text) == c.is_name);
  BOOST_TEST(is_job_identifier(c.text) == c.is_job);
}

BOOST_AUTO_TEST_SUITE_END()
