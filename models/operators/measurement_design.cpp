#include "models/operators/measurement_design.hpp"

#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::operators {

namespace {

constexpr double logarithm_step = 1e-4;
/// Median of |z| of a normal deviate with standard deviation 1.
constexpr double median_deviate = 0.6744897501960817;

using Slopes = std::vector<double>;  ///< [fitted number] d ln(time) / d ln(number)

Slopes slopes_of(Family family, const Keys& keys, const TableSetting& setting, const Numbers& start) {
  Slopes slopes;
  const double time = form_time(family, keys, setting, start).value();
  for (std::size_t k = 0; k < most_numbers; ++k) {
    if (!(start[k] > 0.0)) continue;
    Numbers moved = start;
    moved[k] *= std::exp(logarithm_step);
    slopes.push_back(std::log(form_time(family, keys, setting, moved).value() / time) / logarithm_step);
  }
  return slopes;
}

/// Covariance of the logarithms of the numbers, and what rows do to it.
class Covariance {
 public:
  Covariance(std::size_t size, double variance) : size_(size), values_(size * size, 0.0) {
    for (std::size_t i = 0; i < size; ++i) values_[i * size + i] = variance;
  }

  /// S g.
  [[nodiscard]] Slopes times(const Slopes& slopes) const {
    Slopes product(size_, 0.0);
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < size_; ++j) product[i] += values_[i * size_ + j] * slopes[j];
    return product;
  }

  void learn(const Slopes& slopes, double noise) {
    const Slopes moved = times(slopes);
    const double total = noise + dot(slopes, moved);
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j < size_; ++j) values_[i * size_ + j] -= moved[i] * moved[j] / total;
  }

  [[nodiscard]] static double dot(const Slopes& a, const Slopes& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

 private:
  std::size_t size_;
  std::vector<double> values_;
};

/// Mean of g' S g.
double mean_variance(std::span<const Slopes> all, const Covariance& covariance) {
  double sum = 0.0;
  for (const Slopes& slopes : all) sum += Covariance::dot(slopes, covariance.times(slopes));
  return sum / static_cast<double>(all.size());
}

/// By how much the sum of g' S g falls with a row: sum (g' S r)^2 / (noise + r' S r).
double gain_of(const Slopes& row, std::span<const Slopes> all, const Covariance& covariance, double noise) {
  const Slopes moved = covariance.times(row);
  double sum = 0.0;
  for (const Slopes& slopes : all) {
    const double shared = Covariance::dot(slopes, moved);
    sum += shared * shared;
  }
  return sum / (noise + Covariance::dot(row, moved));
}

}  // namespace

MeasurementDesign measurement_design(Family family, std::span<const Keys> candidates, const TableSetting& setting,
                                     const Numbers& start, const DesignPrior& prior, std::size_t count) {
  DFSWEEP_EXPECT(count <= candidates.size() && !candidates.empty());
  DFSWEEP_EXPECT(prior.spread > 0.0 && prior.scatter > 0.0);
  std::vector<Slopes> slopes;
  for (const Keys& keys : candidates) slopes.push_back(slopes_of(family, keys, setting, start));
  const double noise = prior.scatter * prior.scatter;
  Covariance covariance(slopes.front().size(), prior.spread * prior.spread);
  const auto error = [&] { return median_deviate * std::sqrt(noise + mean_variance(slopes, covariance)); };
  MeasurementDesign design{.rows = {}, .expected_error = {error()}};
  std::vector<bool> is_chosen(candidates.size(), false);
  while (design.rows.size() < count) {
    std::size_t best = candidates.size();
    double best_gain = -1.0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (is_chosen[i]) continue;
      const double gain = gain_of(slopes[i], slopes, covariance, noise);
      if (gain <= best_gain) continue;
      best = i;
      best_gain = gain;
    }
    is_chosen[best] = true;
    design.rows.push_back(best);
    covariance.learn(slopes[best], noise);
    design.expected_error.push_back(error());
  }
  return design;
}

}  // namespace dfsweep::operators
