/// `dfsweep fit steplaw RUNS...`: laws of the optimal learning rate and batch size from training runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/commands/picture_file.hpp"
#include "engine/commands/status.hpp"
#include "engine/commands/verify.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

struct FitOptions {
  std::string kind = "steplaw";                ///< or "batch"
  std::vector<std::filesystem::path> runs;     ///< CSV files, result files, run directories
  std::vector<std::filesystem::path> outputs;  ///< .toml and .json: the law; .h5: everything as columns
  std::filesystem::path plots;                 ///< folder for pictures; empty: none
  PictureFormat plot_format = PictureFormat::svg;
  std::filesystem::path parameter_sets;  ///< CSV of laws to be applied as an ensemble; empty: none
  std::string columns;                   ///< "NAME=COLUMN,..."
  std::string model;                     ///< of `batch`: fit the runs of this one; empty: of all
  std::string law;                       ///< "FAMILY/FORM/METHOD" to write and draw; empty: the recommended one
  std::vector<std::string> predict;      ///< "N,D" or "N,D,Na"
  double threshold = 0.0025;
  double sequence_length = 2048.0;
  std::optional<std::uint64_t> seed;  ///< of resamples; none: 42, of the self-test 1
  std::vector<double> budgets;        ///< FLOP
  std::uint64_t replicates = 10000;
  std::uint64_t sets = 2000;  ///< simulated ones of the self-test, for each size of the group effect
  std::uint32_t threads = 0;  ///< 0: the cores that the process may use
  enum class Memory : std::uint8_t { automatic, stream };
  Memory memory = Memory::automatic;
  enum class Task : std::uint8_t { fit, self_test };
  Task task = Task::fit;
  OutputForm form = OutputForm::text;
  Verbosity verbosity = Verbosity::normal;
  ColourChoice colour = ColourChoice::automatic;
};

/// Collective under mpirun. Throws UsageError, UserError (malformed runs: nothing is fitted), BadDataset, IoError.
[[nodiscard]] ExitStatus run_fit(const FitOptions& options);

}  // namespace dfsweep
