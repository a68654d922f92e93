/// `dfsweep status DIR`: how far a run is.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/exit_status.hpp"

namespace dfsweep {

enum class OutputForm : std::uint8_t { text, json };

struct StatusOptions {
  std::filesystem::path directory;
  OutputForm form = OutputForm::text;
};

/// Exit status: complete where published, stopped where blocks are missing. Throws ForeignRun, IoError.
[[nodiscard]] ExitStatus run_status(const StatusOptions& options);

}  // namespace dfsweep
