/// `dfsweep run SWEEP`: evaluate what is missing, then verify and publish; re-run to resume.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "engine/run/stop.hpp"
#include "engine/store/part.hpp"
#include "engine/store/store.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

struct RunOptions {
  std::filesystem::path sweep;              ///< "-": standard input
  std::filesystem::path directory;          ///< empty: runs/<name of the sweep>
  std::vector<std::filesystem::path> from;  ///< results whose rows are taken; empty: a former one in the directory
  std::uint32_t threads = 0;                ///< per rank; 0: the cores of the affinity mask, shared fairly
  std::optional<Stop::Seconds> time_limit;  ///< see parse_time_limit
  store::Part part;
  store::OpenMode mode = store::OpenMode::resume;
  std::uint64_t allowed_failures = std::numeric_limits<std::uint64_t>::max();  ///< --max-failures N; --fail-fast is 0
  OutputForm form = OutputForm::text;
  Verbosity verbosity = Verbosity::normal;
  SweepReading reading;                      ///< --catalogue, --data, --profiles
  std::string resume = "dfsweep run SWEEP";  ///< the command that continues this run, as a user would type it
};

/// The command line that continues a run: "dfsweep run slow.toml --out here". `arguments` are those of `dfsweep run`
/// without the program's name; --fresh is left out, and words are quoted where a shell needs it.
[[nodiscard]] std::string resume_command(const std::vector<std::string>& arguments);

/// From here on a signal asks the run to stop, also while its options are still read; see listen_for_signals.
void listen_for_signals_of_run(std::string_view resume);

/// "2/3" is the second of three parts; nothing where malformed or out of range.
[[nodiscard]] std::optional<store::Part> parse_part(std::string_view text);

/// Works alone and as one rank of many (see make_communicator). Result on standard output, the rest on standard error.
///
/// Alone it throws what main reports (UserError, UsageError, ForeignRun, IoError). As one of many ranks it reports
/// errors itself, once, and ends all ranks. Exit status: complete, failed_points, stopped, or that of the error.
[[nodiscard]] ExitStatus run_sweep(const RunOptions& options);

}  // namespace dfsweep
