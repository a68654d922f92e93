/// Session: one invocation of a run, from a loaded sweep to the published result, on one rank or on many.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "engine/evaluation/known_rows.hpp"
#include "engine/evaluation/tally.hpp"
#include "engine/parallel/communicator.hpp"
#include "engine/plan/loaded_sweep.hpp"
#include "engine/run/stop.hpp"
#include "engine/store/part.hpp"
#include "engine/store/store.hpp"
#include "io/file_system.hpp"

namespace dfsweep {

struct SessionSettings {
  FileSystem* files = &real_file_system();  ///< of the run directory
  std::filesystem::path directory;
  unsigned threads = 1;  ///< of this rank
  store::Part part;
  store::OpenMode mode = store::OpenMode::resume;
  std::uint64_t allowed_failures = std::numeric_limits<std::uint64_t>::max();
  Verbosity verbosity = Verbosity::normal;
  const KnownRows* known = nullptr;  ///< rows that are not evaluated; null: none
  store::Succession succession = {};
  std::string resume;  ///< command that resumes a stopped run, for messages
};

enum class SessionEnd : std::uint8_t {
  published,        ///< result.h5 exists and all its blocks are verified
  found_published,  ///< it was published before; verified again
  part_complete,    ///< this part is complete, other parts are not
  stopped,
};

struct SessionReport {
  SessionEnd end = SessionEnd::stopped;
  std::filesystem::path directory;
  std::filesystem::path file;     ///< of a published result
  std::uint64_t rows = 0;         ///< of the whole sweep
  double seconds = 0.0;           ///< of this session
  Tally tally;                    ///< of this session, on rank 0
  std::uint64_t blocks = 0;       ///< of this part
  std::uint64_t blocks_left = 0;  ///< of this part
  StopReason reason = StopReason::none;
  store::Part part;
};

/// Collective: opens the run directory, evaluates missing blocks, verifies and publishes the result. Rank 0 draws the
/// progress line and writes the log.
///
/// Returns an exit status instead of a report if a step failed on some rank (see agree()). Throws ForeignRun, IoError,
/// LogicError.
[[nodiscard]] std::variant<SessionReport, ExitStatus> run_session(const LoadedSweep& sweep,
                                                                  const SessionSettings& settings,
                                                                  Communicator& communicator, Stop& stop);

}  // namespace dfsweep
