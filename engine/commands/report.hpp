/// `dfsweep report FILE|DIR -o page.html`: a result as a page to look at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/commands/verify.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"

namespace dfsweep {

/// How often a page is written.
enum class Following : std::uint8_t {
  none,    ///< once
  of_run,  ///< again while blocks of an unfinished run are finished
};

struct ReportOptions {
  std::vector<std::filesystem::path> paths;  ///< result file or run directory; a second one is compared with the first
  std::filesystem::path output;              ///< "-": standard output
  std::filesystem::path measured;            ///< CSV file of measured rows; empty: none
  std::string facet;                         ///< axis of the panels; empty: chosen
  std::vector<std::string> metrics;          ///< shown first; empty: chosen
  std::vector<std::string> pareto;           ///< metrics of fronts, two by two
  std::vector<std::string> sensitivity;      ///< metrics whose sensitivity at the best row is shown; empty: none
  std::uint64_t cells = 20000;
  double budget = 2.5;        ///< megabytes of data in the page, about
  std::uint32_t threads = 0;  ///< 0: all cores
  Following following = Following::none;
  Verbosity verbosity = Verbosity::normal;
};

/// A page is replaced as a whole or not at all. A followed run ends with the page of its published result, or with
/// ExitStatus::stopped after a signal. Throws UsageError, BadDataset, ForeignRun, IoError.
[[nodiscard]] ExitStatus run_report(const ReportOptions& options);

}  // namespace dfsweep
