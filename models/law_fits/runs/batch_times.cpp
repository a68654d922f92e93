#include "models/law_fits/runs/batch_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/absent.hpp"

namespace dfsweep::law_fits {

namespace {

double median_time(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double exponent_of(const GroupedRuns& runs, GroupKey key) {
  double n = 0.0;
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double xy = 0.0;
  for (const RunGroup& group : runs.groups) {
    key.train_tokens = group.key.train_tokens;
    if (group.key != key) continue;
    const double at = std::log(group.key.train_tokens);
    const double loss = std::log(group.minimum.loss);
    n += 1.0;
    x += at;
    y += loss;
    xx += at * at;
    xy += at * loss;
  }
  const double exponent = n < 2.0 ? absent : -(n * xy - x * y) / (n * xx - x * x);
  return exponent > 0.0 ? exponent : absent;
}

/// Without what compares batches.
std::vector<BatchTime> timed_batches(const GroupedRuns& runs, const RunGroup& group,
                                     std::span<const double> step_times) {
  std::map<double, BatchTime> best;
  std::map<double, std::vector<double>> times;
  for (std::size_t r = group.begin; r < group.end; ++r) {
    const double batch = runs.batch_tokens[r];
    const double time = step_times[runs.file_row[r]];
    if (time > 0.0 && std::isfinite(time)) times[batch].push_back(time);
    const auto [found, is_new] = best.try_emplace(batch, BatchTime{.batch_tokens = batch});
    if (!is_new && runs.loss[r] >= found->second.loss) continue;
    found->second.learning_rate = runs.learning_rate[r];
    found->second.loss = runs.loss[r];
  }
  std::vector<BatchTime> batches;
  for (auto& [batch, all] : times) {
    BatchTime at = best[batch];
    at.step_time = median_time(std::move(all));
    at.train_time = at.step_time * group.key.train_tokens / batch;
    batches.push_back(at);
  }
  return batches;
}

void compare(GroupTimes& times) {
  const auto place = [&times](auto member) {
    const auto least = std::min_element(times.batches.begin(), times.batches.end(),
                                        [member](const auto& a, const auto& b) { return a.*member < b.*member; });
    return static_cast<std::size_t>(least - times.batches.begin());
  };
  times.least_loss = place(&BatchTime::loss);
  const BatchTime best = times.batches[times.least_loss];
  const double s = times.loss_exponent;
  for (BatchTime& at : times.batches) {
    at.time_to_least_loss = at.train_time * std::pow(at.loss / best.loss, 1.0 / s);
    at.loss_at_equal_time = at.loss * std::pow(at.train_time / best.train_time, s);
  }
  times.fastest = place(is_given(s) ? &BatchTime::time_to_least_loss : &BatchTime::train_time);
}

}  // namespace

std::vector<GroupTimes> batch_times(const GroupedRuns& runs, std::span<const double> step_times) {
  std::vector<GroupTimes> all;
  for (std::size_t g = 0; g < runs.groups.size(); ++g) {
    GroupTimes times{.group = g,
                     .loss_exponent = exponent_of(runs, runs.groups[g].key),
                     .batches = timed_batches(runs, runs.groups[g], step_times)};
    if (times.batches.size() < 2) continue;
    compare(times);
    all.push_back(std::move(times));
  }
  return all;
}

}  // namespace dfsweep::law_fits
