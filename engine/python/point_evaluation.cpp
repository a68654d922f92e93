#include "engine/python/point_evaluation.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/evaluation/range_evaluation.hpp"
#include "engine/sweep/preparation.hpp"
#include "engine/sweep/read_sweep.hpp"

namespace dfsweep {
namespace {

constexpr std::uint64_t most_piece_points = 4096;
/// Pieces take about this long by the cost that the estimator declares, so that stop() is heard.
constexpr double piece_seconds = 20e-3;

/// Calls body() on this thread and `threads` - 1 others; rethrows the first exception after all have ended.
void on_threads(unsigned threads, const std::function<void()>& body) {
  std::exception_ptr error;
  std::mutex mutex;
  const auto guarded = [&] {
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  std::vector<std::jthread> others;
  for (unsigned t = 1; t < threads; ++t) others.emplace_back(guarded);
  guarded();
  others.clear();
  if (error) std::rethrow_exception(error);
}

}  // namespace

PointEvaluation::PointEvaluation(std::string_view text, const SweepReading& reading)
    : spec_(read_sweep_text(text, "sweep", std::filesystem::current_path(), reading)),
      rows_(spec_),
      prepared_(prepare(spec_)) {}

std::string PointEvaluation::warnings() const {
  return notes_text(spec_) + warnings_text(spec_, *prepared_);
}

std::uint64_t PointEvaluation::piece_points(unsigned threads) const {
  const double cost = spec_.estimator->seconds_per_point(spec_.values);
  const auto affordable =
      cost > piece_seconds / most_piece_points ? static_cast<std::uint64_t>(piece_seconds / cost) : most_piece_points;
  return std::clamp<std::uint64_t>(count() / (4 * threads), 1, std::max<std::uint64_t>(affordable, 1));
}

void PointEvaluation::evaluate(unsigned threads, std::span<std::uint8_t> status, std::span<double* const> metrics) {
  const Wanted wanted = wanted_of(spec_, *prepared_);
  const std::uint64_t step = piece_points(std::max(threads, 1U));
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;  // guards failures_
  on_threads(static_cast<unsigned>(std::min<std::uint64_t>(std::max(threads, 1U), (count() + step - 1) / step)), [&] {
    PointBuffer points;
    EstimateBuffer estimates;
    for (std::uint64_t first = next.fetch_add(step); first < count() && !is_stopped_; first = next.fetch_add(step)) {
      const std::size_t size = std::min(step, count() - first);
      Tally tally;
      rows_.decode(first, size, points);
      evaluate_range(*spec_.estimator, *prepared_, points, estimates, tally, wanted);
      std::copy_n(estimates.status.begin(), size, status.begin() + static_cast<std::ptrdiff_t>(first));
      for (std::size_t m = 0; m < spec_.metrics.size(); ++m)
        std::copy_n(estimates.metrics[spec_.metrics[m]].begin(), size, metrics[m] + first);
      done_ += size;
      const std::lock_guard lock(mutex);
      failures_.add(tally.failures);
    }
  });
}

std::string PointEvaluation::reason(std::uint64_t point) const {
  PointBuffer points;
  rows_.decode(point, 1, points);
  return prepared_->reason(points.view());
}

}  // namespace dfsweep
