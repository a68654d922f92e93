#include "models/law_fits/intervals/bootstrap.hpp"

#include <algorithm>

#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/law_fits/intervals/resample_kernel.hpp"

namespace dfsweep::law_fits {

namespace {

bool is_regression(LawEstimator estimator) {
  return estimator == LawEstimator::argmin || estimator == LawEstimator::kept_rows ||
         estimator == LawEstimator::quadratic;
}

/// One item per kept run of the groups, in file order.
RegressionRows kept_items(const SelectedRuns& runs, std::span<const std::size_t> groups, double window) {
  DFSWEEP_EXPECT(runs.kept_below >= window);
  std::vector<char> wanted(runs.groups.size());
  for (const std::size_t g : groups) wanted[g] = 1;
  RegressionRows rows;
  for (const KeptRun& run : runs.kept) {
    if (wanted[run.group] == 0 || !(run.rel < window)) continue;
    const auto features = features_of(runs.groups[run.group].scale);
    rows.members.push_back(run.group);
    rows.learning_rate.push_back({features, run.x, 1.0, 0.0, 0.0});
    rows.batch_tokens.push_back({features, run.y, 1.0, 0.0, 0.0});
  }
  return rows;
}

/// Appends the equations of one target in the layout of resample().
void append_equations(std::vector<double>& sums, const LawBasis& basis, const TargetSums& item,
                      const std::array<double, law_feature_count>& means, double origin) {
  const auto row = basis.row(item.features, means);
  const double value = item.sum + item.n * (item.origin - origin);
  for (std::size_t i = 0; i < basis.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) sums.push_back(item.n * row[i] * row[j]);
  for (std::size_t i = 0; i < basis.size(); ++i) sums.push_back(row[i] * value);
}

}  // namespace

LawBootstrap::LawBootstrap(const SelectedRuns& runs, std::span<const std::size_t> groups, const LawForm& form,
                           const FitMethod& method, ResampleUnit unit, std::uint64_t seed)
    : runs_(runs), form_(form), method_(method), random_(seed), x_(form.learning_rate), y_(form.batch_tokens) {
  DFSWEEP_EXPECT(unit == ResampleUnit::group || method.estimator == LawEstimator::kept_rows);
  if (!is_regression(method.estimator)) {
    members_.assign(groups.begin(), groups.end());
    items_ = members_.size();
    return;
  }
  const RegressionRows rows =
      unit == ResampleUnit::row ? kept_items(runs, groups, method.window) : regression_rows(runs, groups, method);
  items_ = rows.members.size();
  if (items_ == 0) return;
  means_ = mean_features(rows.learning_rate);
  origin_ = {mean_value(rows.learning_rate), mean_value(rows.batch_tokens)};
  stride_ = resample_stride(x_.size(), y_.size());
  sums_.reserve(items_ * stride_);
  for (std::size_t item = 0; item < items_; ++item) {
    append_equations(sums_, x_, rows.learning_rate[item], means_, origin_.x);
    append_equations(sums_, y_, rows.batch_tokens[item], means_, origin_.y);
    sums_.resize((item + 1) * stride_);
  }
}

void LawBootstrap::run(std::uint64_t first, std::span<double> coefficients) const {
  DFSWEEP_EXPECT(coefficients.size() % width() == 0);
  const std::size_t replicates = coefficients.size() / width();
  if (items_ == 0) {
    std::fill(coefficients.begin(), coefficients.end(), absent);
  } else if (!sums_.empty()) {
    resample(sums_, items_, x_.size(), y_.size(), random_, first, coefficients);
    for (std::size_t r = 0; r < replicates; ++r) uncentre(coefficients.subspan(r * width(), width()));
  } else {
    std::vector<std::size_t> drawn(items_);
    for (std::size_t r = 0; r < replicates; ++r) {
      for (std::size_t j = 0; j < items_; ++j) drawn[j] = members_[random_.index(first + r, j, items_)];
      refit(drawn, coefficients.subspan(r * width(), width()));
    }
  }
}

void LawBootstrap::leave_one_out(std::span<double> coefficients) const {
  DFSWEEP_EXPECT(coefficients.size() == items_ * width());
  if (!sums_.empty()) {
    std::vector<double> total(stride_);
    for (std::size_t i = 0; i < sums_.size(); ++i) total[i % stride_] += sums_[i];
    std::vector<double> rest(stride_);
    for (std::size_t item = 0; item < items_; ++item) {
      for (std::size_t k = 0; k < stride_; ++k) rest[k] = total[k] - sums_[item * stride_ + k];
      const auto here = coefficients.subspan(item * width(), width());
      solve_resample(rest, x_.size(), y_.size(), here);
      uncentre(here);
    }
    return;
  }
  for (std::size_t item = 0; item < items_; ++item) {
    std::vector<std::size_t> others = members_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(item));
    refit(others, coefficients.subspan(item * width(), width()));
  }
}

ScalingLaw LawBootstrap::law(std::span<const double> coefficients) const {
  DFSWEEP_EXPECT(coefficients.size() == width());
  return {x_.law(coefficients), y_.law(coefficients.subspan(x_.size()))};
}

void LawBootstrap::uncentre(std::span<double> coefficients) const {
  store({x_.law(coefficients, means_, origin_.x), y_.law(coefficients.subspan(x_.size()), means_, origin_.y)},
        coefficients);
}

void LawBootstrap::refit(std::span<const std::size_t> drawn, std::span<double> coefficients) const {
  const LawFit fit = fit_law(runs_, drawn, form_, method_);
  if (fit.defect == FitDefect::none)
    store(fit.law(), coefficients);
  else
    std::fill(coefficients.begin(), coefficients.end(), absent);
}

void LawBootstrap::store(const ScalingLaw& law, std::span<double> coefficients) const {
  x_.store(law.learning_rate, coefficients);
  y_.store(law.batch_tokens, coefficients.subspan(x_.size()));
}

}  // namespace dfsweep::law_fits
