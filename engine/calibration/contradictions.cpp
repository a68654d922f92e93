#include "engine/calibration/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "models/absent.hpp"
#include "models/calibration/contradiction.hpp"
#include "models/short_number.hpp"

namespace dfsweep {

namespace {

using namespace calibration;

/// Published stacks miss sources that their fit has not seen by this standard deviation of the logarithm.
constexpr double deviation_of_source = 0.2;

struct OtherUnit {
  std::string_view metric_unit;
  std::string_view name;
  double factor;  ///< in units of the metric
};
constexpr OtherUnit other_units[] = {{"s", "ms", 1e-3},   {"s", "us", 1e-6},   {"s", "min", 60.0}, {"s", "h", 3600.0},
                                     {"byte", "KB", 1e3}, {"byte", "MB", 1e6}, {"byte", "GB", 1e9}};

/// A unit explains a row if less than this factor is left.
constexpr double explained = 3.0;

std::string hint_of(const Observation& o, const MetricInfo& metric, const ContradictedRow& row) {
  for (const OtherUnit& unit : other_units)
    if (unit.metric_unit == metric.unit && std::abs(row.error - o.sign * std::log(unit.factor)) < std::log(explained))
      return fmt::format("If it was measured in {}, write '{} {}'", unit.name, number_text(o.measured), unit.name);
  return "Check its unit, and whether the columns describe this run";
}

RefusedRow refused_row(std::size_t observation, const MeasuredSweep& sweep, const ContradictedRow& row) {
  const Observation& o = sweep.observations[observation];
  const MetricInfo& metric = sweep.spec.estimator->metrics()[o.metric];
  const double predicted = o.measured * std::exp(o.sign * row.error);
  return {observation,
          fmt::format(
              "{} of {} contradicts the prediction of {} by a factor of {}; at most a factor of {} is plausible",
              metric.name, with_unit(o.measured, metric.unit, 4), with_unit(predicted, metric.unit, 4),
              short_number(std::exp(std::abs(row.error))), short_number(std::exp(contradicted_beyond * row.deviation))),
          hint_of(o, metric, row)};
}

}  // namespace

std::vector<RefusedRow> contradicted_observations(const CalibrationProblem& problem, const MeasuredSweep& sweep,
                                                  std::span<const std::size_t> kept) {
  std::vector<RefusedRow> refused;
  for (const ContradictedRow& row : contradicted_rows(problem, deviation_of_source))
    refused.push_back(refused_row(kept[row.row], sweep, row));
  return refused;
}

UncontradictedFit uncontradicted_fit(const CalibrationProblem& known, const CalibrationProblem& problem,
                                     const FitOptions& options, unsigned threads) {
  UncontradictedFit result;
  result.contradicted.assign(problem.unknowns.size(), absent);
  result.fitted.assign(options.fitted.begin(), options.fitted.end());
  result.fitted.resize(problem.unknowns.size(), 1);
  for (;;) {
    FitOptions now = options;
    now.fitted = result.fitted;
    result.full = full_fit(problem, now, threads);
    const std::vector<std::size_t> beyond = contradicted_unknowns(known, result.full.fit);
    if (beyond.empty()) return result;
    const auto spreads_from_known = [&](std::size_t k) {
      return std::abs(result.full.fit.values[k]) / known.unknowns[k].spread;
    };
    const std::size_t farthest = *std::max_element(beyond.begin(), beyond.end(), [&](std::size_t a, std::size_t b) {
      return spreads_from_known(a) < spreads_from_known(b);
    });
    result.contradicted[farthest] = result.full.fit.values[farthest];
    result.fitted[farthest] = 0;
  }
}

}  // namespace dfsweep
