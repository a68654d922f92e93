/// Candidates: the values among which the estimator chooses where a degree or the micro-batch is given as "best".
#pragma once

#include <array>
#include <vector>

#include "models/dataflow/points/published.hpp"

namespace dfsweep::dataflow {

/// The parameters that may be "best", in the order in which ties between candidates are broken.
inline constexpr std::array<Parameter, 5> chosen_parameters{Parameter::tensor_parallel, Parameter::pipeline_parallel,
                                                            Parameter::data_parallel, Parameter::dimension_roles,
                                                            Parameter::micro_batch};
/// Their metrics.
inline constexpr std::array<Metric, 5> chosen_metrics{Metric::best_tensor_parallel, Metric::best_pipeline_parallel,
                                                      Metric::best_data_parallel, Metric::best_dimension_roles,
                                                      Metric::best_micro_batch};

/// A sweep whose "best" values are followed by their candidates.
struct CandidateSweep {
  /// As the sweep, but each searched parameter has a code column of its own, after those of the sweep, and its list of
  /// values is followed by the candidates, ascending: divisors of the numbers of chips or of the global batches,
  /// or indices into role_choices.
  SweepValues values;
  struct Searched {
    std::size_t choice = 0;           ///< index into chosen_parameters
    std::size_t original_column = 0;  ///< of the sweep; SweepValues::fixed where it has none
    std::uint32_t first = 0;          ///< code of the first candidate
    std::vector<double> candidates;   ///< ascending; candidate i has code first + i
  };
  std::vector<Searched> searched;  ///< empty: nothing is "best"
};

/// Throws InvalidValues where a degree is "best" and no point says how many chips there are.
[[nodiscard]] CandidateSweep with_candidates(const SweepValues& values);

}  // namespace dfsweep::dataflow
