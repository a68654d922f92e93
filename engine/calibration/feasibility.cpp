#include "engine/calibration/feasibility.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dfsweep {

namespace {

constexpr int halvings = 12;

/// Displacements with those of each entry multiplied by its share.
std::vector<double> scaled(std::span<const double> displacements, std::span<const double> shares) {
  const std::size_t numbers = shares.empty() ? 0 : displacements.size() / shares.size();
  std::vector<double> all(displacements.begin(), displacements.end());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] *= shares[i / numbers];
  return all;
}

/// [entry] 1 where a row of it is infeasible that was feasible before.
std::vector<std::uint8_t> entries_that_lose_rows(const CorrectableModel& model, std::span<const std::uint8_t> before,
                                                 std::span<const std::uint8_t> after) {
  std::vector<std::uint8_t> loses(model.entries().size(), 0);
  for (std::size_t row = 0; row < before.size(); ++row)
    if (before[row] == 0 && after[row] != 0) loses[model.entry_of_row(row)] = 1;
  return loses;
}

std::size_t count(std::span<const std::uint8_t> rows) {
  return static_cast<std::size_t>(std::count(rows.begin(), rows.end(), std::uint8_t{1}));
}

}  // namespace

LimitedCorrections limited_by_runs(const CorrectableModel& model, std::vector<double> displacements) {
  const std::vector<std::uint8_t> before = model.infeasible_rows(model.entries());
  const std::vector<std::uint8_t> fitted = model.infeasible_rows(model.moved(displacements));
  const std::vector<std::uint8_t> losing = entries_that_lose_rows(model, before, fitted);
  std::vector<double> safe(losing.size(), 1.0), lost(losing.size(), 1.0);
  for (std::size_t e = 0; e < losing.size(); ++e)
    if (losing[e] != 0) safe[e] = 0.0;
  for (int halving = 0; halving < halvings && count(losing) > 0; ++halving) {
    std::vector<double> tried = safe;
    for (std::size_t e = 0; e < losing.size(); ++e)
      if (losing[e] != 0) tried[e] = 0.5 * (safe[e] + lost[e]);
    const std::vector<std::uint8_t> loses =
        entries_that_lose_rows(model, before, model.infeasible_rows(model.moved(scaled(displacements, tried))));
    for (std::size_t e = 0; e < losing.size(); ++e)
      if (losing[e] != 0) (loses[e] != 0 ? lost : safe)[e] = tried[e];
  }
  LimitedCorrections limited{scaled(displacements, safe), {before.size(), count(before), count(fitted), 0, {}}};
  limited.feasibility.after = count(model.infeasible_rows(model.moved(limited.displacements)));
  for (std::size_t e = 0; e < losing.size(); ++e)
    if (losing[e] != 0)
      limited.feasibility.limited.push_back(fmt::format("{} ({:.0f} %)", model.name_of(e), 100 * safe[e]));
  return limited;
}

}  // namespace dfsweep
