/// Bisection to the points that throw, and the check of metrics against their declared validity.
#include "engine/evaluation/range_evaluation.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string>

#include "engine/evaluation/search_conditions.hpp"
#include "models/absent.hpp"

namespace dfsweep {
namespace {

class RangeEvaluation {
 public:
  RangeEvaluation(const Estimator& estimator, const PreparedSweep& prepared, const PointBuffer& points,
                  EstimateBuffer& estimates, Tally& tally, WantedRows rows)
      : estimator_(estimator),
        prepared_(prepared),
        points_(points),
        estimates_(estimates),
        tally_(tally),
        rows_(rows) {}

  void evaluate(std::size_t first, std::size_t count) {
    try {
      call(first, count);
      return;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      if (count == 1) return fail(first, error.what());
    } catch (...) {
      if (count == 1) return fail(first, "an exception of unknown type");
    }
    const std::size_t half = count / 2;
    evaluate(first, half);
    evaluate(first + half, count - half);
  }

  /// Marks points `failed` whose metrics violate the declared validity.
  void check(std::size_t count) {
    const std::size_t status_count = estimator_.statuses().size();
    bool all_ok = true;
    for (std::size_t i = 0; i < count; ++i) {
      all_ok = all_ok && estimates_.status[i] == status_ok;
      if (estimates_.status[i] >= status_count) fail(i, "the estimator returned a status that it does not declare");
    }
    for (MetricIndex m = 0; m < estimates_.metrics.size(); ++m) {
      if (estimates_.metrics[m].empty()) continue;
      const MetricInfo& info = estimator_.metrics()[m];
      if (all_ok ? info.may_not_apply || !has_nan(m, count) : is_valid(info, m, count)) continue;
      for (std::size_t i = 0; i < count; ++i) check(info, m, i);
    }
  }

 private:
  void call(std::size_t first, std::size_t count) {
    spans_.clear();
    for (std::vector<double>& column : estimates_.metrics)
      spans_.push_back(column.empty() ? std::span<double>() : std::span(column).subspan(first, count));
    EstimateColumns out{
        .status = std::span(estimates_.status).subspan(first, count), .metrics = spans_, .wanted_rows = rows_};
    prepared_.evaluate(points_.part(first, count, columns_), out);
  }

  void fail(std::size_t point, std::string_view message) {
    estimates_.status[point] = status_failed;
    for (std::vector<double>& column : estimates_.metrics)
      if (!column.empty()) column[point] = absent;
    tally_.failures.add(message, points_.points[point], 1);
  }

  [[nodiscard]] bool has_nan(MetricIndex metric, std::size_t count) const {
    const double* values = estimates_.metrics[metric].data();
    unsigned found = 0;
    for (std::size_t i = 0; i < count; ++i) found |= static_cast<unsigned>(!is_given(values[i]));
    return found != 0;
  }

  /// What a metric must not be at points with a status.
  enum Wrong : std::uint8_t { nothing = 0, absence = 1, number = 2 };

  [[nodiscard]] std::uint8_t wrong_at(const MetricInfo& info, std::uint8_t status) const {
    if (status == status_failed || (status != status_ok && rows_ == WantedRows::ok)) return nothing;
    const bool is_valid = status == status_ok || (status < 32 && (info.valid_statuses >> status & 1U) != 0);
    if (!is_valid) return number;
    return info.may_not_apply ? nothing : absence;
  }

  /// Whether no point violates the validity of a metric: the common case, without a branch for each point. Pre: all
  /// statuses are declared.
  [[nodiscard]] bool is_valid(const MetricInfo& info, MetricIndex metric, std::size_t count) const {
    std::array<std::uint8_t, 256> wrong{};
    for (std::size_t status = 0; status < estimator_.statuses().size(); ++status)
      wrong[status] = wrong_at(info, static_cast<std::uint8_t>(status));
    const double* values = estimates_.metrics[metric].data();
    const std::uint8_t* status = estimates_.status.data();
    unsigned found = 0;
    for (std::size_t i = 0; i < count; ++i)
      found |= wrong[status[i]] >> static_cast<unsigned>(is_given(values[i])) & 1U;
    return found == 0;
  }

  void check(const MetricInfo& info, MetricIndex metric, std::size_t point) {
    const std::uint8_t wrong = wrong_at(info, estimates_.status[point]);
    const bool is_number = is_given(estimates_.metrics[metric][point]);
    if (is_number && wrong == number)
      fail(point, "metric '" + std::string(info.name) + "' has a value for a status whose table entry allows none");
    if (!is_number && wrong == absence)
      fail(point, "metric '" + std::string(info.name) + "' is NaN for a status whose table entry requires a value");
  }

  const Estimator& estimator_;
  const PreparedSweep& prepared_;
  const PointBuffer& points_;
  EstimateBuffer& estimates_;
  Tally& tally_;
  WantedRows rows_;
  std::vector<std::span<const std::uint32_t>> columns_;
  std::vector<std::span<double>> spans_;
};

/// Resizes columns of wanted metrics to at least `count` points and clears the others.
void resize_columns(const Wanted& wanted, std::size_t count, std::vector<std::vector<double>>& columns) {
  for (MetricIndex m = 0; m < columns.size(); ++m) {
    const bool is_wanted =
        wanted.metrics.empty() || std::binary_search(wanted.metrics.begin(), wanted.metrics.end(), m);
    if (!is_wanted)
      columns[m].clear();
    else if (columns[m].size() < count)
      columns[m].resize(count);
  }
}

}  // namespace

Wanted wanted_of(const SweepSpec& spec, const PreparedSweep& prepared) {
  if (!prepared.leaves_out_unwanted()) return {};
  if (spec.search) {
    std::vector<MetricIndex> metrics = metrics_of_conditions(spec);
    const auto place = std::lower_bound(metrics.begin(), metrics.end(), spec.search->metric);
    if (place == metrics.end() || *place != spec.search->metric) metrics.insert(place, spec.search->metric);
    return {.metrics = std::move(metrics), .rows = WantedRows::ok};
  }
  return {.metrics = spec.metrics, .rows = WantedRows::all};
}

void resize_estimates(const Estimator& estimator, const Wanted& wanted, std::size_t count, EstimateBuffer& estimates) {
  if (estimates.status.size() < count) estimates.status.resize(count);
  estimates.metrics.resize(estimator.metrics().size());
  resize_columns(wanted, count, estimates.metrics);
}

void evaluate_range(const Estimator& estimator, const PreparedSweep& prepared, const PointBuffer& points,
                    EstimateBuffer& estimates, Tally& tally, const Wanted& wanted) {
  const std::size_t count = points.points.size();
  resize_estimates(estimator, wanted, count, estimates);
  if (count == 0) return;
  RangeEvaluation range(estimator, prepared, points, estimates, tally, wanted.rows);
  range.evaluate(0, count);
  range.check(count);
  tally.add_points(std::span(estimates.status).first(count));
}

}  // namespace dfsweep
