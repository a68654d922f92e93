/// Implementation of the attention rules.
#include "models/profiled/times/attention_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/expect.hpp"

namespace dfsweep::profiled {

namespace {

/// Upper limit for sums of contexts, far beyond every table.
constexpr double most_whole_tokens = 4e9;

std::uint32_t whole(double value) {
  DFSWEEP_EXPECT(value >= 0.0);
  return static_cast<std::uint32_t>(std::min(value, most_whole_tokens));
}

/// A sum of predictions; errors add up with the same sign.
struct PredictionSum {
  Seconds time;
  Seconds error;
  Coverage coverage = Coverage::measured;

  void add(double share, const Prediction& p) {
    time += share * p.time;
    error += share * p.time * p.relative_error;
    coverage = std::max(coverage, p.coverage);
  }
  [[nodiscard]] Prediction prediction() const { return {time, coverage, time > Seconds{} ? error / time : 0.0}; }
};

}  // namespace

double requests_of(std::span<const RequestGroup> groups) {
  double requests = 0.0;
  for (const RequestGroup& group : groups) requests += group.count;
  return requests;
}

double rounded_up(double value, double granularity) {
  return std::ceil(value / granularity) * granularity;
}

Prediction decode_at_mean_context(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                  double granularity) {
  const double requests = requests_of(groups);
  double context = 0.0;
  for (const RequestGroup& group : groups) context += group.count * group.context;
  return surface(whole(requests), whole(rounded_up(std::floor(context / requests), granularity)));
}

Prediction decode_by_context(const SurfaceLookup& surface, std::span<const RequestGroup> groups, double granularity) {
  const double requests = requests_of(groups);
  if (groups.size() == 1) return surface(whole(requests), whole(rounded_up(groups[0].context, granularity)));
  std::vector<RequestGroup> longest_first(groups.begin(), groups.end());
  std::sort(longest_first.begin(), longest_first.end(),
            [](const RequestGroup& a, const RequestGroup& b) { return a.context > b.context; });
  PredictionSum mean;
  Prediction longest{};
  double longer = 0.0;  // requests at least as long as this one
  for (std::size_t i = 0; i < longest_first.size(); ++i) {
    const RequestGroup& group = longest_first[i];
    const std::uint32_t context = whole(rounded_up(group.context, granularity));
    mean.add(group.count / requests, surface(whole(requests), context));
    longer += group.count;
    if (i + 1 == longest_first.size() || longest_first[i + 1].context == group.context) continue;
    const Prediction alone = surface(whole(longer), context);
    if (alone.time > longest.time) longest = alone;
  }
  const Prediction shared = mean.prediction();
  return longest.time > shared.time ? longest : shared;
}

Prediction prefill_as_one_prompt(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                 double granularity) {
  double context = 0.0;
  double squares = 0.0;
  for (const RequestGroup& group : groups) {
    context += group.count * rounded_up(group.context, granularity);
    squares += group.count * group.tokens * group.tokens;
  }
  return surface(whole(context), whole(std::nearbyint(std::sqrt(squares))));
}

Prediction prefill_by_prompt(const SurfaceLookup& surface, std::span<const RequestGroup> groups, double granularity) {
  PredictionSum sum;
  const double prompts = requests_of(groups);
  Seconds launch = prompts > 1.0 ? surface(0, 1).time : Seconds{};
  for (const RequestGroup& group : groups) {
    const Prediction one = surface(whole(rounded_up(group.context, granularity)), whole(group.tokens));
    sum.add(group.count, one);
    launch = std::min(launch, one.time);
  }
  Prediction all = sum.prediction();
  all.time -= (prompts - 1.0) * launch;
  return all;
}

}  // namespace dfsweep::profiled
