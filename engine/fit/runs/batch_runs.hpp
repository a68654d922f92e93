/// Files of runs that were evaluated until they reached a target, read into the sets of `fit batch`.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/fit/runs/run_columns.hpp"
#include "models/law_fits/batches/batch_law_fit.hpp"

namespace dfsweep::fit {

/// Runs of one model and one target.
struct BatchRunSet {
  std::string model;  ///< "" where the files have no such column
  double target_loss = absent;
  double sequence_length = absent;
  std::vector<std::string> systems;  ///< [TargetRun::system]
  std::vector<law_fits::TargetRun> runs;
};

/// Columns, by our names or those that `pairs` give: global_batch and samples_to_target (needed; an empty cell of the
/// latter is a run that never reached the target); previous_evaluation_samples, first_evaluation_samples,
/// evaluation_interval_samples, precision, learning_rate, model, system, target_loss, sequence_length. Without the
/// previous evaluation it is one interval earlier, and without an interval one step. Sets are in the order of the
/// files. Throws UserError with all problems.
[[nodiscard]] std::vector<BatchRunSet> read_batch_runs(std::span<const std::filesystem::path> paths,
                                                       std::span<const ColumnPair> pairs);

}  // namespace dfsweep::fit
