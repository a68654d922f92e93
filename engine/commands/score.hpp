/// `dfsweep score [NAME=]RESULT...`: one objective over several results that share machine axes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct ScoreOptions {
  enum class Shown : std::uint8_t { best, front };
  std::vector<std::string> results;  ///< "PATH" or "NAME=PATH"; without names A, B, ...
  std::vector<std::string> by;
  std::string minimize;  ///< one of these two is given
  std::string maximize;
  std::vector<std::string> where;  ///< "EXPR" for all results, "NAME: EXPR" for one
  std::size_t top = 10;            ///< machines in the text; JSON has all
  Shown shown = Shown::best;
  std::filesystem::path page;  ///< HTML page to write; empty: none
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
};

/// Throws UsageError for unknown names, results without a status, and where no machine has a score.
[[nodiscard]] ExitStatus run_score(const ScoreOptions& options);

}  // namespace dfsweep
