/// The mean request of a workload, computed once for many points of a sweep.
#pragma once

#include "models/queueing/workload.hpp"
#include "models/units.hpp"

namespace dfsweep::queueing {

/// Means over the requests of a workload. Tokens of a prompt count what it carries from former turns.
struct MeanRequest {
  double prompt = 1.0;           ///< tokens of a prompt
  double carried = 0.0;          ///< of these, tokens of former turns
  double shared = 0.0;           ///< of the prompt, tokens that every rank keeps once and never reads
  double pairs = 1.0;            ///< sum of the positions that the new tokens attend to
  double prompt_variance = 0.0;  ///< of the tokens of a prompt that are read
  double carried_pairs = 0.0;    ///< the same of the carried tokens, where they are read again
  double output = 1.0;           ///< tokens of an answer
  double largest_output = 1.0;
  double output_variation_squared = 0.0;  ///< squared coefficient of variation of the answers
  Seconds think;
  double first_share = 0.1;  ///< of the requests of closed users: those of the first wave, 1 / requests per user
  double arrival_variation_squared = 1.0;  ///< of the gaps of an open stream; of groups: mean group size
  bool operator==(const MeanRequest&) const = default;
};

/// Pre: as `Workload`. Source: docs/models/queueing.md
[[nodiscard]] MeanRequest mean_request(const Workload& workload);

}  // namespace dfsweep::queueing
