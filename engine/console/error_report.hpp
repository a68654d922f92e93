/// Errors as the user sees them: what is printed, and which exit status it is.
#pragma once

#include <exception>
#include <string>

#include "engine/console/exit_status.hpp"

namespace dfsweep {

struct ErrorReport {
  ExitStatus status = ExitStatus::internal_error;
  std::string text;  ///< lines ending in newline
};

/// UserError lists its problems; everything else is one line that starts with "dfsweep: ".
[[nodiscard]] ErrorReport report_of(const std::exception_ptr& error);

}  // namespace dfsweep
