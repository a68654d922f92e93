/// What a law says of one point: optimum, plateau, excess loss, and the law of the loss.
#pragma once

#include <optional>
#include <string>

#include "models/absent.hpp"
#include "models/hyperparameters/points/published.hpp"
#include "models/laws/law_entry.hpp"

namespace dfsweep::hyperparameters {

/// One point in logarithms; parameters that were not given are NaN.
struct Question {
  double parameters;
  double activated;
  double tokens;
  double learning_rate;
  double batch_tokens;
  double sequence_length;
  double flops_per_token;
  double loss;
  double plateau_excess;  ///< ln
  const EntryLaw* law;
  const std::optional<ScaleRange>* range;  ///< range of the law, as logarithms
};

struct Answer {
  Status status = Status::ok;
  LogPoint optimum{absent, absent};
  double loss_excess = absent;
  RateRange plateau{absent, absent};  ///< ln lr
  double rate_at_batch = absent;      ///< ln lr
  double extrapolation = absent;      ///< decades outside the range of the law
};

/// Scale of a point in logarithms: C = M D, with M = 6 Na where M is not given. `activated`: ln Na.
[[nodiscard]] ScaleLogs scale_logs(const Question& point, double activated);

/// The range of a law in logarithms.
[[nodiscard]] std::optional<ScaleRange> logarithms(const std::optional<ScaleRange>& range);

[[nodiscard]] Answer answer_to(const Question& point);

/// Why there is no optimum. Pre: the status is not ok.
[[nodiscard]] std::string reason_against(const Question& point, const Answer& answer);

/// Loss at the point, and of the model and tokens with the least loss for its compute; NaN without a law of the loss.
struct Losses {
  double loss = absent;
  double low = absent;
  double high = absent;
  LossPoint optimum{absent, absent, absent};
};

[[nodiscard]] Losses losses_of(const Question& point, const Answer& answer);

}  // namespace dfsweep::hyperparameters
