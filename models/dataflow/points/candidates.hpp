/// Candidates: the values from which the estimator chooses where a degree, the roles or the micro-batch is "best".
#pragma once

#include <array>
#include <vector>

#include "models/dataflow/points/published.hpp"

namespace dfsweep::dataflow {

/// The parameters that may be "best", in tie-breaking order.
inline constexpr std::array<Parameter, 5> chosen_parameters{Parameter::tensor_parallel, Parameter::pipeline_parallel,
                                                            Parameter::data_parallel, Parameter::dimension_roles,
                                                            Parameter::micro_batch};
/// The metrics that report the chosen values.
inline constexpr std::array<Metric, 5> chosen_metrics{Metric::best_tensor_parallel, Metric::best_pipeline_parallel,
                                                      Metric::best_data_parallel, Metric::best_dimension_roles,
                                                      Metric::best_micro_batch};

/// A sweep with candidates appended to the values of parameters that are "best".
struct CandidateSweep {
  /// The values of the sweep. Each searched parameter has an additional code column after those of the sweep, and its
  /// candidates follow its values in ascending order: divisors of the numbers of chips or of the global batches, or
  /// indices into role_choices.
  SweepValues values;
  struct Searched {
    std::size_t choice = 0;           ///< index into chosen_parameters
    std::size_t original_column = 0;  ///< its code column in the sweep; SweepValues::fixed where it has none
    std::uint32_t first = 0;          ///< code of the first candidate
    std::vector<double> candidates;   ///< ascending; candidate i has code first + i
  };
  std::vector<Searched> searched;  ///< empty: no parameter is "best"
};

/// Throws InvalidValues where a degree is "best" and neither device_count nor shape is given.
[[nodiscard]] CandidateSweep with_candidates(const SweepValues& values);

}  // namespace dfsweep::dataflow
