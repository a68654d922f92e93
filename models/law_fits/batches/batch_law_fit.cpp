#include "models/law_fits/batches/batch_law_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "models/law_fits/batches/interval_likelihood.hpp"

namespace dfsweep::law_fits {

namespace {

using whole_run::BatchLaw;
using whole_run::Estimated;

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Half the 95 % quantile of chi squared with one degree of freedom.
constexpr double profile_threshold = 1.920729;
/// Bc beyond this multiple of the largest batch, or below its inverse of the smallest, is taken for infinite or zero.
constexpr double most_critical_ratio = 1e4;

std::size_t place(BatchNumber number) {
  return static_cast<std::size_t>(number);
}

/// Runs by what the likelihood uses and by configuration.
std::vector<AlikeRuns> alike(std::span<const TargetRun> runs) {
  const auto nothing = [](double rate) { return is_given(rate) ? rate : -1.0; };
  std::map<std::tuple<double, bool, double, std::size_t>, std::size_t> configurations;
  std::map<std::tuple<std::size_t, double, double>, AlikeRuns> found;
  for (const TargetRun& run : runs) {
    const bool four_bits = run.format == MatrixFormat::bits4;
    const auto key = std::tuple(run.batch, four_bits, nothing(run.learning_rate), run.system);
    const std::size_t configuration = configurations.emplace(key, configurations.size()).first->second;
    AlikeRuns& same = found[{configuration, run.failed_at, run.reached_at}];
    same = {run.batch, std::log(run.failed_at), std::log(run.reached_at), four_bits, same.count + 1.0, configuration};
  }
  std::vector<AlikeRuns> all;
  for (const auto& [key, each] : found) all.push_back(each);
  return all;
}

/// The likelihood of one set of runs, with what its numbers may be.
class BatchProfile {
 public:
  explicit BatchProfile(std::vector<AlikeRuns> runs) : runs_(std::move(runs)) {
    bool has_four_bits = false;
    bool has_others = false;
    std::vector<double> reached;
    for (const AlikeRuns& run : runs_) {
      (run.four_bits ? has_four_bits : has_others) = true;
      smallest_ = std::min(smallest_, run.batch);
      largest_ = std::max(largest_, run.batch);
      if (std::isfinite(run.ln_reached)) reached.push_back(run.ln_reached);
    }
    held_[place(BatchNumber::four_bits)] = !(has_four_bits && has_others);
    std::nth_element(reached.begin(), reached.begin() + static_cast<std::ptrdiff_t>(reached.size() / 2), reached.end());
    middle_ = reached[reached.size() / 2];
    least_ = free_minimum();
  }

  [[nodiscard]] const Minimum& least() const { return least_; }
  [[nodiscard]] bool has_factor() const { return !held_[place(BatchNumber::four_bits)]; }
  [[nodiscard]] bool critical_is_infinite() const {
    return least_.at[place(BatchNumber::inverse_critical)] <= no_critical();
  }

  /// The end of the profile interval of a number in one direction, +1 or -1; infinite in that direction where there is
  /// none. `threshold`: by how much the cost may exceed its minimum.
  [[nodiscard]] double end(BatchNumber number, double direction, double threshold) const {
    const std::size_t p = place(number);
    const double middle = least_.at[p];
    if (number == BatchNumber::inverse_critical && direction < 0.0 &&
        (critical_is_infinite() || excess_at(number, no_critical(), least_.at) <= threshold))
      return -infinity;
    double inside = number == BatchNumber::inverse_critical ? std::max(middle, first_inverse()) : middle;
    double outside = inside;
    BatchNumbers warm = least_.at;
    for (double width = 0.01; excess_at(number, outside, warm) <= threshold; width *= 2.0) {
      inside = outside;
      outside += direction * width;
      if (std::abs(outside - middle) > 2.0 * std::log(most_critical_ratio)) return direction * infinity;
    }
    for (int step = 0; step < 40; ++step) {
      const double between = 0.5 * (inside + outside);
      (excess_at(number, between, least_.at) <= threshold ? inside : outside) = between;
    }
    return inside;
  }

  /// Sum over configurations of the squared sum of their scores, over the sum of squared scores.
  [[nodiscard]] double dispersion() const {
    std::map<std::size_t, double> sums;
    double squares = 0.0;
    for (const AlikeRuns& run : runs_) {
      const double score = location_score(run, least_.at);
      sums[run.configuration] += run.count * score;
      squares += run.count * score * score;
    }
    double together = 0.0;
    for (const auto& [configuration, sum] : sums) together += sum * sum;
    return squares > 0.0 ? std::max(1.0, together / squares) : 1.0;
  }

 private:
  /// ln 1 / Bc that is as good as 0.
  [[nodiscard]] double no_critical() const { return -std::log(most_critical_ratio * largest_); }
  /// Where a search for an end begins if Bc is infinite: a batch that costs a thousandth.
  [[nodiscard]] double first_inverse() const { return -std::log(1e3 * largest_); }

  [[nodiscard]] Minimum free_minimum() const {
    BatchNumbers start{middle_, no_critical(), 0.0, std::log(usual_spread)};
    HeldNumbers without = held_;
    without[place(BatchNumber::inverse_critical)] = true;
    Minimum best = least_cost(runs_, start, without);
    for (const double ratio : {10.0, 1.0, 0.1}) {
      start[place(BatchNumber::inverse_critical)] = -std::log(ratio * largest_);
      start[place(BatchNumber::samples)] = middle_ - std::log1p(1.0 / ratio);
      const Minimum found = least_cost(runs_, start, held_);
      const double inverse = found.at[place(BatchNumber::inverse_critical)];
      const bool is_in_reach = inverse > no_critical() && inverse < std::log(most_critical_ratio / smallest_);
      if (is_in_reach && found.cost < best.cost - 1e-6) best = found;
    }
    return best;
  }

