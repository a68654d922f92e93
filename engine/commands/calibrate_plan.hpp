/// `dfsweep calibrate --plan`: what to time on a new machine, chosen by design.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct MeasurementPlanOptions {
  std::string system;            ///< entry of systems
  std::uint32_t rows = 20;       ///< of each family
  std::filesystem::path output;  ///< folder; empty: the rows are printed
  std::vector<std::filesystem::path> catalogues;
  OutputForm form = OutputForm::text;
  ColourChoice colour = ColourChoice::automatic;
};

/// Prints the rows as CSV, or writes them to a folder, and the errors to expect before and after they are timed. Throws
/// UsageError for an unknown system, and one without a peak rate or a memory bandwidth.
[[nodiscard]] ExitStatus run_calibrate_plan(const MeasurementPlanOptions& options);

}  // namespace dfsweep
