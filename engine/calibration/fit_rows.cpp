#include "engine/calibration/fit_rows.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep {

namespace {

constexpr double factor_spread = 0.1;  ///< standard deviation of the logarithm of a factor of a source

double spread_of(const MeasuredSweep& sweep, std::size_t entry, std::size_t number) {
  for (const KnownSpread& known : sweep.known)
    if (known.entry == entry && known.number == number) return known.spread;
  return sweep.spec.estimator->calibration()[number].spread;
}

/// If a correction affects several entries, the largest spread is used.
double spread_of(const MeasuredSweep& sweep, const CorrectableModel& model, std::span<const std::size_t> kept,
                 const Correction& c) {
  if (c.entry != Correction::all_entries) return spread_of(sweep, c.entry, c.number);
  double widest = 0.0;
  for (const std::size_t i : kept)
    widest = std::max(widest, spread_of(sweep, model.entry_of_observation()[i], c.number));
  return widest;
}

}  // namespace

FitRows::FitRows(const CorrectableModel& model, const MeasuredSweep& sweep, std::span<const std::size_t> kept,
                 std::span<const Correction> corrections, const std::optional<Groups>& groups)
    : model_(model), kept_(kept), quantities_(model.number_count()) {
  problem_.quantities = quantities_;
  for (const std::size_t i : kept) {
    const Observation& o = sweep.observations[i];
    problem_.observed.push_back(o.sign * std::log(o.measured));
    problem_.groups.push_back(groups ? groups->numbers[i] : 0);
  }
  problem_.group_count = groups ? groups->count() : 1;
  problem_.group_spread = groups ? factor_spread : 0.0;
  for (const Correction& c : corrections)
    problem_.unknowns.push_back({c.number, spread_of(sweep, model, kept, c), applies(c)});
  problem_.predict = [this](std::span<const double> displacements, std::span<double> out) {
    predict(displacements, out);
  };
}

std::vector<bool> FitRows::applies(const Correction& c) const {
  std::vector<bool> rows;
  for (const std::size_t i : kept_)
    rows.push_back(c.entry == Correction::all_entries || model_.entry_of_observation()[i] == c.entry);
  return rows;
}

void FitRows::predict(std::span<const double> displacements, std::span<double> out) const {
  std::vector<double> of_entries(model_.entries().size() * quantities_, 0.0);
  for (std::size_t k = kept_.size(); k-- > 0;)
    std::copy_n(
        displacements.begin() + static_cast<std::ptrdiff_t>(k * quantities_), quantities_,
        of_entries.begin() + static_cast<std::ptrdiff_t>(model_.entry_of_observation()[kept_[k]] * quantities_));
  const std::vector<double> predictions = model_.log_predictions(model_.moved(of_entries));
  for (std::size_t k = 0; k < kept_.size(); ++k) out[k] = predictions[kept_[k]];
}

}  // namespace dfsweep
