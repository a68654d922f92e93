/// Prepares a sweep; values that the estimator rejects become user errors, doubtful values become warnings.
#pragma once

#include <memory>
#include <string>

#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Pre: `spec` outlives the result. Throws UserError.
[[nodiscard]] std::unique_ptr<PreparedSweep> prepare(const SweepSpec& spec);

/// Warnings about the data of the sweep, one per line: "file:line:column: warning: problem ...".
[[nodiscard]] std::string warnings_text(const SweepSpec& spec, const PreparedSweep& prepared);

/// The same for any problems.
[[nodiscard]] std::string warnings_text(std::vector<Problem> problems);

/// Lines of the former spellings that were replaced: "sweep.toml:4:1: note: ...".
[[nodiscard]] std::string notes_text(const SweepSpec& spec);

}  // namespace dfsweep
