/// `dfsweep run SWEEP`: evaluate what is missing, then verify and publish; the same command continues.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>

#include "engine/commands/verify.hpp"
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
  std::uint32_t threads = 0;                ///< per rank; 0: the cores of the affinity mask, shared fairly
  std::optional<Stop::Seconds> time_limit;  ///< see parse_time_limit
  store::Part part;
  store::OpenMode mode = store::OpenMode::resume;
  std::uint64_t allowed_failures = std::numeric_limits<std::uint64_t>::max();  ///< --max-failures N; --fail-fast is 0
  OutputForm form = OutputForm::text;
  Verbosity verbosity = Verbosity::normal;
  SweepReading reading;  ///< --catalogue, --data, --profiles
};

/// "2/3" is the second of three parts; nothing where malformed or out of range.
[[nodiscard]] std::optional<store::Part> parse_part(std::string_view text);

/// Works alone and as one rank of many (see make_communicator). Result on standard output, the rest on standard error.
///
/// Alone it throws what main reports (UserError, UsageError, ForeignRun, IoError). As one of many ranks it reports
/// errors itself, once, and ends all ranks. Exit status: complete, failed_points, stopped, or that of the error.
[[nodiscard]] ExitStatus run_sweep(const RunOptions& options);

}  // namespace dfsweep
