/// DrawnPoints: random points of an estimator that are estimated in one sweep, and comparisons between them.
#pragma once

#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "models/absent.hpp"
#include "models/enum_array.hpp"
#include "tests/support/estimator_sweep.hpp"
#include "tests/support/fallback.hpp"
#include "tests/support/property_tally.hpp"

namespace dfsweep::testing {

/// A value of each parameter; absent where a point leaves it open.
template <class Parameter>
class DrawnPoint {
 public:
  /// Fallbacks of the published table. It has to live as long as the point.
  explicit DrawnPoint(std::span<const ParameterInfo> infos) : infos_(infos) {
    for (const Parameter p : all_of<Parameter>) values_[index_of(p)] = fallback_of(infos[index_of(p)]);
  }
  DrawnPoint& set(Parameter p, double number) { return set(p, {.number = number, .text = {}}); }
  DrawnPoint& set(Parameter p, const char* text) { return set(p, {.text = text}); }
  DrawnPoint& set(Parameter p, const Entry& entry) { return set(p, {.text = entry.name, .entry = &entry}); }
  DrawnPoint& leave_open(Parameter p) { return set(p, ParameterValue{}); }

  [[nodiscard]] const ParameterValue& operator[](Parameter p) const { return values_[index_of(p)]; }
  [[nodiscard]] double number(Parameter p) const { return (*this)[p].number; }
  [[nodiscard]] bool is_open(Parameter p) const { return !is_given(number(p)) && (*this)[p].text.empty(); }
  /// In a few words, for messages.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Parameter p : all_of<Parameter>) {
      const auto name = infos_[index_of(p)].name;
      if (!(*this)[p].text.empty()) text += fmt::format(" {}={}", name, (*this)[p].text);
      if (is_given(number(p))) text += fmt::format(" {}={:g}", name, number(p));
    }
    return text;
  }

 private:
  DrawnPoint& set(Parameter p, ParameterValue value) {
    values_[index_of(p)] = std::move(value);
    return *this;
  }
  std::span<const ParameterInfo> infos_;
  std::array<ParameterValue, static_cast<std::size_t>(Parameter::count)> values_;
};

/// Points, what is expected between pairs of them, and what the estimator gives.
template <class Parameter, class Metric>
class DrawnPoints {
 public:
  using Point = DrawnPoint<Parameter>;

  /// The number of the point.
  std::size_t add(const Point& point) {
    points_.push_back(point);
    for (const Parameter p : all_of<Parameter>) {
      const std::size_t i = index_of(p);
      const ParameterValue& value = point[p];
      const std::string key = fmt::format("{:a}|{}", is_given(value.number) ? value.number : -0.5, value.text);
      const auto [known, is_new] = known_[i].try_emplace(key, static_cast<std::uint32_t>(values_[i].size()));
      if (is_new) values_[i].push_back(value);
      codes_[i].push_back(known->second);
    }
    return points_.size() - 1;
  }
  /// `less` has at most `factor` times what `more` has of the metric, where both have it.
  void expect_less(std::string why, std::size_t less, std::size_t more, Metric metric, double factor = 1) {
    expectations_.push_back({std::move(why), less, more, metric, factor});
  }
  /// Where `from` can run, so can `to`.
  void expect_runs(std::string why, std::size_t from, std::size_t to) { runs_.push_back({std::move(why), from, to}); }

  void estimate(const Estimator& estimator) {
    SweepValues sweep;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      sweep.parameters.push_back({values_[i], i});
      sweep.column_sizes.push_back(values_[i].size());
    }
    complete(sweep, estimator.parameters());
    metrics_ = estimator.metrics();
    found_ = estimates_of(*estimator.prepare(sweep), metrics_.size(), codes_, points_.size());
    hold_claims(estimator, found_);
  }
  void compare(PropertyTally& tally) const {
    compare(tally, [](std::size_t, std::size_t, Metric) { return true; });
  }
  /// `says(less, more, metric)`: whether an expectation is about these points.
  template <class Says>
  void compare(PropertyTally& tally, const Says& says) const {
    for (const Expectation& e : expectations_) {
      if (!says(e.less, e.more, e.metric)) continue;
      const double less = metric(e.less, e.metric);
      const double more = metric(e.more, e.metric);
      if (!is_given(less) || !is_given(more)) continue;
      tally.check(fmt::format("{}: {}", e.why, metrics_[index_of(e.metric)].name), less <= e.factor * more * rounding,
                  [&] { return fmt::format("{} against {} with{}", less, more, points_[e.more].text()); });
    }
    for (const Runs& r : runs_)
      if (status(r.from) == 0) tally.check(r.why, status(r.to) == 0, [&] { return points_[r.from].text(); });
  }
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  [[nodiscard]] const Point& point(std::size_t i) const { return points_[i]; }
  [[nodiscard]] std::uint8_t status(std::size_t i) const { return found_.status[i]; }
  [[nodiscard]] double metric(std::size_t i, Metric m) const { return found_[m][i]; }

  static constexpr double rounding = 1 + 1e-9;

 private:
  struct Expectation {
    std::string why;
    std::size_t less;
    std::size_t more;
    Metric metric;
    double factor;
  };
  struct Runs {
    std::string why;
    std::size_t from;
    std::size_t to;
  };
  static constexpr auto count = static_cast<std::size_t>(Parameter::count);
  std::vector<Point> points_;
  std::vector<Expectation> expectations_;
  std::vector<Runs> runs_;
  std::array<std::map<std::string, std::uint32_t>, count> known_;
  std::vector<std::vector<ParameterValue>> values_{count};
  std::vector<std::vector<std::uint32_t>> codes_{count};
  std::span<const MetricInfo> metrics_;
  Estimates found_;
};

}  // namespace dfsweep::testing
