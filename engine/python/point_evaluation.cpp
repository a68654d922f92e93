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

/// [code column] The column of the given points that has its values.
std::vector<std::size_t> given_columns(const SweepSpec& spec, const GivenPoints& points) {
  std::vector<std::size_t> given(spec.values.column_sizes.size());
  const std::span<const ParameterInfo> parameters = spec.estimator->parameters();
  for (std::size_t c = 0; c < points.columns.size(); ++c)
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const std::size_t column = spec.values.parameters[p].column;
      if (parameters[p].name == points.columns[c].name && column < given.size()) given[column] = c;
    }
  return given;
}

/// Entries and data, and entries that would replace those of other folders.
std::vector<FileStamp> files_of(const SweepSpec& spec, const SweepReading& reading) {
  std::vector<FileStamp> files;
  for (const auto& entry : spec.entries) {
    files.push_back(stamp_of(entry->places.at("").file));
    constexpr std::string_view prefix = "catalogue/";
    if (entry->input.name.starts_with(prefix))
      for (const std::filesystem::path& folder : reading.catalogues)
        files.push_back(stamp_of(folder / entry->input.name.substr(prefix.size())));
  }
  for (const DataPlace& place : spec.data_places) {
    const bool is_folder = std::filesystem::is_directory(place.path);
    for (const InputFile& input : spec.inputs)
      if (input.name.starts_with(place.name + "/"))
        files.push_back(stamp_of(is_folder ? place.path / input.name.substr(place.name.size() + 1) : place.path));
  }
  return files;
}

}  // namespace

PointEvaluation::PointEvaluation(std::string_view text, const SweepReading& reading)
    : spec_(read_sweep_text(text, "sweep", std::filesystem::current_path(), reading)),
      rows_(spec_),
      prepared_(prepare(spec_)),
      given_(given_columns(spec_, *reading.points)),
      files_(files_of(spec_, reading)) {}

bool PointEvaluation::is_current() const {
  return std::all_of(files_.begin(), files_.end(),
                     [](const FileStamp& before) { return stamp_of(before.path) == before; });
}

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
      const std::lock_guard lock(mutex_);
      failures_.add(tally.failures);
    }
  });
}

PointBuffer PointEvaluation::point_with(std::span<const std::uint32_t> values) const {
  PointBuffer point;
  PointBuffer listed;
  rows_.decode(0, 1, point);
  for (std::size_t column = 0; column < given_.size(); ++column) {
    rows_.decode(values[given_[column]], 1, listed);
    point.codes[column][0] = listed.codes[column][0];
  }
  return point;
}

void PointEvaluation::evaluate_at(std::span<const std::uint32_t> values, std::uint8_t& status,
                                  std::span<double> metrics) {
  const PointBuffer point = point_with(values);
  EstimateBuffer estimates;
  Tally tally;
  evaluate_range(*spec_.estimator, *prepared_, point, estimates, tally, wanted_of(spec_, *prepared_));
  status = estimates.status.front();
  for (std::size_t m = 0; m < spec_.metrics.size(); ++m) metrics[m] = estimates.metrics[spec_.metrics[m]].front();
  const std::lock_guard lock(mutex_);
  failures_.add(tally.failures);
}

std::string PointEvaluation::reason_at(std::span<const std::uint32_t> values) const {
  const PointBuffer point = point_with(values);
  return prepared_->reason(point.view());
}

std::string PointEvaluation::reason(std::uint64_t point) const {
  PointBuffer points;
  rows_.decode(point, 1, points);
  return prepared_->reason(points.view());
}

}  // namespace dfsweep
