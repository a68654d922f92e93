/// EstimatorSweep: points of an estimator written by parameter names, for tests.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/estimator.hpp"

namespace dfsweep::testing {

/// What an estimator gave for some points, as in EstimateColumns.
struct Estimates {
  std::vector<std::uint8_t> status;          ///< [point]
  std::vector<std::vector<double>> metrics;  ///< [MetricIndex][point]

  /// The column of the metric that an enumerator of the estimator names.
  template <class Enumerator>
  [[nodiscard]] const std::vector<double>& operator[](Enumerator metric) const {
    return metrics[index_of(metric)];
  }
};

/// Estimates of `count` points. `codes`: [code column][point].
[[nodiscard]] Estimates estimates_of(const PreparedSweep& prepared, std::size_t metrics,
                                     std::span<const std::vector<std::uint32_t>> codes, std::size_t count);

/// The same, each metric by a call that asks for no other.
[[nodiscard]] Estimates estimates_one_by_one(const PreparedSweep& prepared, std::size_t metrics,
                                             std::span<const std::vector<std::uint32_t>> codes, std::size_t count);

/// Throws where a metric has a value at a status for which the estimator's table allows none, or none where the table
/// requires one, as a run would find.
void hold_claims(const Estimator& estimator, const Estimates& found);

/// Whether two columns have the same bits.
[[nodiscard]] bool are_same(std::span<const double> a, std::span<const double> b);

/// One point, by names.
struct NamedEstimate {
  std::string status;
  std::map<std::string, double, std::less<>> metrics;
  [[nodiscard]] double operator[](std::string_view name) const { return metrics.find(name)->second; }
};

class EstimatorSweep {
 public:
  explicit EstimatorSweep(std::unique_ptr<Estimator> (*make)()) : make_(make) {}
  EstimatorSweep& set(const std::string& parameter, double number);
  EstimatorSweep& set(const std::string& parameter, std::string_view text);
  EstimatorSweep& set(const std::string& parameter, Entry entry);
  EstimatorSweep& set_absent(const std::string& parameter);
  /// Several values; axes are in the order of calls.
  EstimatorSweep& axis(const std::string& parameter, const std::vector<double>& numbers);
  /// A CSV file of the estimator's data.
  EstimatorSweep& table(const std::string& path, const std::string& text);

  /// Fallbacks filled in. Good as long as this object.
  [[nodiscard]] SweepValues values() const;
  /// Points of the grid, last axis fastest.
  [[nodiscard]] std::size_t count() const;
  /// All points in blocks of `block` points.
  [[nodiscard]] Estimates estimates(const PreparedSweep& prepared, std::size_t block) const;
  /// All points, each metric by a call that asks for no other.
  [[nodiscard]] Estimates estimates_one_by_one(const PreparedSweep& prepared) const;
  /// Of the first point.
  [[nodiscard]] NamedEstimate evaluate() const;
  [[nodiscard]] Explanation explain() const;
  /// PreparedSweep::reason() of the first point.
  [[nodiscard]] std::string reason() const;

 private:
  /// [axis][point] of `points` points from `first` on.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> codes_of(std::size_t first, std::size_t points) const;

  std::unique_ptr<Estimator> (*make_)();
  std::map<std::string, std::vector<ParameterValue>> given_;
  std::vector<std::string> axes_;  ///< names, in order
  std::list<Entry> entries_;
  std::map<std::string, std::string> tables_;  ///< path -> text
};

}  // namespace dfsweep::testing
