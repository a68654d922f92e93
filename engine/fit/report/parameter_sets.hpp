/// An ensemble of laws fitted elsewhere, from a CSV file, and its predictions.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/law_fits/intervals/ensemble.hpp"

namespace dfsweep::fit {

struct ParameterSets {
  std::string file;
  std::vector<ScalingLaw> laws;
  /// Columns of the file: target and parameter, its values summarised, the mode of their density.
  struct Column {
    std::string target;     ///< "learning_rate", "batch_tokens"
    std::string parameter;  ///< "intercept", "lnN", ...
    law_fits::ReplicateSummary summary;
    double mode = 0.0;
  };
  std::vector<Column> columns;
  std::vector<std::pair<TrainingScale, law_fits::EnsemblePrediction>>
      predictions;  ///< percentiles between laws by logarithms
};

/// Columns lr_intercept, lr_coefN, lr_coefNa, lr_coefD and the same with bs_; both intercepts are needed, an exponent
/// that is not there is 0. Throws UserError, IoError.
[[nodiscard]] ParameterSets read_parameter_sets(const std::filesystem::path& path,
                                                std::span<const TrainingScale> predict);

}  // namespace dfsweep::fit
