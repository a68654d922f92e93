#include "models/whole_run/batch_law.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::whole_run {

namespace {

/// Half widths of an interval of ln E, below and above its median, as sums of squares.
struct SquaredWidths {
  double below = 0.0;
  double above = 0.0;
  void add(double low, double value, double high) {
    below += (value - low) * (value - low);
    above += (high - value) * (high - value);
  }
};

double rounded_up(double samples, double batch) {
  return std::ceil(samples / batch) * batch;
}

/// q of a format, as an interval too.
Estimated format_factor(const BatchLaw& law, NumberFormat format) {
  if (products_format(format) == MatrixFormat::bits4) return law.four_bits;
  return {1.0, {1.0, 1.0}};
}

}  // namespace

Samples samples_at(const BatchLaw& law, double batch, NumberFormat format) {
  const Estimated factor = format_factor(law, format);
  const auto ln_batch = [&](double critical) { return std::log1p(batch / critical); };
  const double ln_median = std::log(law.samples.value) + ln_batch(law.critical_batch.value) + std::log(factor.value);
  SquaredWidths widths;
  widths.add(std::log(law.samples.interval.low), std::log(law.samples.value), std::log(law.samples.interval.high));
  widths.add(ln_batch(law.critical_batch.interval.high), ln_batch(law.critical_batch.value),
             ln_batch(law.critical_batch.interval.low));
  widths.add(std::log(factor.interval.low), std::log(factor.value), std::log(factor.interval.high));
  const double seeds = normal_quantile(0.5 + 0.5 * law.confidence) * law.spread.value;
  widths.add(-seeds, 0.0, seeds);
  return {std::exp(ln_median),
          {std::exp(ln_median - std::sqrt(widths.below)), std::exp(ln_median + std::sqrt(widths.above))}};
}

ObservedEnd observed_end(double samples, double batch, const EvaluationSchedule& schedule) {
  if (schedule.interval <= 0.0) return {rounded_up(samples, batch), 0.0};
  const double interval = rounded_up(schedule.interval, batch);
  const double first = rounded_up(schedule.first > 0.0 ? schedule.first : schedule.interval, batch);
  const double later = std::max(0.0, std::ceil((samples - first) / interval));
  return {first + later * interval, 1.0 + later};
}

double steps_of_run(const ObservedEnd& end, double batch, const EvaluationSchedule& schedule) {
  return (end.samples + end.evaluations * schedule.share * schedule.samples) / batch;
}

}  // namespace dfsweep::whole_run
