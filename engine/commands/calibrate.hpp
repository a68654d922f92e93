/// `dfsweep calibrate ROWS.csv`: numbers of catalogue entries fitted to measured runs, with the errors to expect.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/commands/status.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct CalibrateOptions {
  std::filesystem::path rows;       ///< CSV or JSON lines, "-" for standard input; empty: none, kernels alone
  std::string columns;              ///< names of columns: "step_time=Step Time,..."
  std::string estimator;            ///< empty: the one whose metrics the rows have
  std::vector<std::string> fields;  ///< numbers to fit; empty: as many as the rows support
  std::vector<std::pair<std::string, std::string>> parameters;  ///< of all rows
  std::string group = "source";  ///< column of rows that share a factor of their own; "none": none do
  std::string copies_by;         ///< column whose values get copies of an entry; empty: system where that helps; "none"
  std::filesystem::path profiles;                                ///< folder of operator tables; empty: none
  std::filesystem::path operators;                               ///< folder of measured operators; empty: none
  std::string system;                                            ///< of a plan
  std::uint32_t planned_rows = 20;                               ///< of each family of a plan
  std::vector<std::pair<std::string, std::string>> measured_on;  ///< folder of tables and the system behind it
  std::vector<std::string> kernel_classes;                       ///< of the tables that are used; empty: all
  std::filesystem::path output;  ///< .toml: one entry; else a folder of a catalogue; empty: nothing is written
  std::vector<std::filesystem::path> catalogues;
  std::uint32_t starts = 10;
  std::uint64_t seed = 42;
  std::uint64_t replicates = 1000;
  std::uint64_t sets = 500;  ///< simulated ones of the self-test
  enum class Task : std::uint8_t { calibrate, self_test, plan };
  Task task = Task::calibrate;
  std::uint32_t threads = 0;
  OutputForm form = OutputForm::text;
  Verbosity verbosity = Verbosity::normal;
  ColourChoice colour = ColourChoice::automatic;
};

/// Throws UsageError, UserError (malformed rows: nothing is fitted), IoError.
[[nodiscard]] ExitStatus run_calibrate(const CalibrateOptions& options);

}  // namespace dfsweep