  [[nodiscard]] double excess_at(BatchNumber number, double value, const BatchNumbers& start) const {
    HeldNumbers held = held_;
    held[place(number)] = true;
    if (number != BatchNumber::inverse_critical && critical_is_infinite())
      held[place(BatchNumber::inverse_critical)] = false;
    BatchNumbers from = start;
    from[place(number)] = value;
    return least_cost(runs_, from, held).cost - least_.cost;
  }

  std::vector<AlikeRuns> runs_;
  HeldNumbers held_{};
  double smallest_ = infinity;
  double largest_ = 0.0;
  double middle_ = 0.0;  ///< median ln of samples at the end
  Minimum least_;
};

Estimated estimated(const BatchProfile& profile, BatchNumber number, double threshold) {
  return {std::exp(profile.least().at[place(number)]),
          {std::exp(profile.end(number, -1.0, threshold)), std::exp(profile.end(number, 1.0, threshold))}};
}

/// Bc, whose logarithm is the negative of that of its inverse.
Estimated critical_of(const BatchProfile& profile, double threshold) {
  const Estimated inverse = estimated(profile, BatchNumber::inverse_critical, threshold);
  return {profile.critical_is_infinite() ? infinity : 1.0 / inverse.value,
          {1.0 / inverse.interval.high, 1.0 / inverse.interval.low}};
}

void widen(std::optional<Interval>& range, double value) {
  if (!is_given(value)) return;
  if (!range) range = Interval{value, value};
  range->low = std::min(range->low, value);
  range->high = std::max(range->high, value);
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

bool has_success(std::span<const TargetRun> runs) {
  return std::any_of(runs.begin(), runs.end(), [](const TargetRun& run) { return std::isfinite(run.reached_at); });
}

/// The numbers of the law without intervals, for predictions. Pre: some run succeeds.
BatchLaw law_of_minimum(const BatchProfile& profile) {
  const BatchNumbers& at = profile.least().at;
  BatchLaw law;
  law.samples.value = std::exp(at[place(BatchNumber::samples)]);
  law.critical_batch.value =
      profile.critical_is_infinite() ? infinity : std::exp(-at[place(BatchNumber::inverse_critical)]);
  if (profile.has_factor()) law.four_bits.value = std::exp(at[place(BatchNumber::four_bits)]);
  law.spread.value = std::exp(at[place(BatchNumber::spread)]);
  return law;
}

}  // namespace

bool BatchLawFit::critical_is_identified() const {
  return std::isfinite(law.critical_batch.interval.high);
}

BatchLawFit fit_batch_law(std::span<const TargetRun> runs) {
  BatchLawFit fit;
  fit.law.runs = static_cast<double>(runs.size());
  if (!has_success(runs)) {
    fit.defect = BatchFitDefect::no_success;
    return fit;
  }
  const std::vector<AlikeRuns> same = alike(runs);
  std::map<std::size_t, std::size_t> kinds;
  for (const AlikeRuns& each : same) fit.spread_is_seen |= ++kinds[each.configuration] > 1;
  fit.configurations = kinds.size();
  const BatchProfile profile(same);
  fit.dispersion = profile.dispersion();
  const double threshold = profile_threshold * fit.dispersion;
  fit.law.samples = estimated(profile, BatchNumber::samples, threshold);
  fit.law.critical_batch = critical_of(profile, threshold);
  if (profile.has_factor()) fit.law.four_bits = estimated(profile, BatchNumber::four_bits, threshold);
  fit.law.spread = estimated(profile, BatchNumber::spread, profile_threshold);
  std::optional<Interval> batches;
  for (const TargetRun& run : runs) {
    widen(batches, run.batch);
    widen(fit.law.learning_rates, run.learning_rate);
  }
  fit.law.batches = *batches;
  return fit;
}

std::vector<LeftOutConfiguration> left_out_systems(std::span<const TargetRun> runs) {
  std::map<std::tuple<std::size_t, double, MatrixFormat, double, double>, std::vector<double>> configurations;
  for (const TargetRun& run : runs)
    if (std::isfinite(run.reached_at))
      configurations[{run.system, run.batch, run.format, run.evaluations.first, run.evaluations.interval}].push_back(
          run.reached_at);
  std::vector<LeftOutConfiguration> all;
  std::optional<BatchLaw> law;
  for (const auto& [key, reached] : configurations) {
    const auto& [system, batch, format, first, interval] = key;
    if (all.empty() || all.back().system != system) {
      std::vector<TargetRun> others;
      for (const TargetRun& run : runs)
        if (run.system != system) others.push_back(run);
      law = has_success(others) ? std::optional(law_of_minimum(BatchProfile(alike(others)))) : std::nullopt;
    }
    LeftOutConfiguration one{system, batch, format, reached.size(), absent, median_of(reached)};
    const double factor = !law ? absent : format == MatrixFormat::bits4 ? law->four_bits.value : 1.0;
    if (is_given(factor)) {
      const double samples = law->samples.value * (1.0 + batch / law->critical_batch.value) * factor;
      one.predicted = whole_run::observed_end(samples, batch, {first, interval, 0.0, 0.0}).samples;
    }
    all.push_back(one);
  }
  return all;
}

double mean_error(std::span<const LeftOutConfiguration> configurations) {
  double sum = 0.0;
  double count = 0.0;
  for (const LeftOutConfiguration& one : configurations) {
    if (!is_given(one.predicted)) continue;
    sum += std::abs(one.predicted / one.observed - 1.0);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : absent;
}

}  // namespace dfsweep::law_fits
