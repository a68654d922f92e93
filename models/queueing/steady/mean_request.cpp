#include "models/queueing/steady/mean_request.hpp"

#include <algorithm>

#include "models/expect.hpp"
#include "models/queueing/lengths.hpp"

namespace dfsweep::queueing {

namespace {

double squared_variation(const LengthMoments& moments) {
  return moments.variance / (moments.mean * moments.mean);
}

double gap_variation_squared(const Arrivals& arrivals) {
  switch (arrivals.law) {
    case ArrivalLaw::gamma:
      return arrivals.variation * arrivals.variation;
    case ArrivalLaw::uniform:
      return 0.0;
    case ArrivalLaw::burst:
      return static_cast<double>(arrivals.group == 0 ? arrivals.requests : arrivals.group);
    case ArrivalLaw::closed:
    case ArrivalLaw::poisson:
      return 1.0;
  }
  broken_promise("a law of arrivals", __FILE__, __LINE__);
}

}  // namespace

MeanRequest mean_request(const Workload& workload) {
  const LengthMoments prompt = moments_of(workload.prompt);
  const LengthMoments output = moments_of(workload.output);
  MeanRequest mean;
  // Turn t, from 0, carries t former prompts and answers.
  mean.carried = 0.5 * (workload.turns - 1.0) * (prompt.mean + output.mean);
  mean.prompt = mean.carried + prompt.mean;
  mean.shared = std::min(workload.shared_prompt_tokens, prompt.mean - 1.0);
  // In the first turn the shared tokens are before the new ones; in later turns they are carried.
  const double shared_now = mean.shared / workload.turns;
  const double read = prompt.mean - shared_now;
  const double before = mean.carried + shared_now;
  mean.pairs = read * (before + 0.5 * (read + 1.0)) + 0.5 * prompt.variance;
  mean.prompt_variance = prompt.variance;
  mean.carried_pairs = 0.5 * mean.carried * (mean.carried + 1.0);
  mean.output = output.mean;
  mean.largest_output = output.largest;
  mean.output_variation_squared = squared_variation(output);
  mean.think = workload.think;
  mean.first_share = 1.0 / std::max(1.0, workload.arrivals.requests_per_user);
  mean.arrival_variation_squared = gap_variation_squared(workload.arrivals);
  return mean;
}

}  // namespace dfsweep::queueing
