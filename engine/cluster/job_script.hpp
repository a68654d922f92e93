/// JobScript: a job of Slurm as the text of its batch script.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

/// What starts the ranks inside of a job.
enum class Launcher : std::uint8_t {
  none,    ///< one process
  mpirun,  ///< Open MPI
  srun,    ///< Slurm itself, with the MPI plugin of the site
};

/// What a job asks of Slurm.
struct JobResources {
  std::uint32_t ranks = 1;
  std::uint32_t threads = 1;          ///< of each rank
  std::uint32_t parts = 1;            ///< tasks of an array; 1: the job is no array
  std::chrono::minutes time{60};      ///< limit of one start of the job
  std::uint64_t memory_per_core = 0;  ///< MiB; 0: the default of the partition
  std::string partition;              ///< empty: the default of the cluster
  std::string account;                ///< empty: the default of the user
  std::string after;                  ///< job that has to succeed before; empty: none
};

struct JobScript {
  std::string name;                  ///< of the sweep; other characters than of a file name become '_'
  std::string program;               ///< absolute path of dfsweep
  std::string sweep;                 ///< absolute path
  std::string run;                   ///< absolute path of the run directory
  std::vector<std::string> options;  ///< further words of `dfsweep run`
  std::vector<std::string> reasons;  ///< lines about the numbers in `resources`, printed as comments
  std::vector<std::string> setup;    ///< lines of shell before the run: module load openmpi
  JobResources resources;
  Launcher launcher = Launcher::none;  ///< Pre: ranks is 1 if and only if this is `none`
};

/// The batch script of a run. It passes SIGUSR1 on before the time limit, and requeues itself while blocks are missing
/// and each start completes some. Paths and options are quoted for the shell.
[[nodiscard]] std::string run_script(const JobScript& job);

/// The batch script of a dfsweep command on the result, which depends on the job of the run. `command`: shell text that
/// follows the program, in which $result is the result file; a single word gets the result file as its argument.
/// `number`: from 1, part of the job's name.
[[nodiscard]] std::string step_script(const JobScript& job, std::string_view command, std::size_t number);

/// "1-02:30:00", as Slurm reads a time limit.
[[nodiscard]] std::string slurm_time(std::chrono::minutes time);

/// Whether `text` can be the name of a partition or an account: letters, digits and _ - . , + @, not empty.
[[nodiscard]] bool is_slurm_name(std::string_view text);

/// Whether `text` is one or more job identifiers: 4711, 4711_3, 4711:4712.
[[nodiscard]] bool is_job_identifier(std::string_view text);

}  // namespace dfsweep
