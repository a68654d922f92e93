/// BatchLaw: samples that a model needs to its target quality, over the global batch and the number format.
/// Source: docs/models/whole-run.md, samples to a target.
#pragma once

#include <limits>
#include <optional>

#include "models/absent.hpp"
#include "models/machine/number_format.hpp"
#include "models/statistics/distributions.hpp"

namespace dfsweep::whole_run {

/// v of an evaluation that is a forward pass and nothing else. Source: docs/models/whole-run.md.
inline constexpr double usual_evaluation_share = 1.0 / 3.0;

/// When a run looks at its quality, in sequences since its start.
struct EvaluationSchedule {
  double first = 0.0;     ///< F: the first evaluation
  double interval = 0.0;  ///< I: between evaluations; 0: the target is seen at once, and nothing is evaluated
  double samples = 0.0;   ///< sequences of an evaluation
  double share = 0.0;     ///< v: time of a sequence in an evaluation over that in a training step
  bool operator==(const EvaluationSchedule&) const = default;
};

/// A number with its interval. An end that the runs do not determine is 0 below and infinite above.
struct Estimated {
  double value = absent;
  Interval interval{0.0, std::numeric_limits<double>::infinity()};
  bool operator==(const Estimated&) const = default;
};

/// Samples E of a run with global batch B in sequences:
///     E(B) = E0 (1 + B / Bc) q,  ln E normal with standard deviation s between seeds.
/// Source: docs/models/whole-run.md, samples to a target, from [mccandlish].
struct BatchLaw {
  Estimated samples;         ///< E0
  Estimated critical_batch;  ///< Bc in sequences; infinite where no batch of the runs cost anything
  Estimated four_bits;       ///< q of products in 4 bits; NaN: unknown. q is 1 in 8 and 16 bits.
  Estimated spread;          ///< s
  double confidence = 0.95;  ///< of the intervals
  Interval batches;          ///< global batches of the fitted runs
  std::optional<Interval> learning_rates;
  double runs = absent;
  double target_loss = absent;
  double sequence_length = absent;
  EvaluationSchedule evaluations;
  bool operator==(const BatchLaw&) const = default;
};

/// A number of samples with the interval of a single run.
struct Samples {
  double median = absent;
  Interval interval{absent, absent};
};

/// Median of E(B), and the interval with the law's confidence: the ends of E0, Bc and q and the spread of seeds, as
/// independent errors of ln E. NaN where the format's q is unknown. Pre: batch > 0.
/// Source: docs/models/whole-run.md, samples to a target.
[[nodiscard]] Samples samples_at(const BatchLaw& law, double batch, NumberFormat format);

/// Evaluations and samples of a run of whole steps that ends at the first evaluation after E samples.
struct ObservedEnd {
  double samples = 0.0;
  double evaluations = 0.0;
};

/// The end of a run that needs E samples:
///     observed = F + I ceil((E - F) / I),
/// with F and I rounded up to whole steps of B sequences; E rounded up to whole steps where nothing is evaluated.
/// Source: docs/models/whole-run.md, samples to a target. Pre: samples and batch above 0.
[[nodiscard]] ObservedEnd observed_end(double samples, double batch, const EvaluationSchedule& schedule);

/// Time of a run over that of one step:
///     T / t_step = observed / B + evaluations v samples / B.
/// Source: docs/models/whole-run.md, samples to a target.
[[nodiscard]] double steps_of_run(const ObservedEnd& end, double batch, const EvaluationSchedule& schedule);

}  // namespace dfsweep::whole_run
