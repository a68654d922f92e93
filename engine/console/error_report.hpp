/// Error messages and exit statuses of exceptions.
#pragma once

#include <exception>
#include <string>

#include "engine/console/exit_status.hpp"

namespace dfsweep {

struct ErrorReport {
  ExitStatus status = ExitStatus::internal_error;
  std::string text;  ///< lines ending in newline
};

/// The problems of a UserError, one per line; for other exceptions one line that starts with "dfsweep: ".
[[nodiscard]] ErrorReport report_of(const std::exception_ptr& error);

}  // namespace dfsweep
