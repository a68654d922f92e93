/// `dfsweep slurm SWEEP`: the job script of a run, with time, cores and memory from its plan; shown, written or
/// submitted.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/cluster/job_script.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

enum class Submission : std::uint8_t { show, submit };

struct SlurmOptions {
  std::filesystem::path sweep;      ///< a file, because standard input does not reach a job
  std::filesystem::path directory;  ///< empty: runs/<name of the sweep>
  std::filesystem::path output;     ///< file of the script; empty: standard output
  std::uint32_t parts = 1;          ///< tasks of an array
  std::optional<std::uint32_t> ranks;
  std::optional<std::uint32_t> threads;
  std::optional<std::chrono::minutes> time;
  Launcher launcher = Launcher::mpirun;  ///< of more than one rank
  std::string partition;
  std::string account;
  std::string after;
  std::vector<std::string> setup;
  std::vector<std::string> then;  ///< dfsweep commands on the result, each a job that waits for the one before
  Submission submission = Submission::show;
  SweepReading reading;
};

/// Minutes of a time limit such as 90m or 2:00:00 (see parse_time_limit), rounded up. Nothing where it is malformed,
/// zero, or longer than a year.
[[nodiscard]] std::optional<std::chrono::minutes> parse_job_time(std::string_view text);

/// Prints the script, or the identifiers of the submitted jobs, one on each line. Throws UserError (the sweep),
/// UsageError (names that Slurm cannot have, too little disk space, refused submission), IoError.
[[nodiscard]] ExitStatus run_slurm(const SlurmOptions& options);

}  // namespace dfsweep
