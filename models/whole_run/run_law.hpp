/// What a scaling law says of one run: its best learning rate and batch, its loss, and the tokens to a target.
/// Source: docs/models/whole-run.md, loss.
#pragma once

#include <optional>

#include "models/absent.hpp"
#include "models/laws/law_entry.hpp"

namespace dfsweep::whole_run {

/// Size of a trained model, as laws count it, and what is chosen for its run.
struct RunScale {
  double ln_parameters = absent;  ///< ln N, without embeddings
  double ln_activated = absent;   ///< ln Na
  double ln_flop = absent;        ///< ln M, training FLOP per token
  double ln_batch = 0.0;          ///< ln of tokens per step
  double ln_rate = absent;        ///< ln of the learning rate; NaN: the law's optimum
};

/// Best learning rate and batch of a run of D tokens; NaN where the law needs what is unknown.
/// Source: docs/models/hyperparameters.md.
[[nodiscard]] LogPoint optimum_at(const EntryLaw& law, const RunScale& scale, double ln_tokens);

/// ln of the loss over that of the optimum, 0.5 d' H d; NaN without a curvature or an optimum.
/// Source: docs/models/hyperparameters.md.
[[nodiscard]] double ln_excess(const EntryLaw& law, const RunScale& scale, double ln_tokens);

/// Least and largest loss excess where the optimum is anywhere inside the law's intervals; NaN without intervals.
/// Source: docs/models/whole-run.md, loss.
[[nodiscard]] Interval excess_interval(const EntryLaw& law, const RunScale& scale, double ln_tokens);

/// Loss of a run: the loss law at N and D times 1 + loss excess, which counts as 0 where it is unknown. NaN without a
/// law of the loss. Source: docs/models/whole-run.md, loss.
[[nodiscard]] double ln_loss(const EntryLaw& law, const RunScale& scale, double ln_tokens);

/// The fewest tokens, as a logarithm, with which the loss is at most `target`; nothing where no number of tokens from
/// 1e6 to 1e24 reaches it. Source: docs/models/whole-run.md, loss. Pre: the law has a law of the loss.
[[nodiscard]] std::optional<double> ln_tokens_to(const EntryLaw& law, const RunScale& scale, double target);

/// The least loss over all numbers of tokens, for messages. Source: docs/models/whole-run.md, loss. Pre: as above.
[[nodiscard]] double least_loss(const EntryLaw& law, const RunScale& scale);

/// Decades by which a value lies outside an interval; 0 inside. Source: docs/models/whole-run.md, extrapolation.
[[nodiscard]] double decades_outside(const Interval& interval, double value);

/// The most decades by which N, Na, D, batch or learning rate lie outside the runs of the law; NaN where the law does
/// not state its runs. Source: docs/models/whole-run.md, extrapolation.
[[nodiscard]] double extrapolation_of(const EntryLaw& law, const RunScale& scale, double ln_tokens);

}  // namespace dfsweep::whole_run
