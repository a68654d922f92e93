/// `dfsweep verify DIR|FILE`: every checksum re-computed; damaged blocks are named and left to the next `run`.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"

namespace dfsweep {

struct VerifyOptions {
  std::filesystem::path path;  ///< run directory or published file
  OutputForm form = OutputForm::text;
  Verbosity verbosity = Verbosity::normal;
  std::uint32_t threads = 0;  ///< 0: as many as the affinity mask allows
};

/// Exit status: complete where a published result verifies, stopped where a sound run is not published yet, foreign_run
/// where damage was found. Throws ForeignRun, NotReady, BadDataset, IoError.
[[nodiscard]] ExitStatus run_verify(const VerifyOptions& options);

}  // namespace dfsweep
