#include "engine/calibration/levels.hpp"

#include <algorithm>

namespace dfsweep {

namespace {

/// Entries of one number lie closer together than the number lies to what is usual.
constexpr double share_of_entries = 0.5;

}  // namespace

std::vector<calibration::Level> fit_levels(std::span<const Correction> corrections,
                                           std::span<const CalibrationInfo> numbers) {
  const auto is_shared = [](const Correction& c) { return c.entry == Correction::all_entries; };
  const auto of_entries = [&](const Correction& c) { return numbers[c.number].shared_by == SharedBy::entry; };
  std::vector<calibration::Level> all;
  const auto add = [&](std::string name, const auto& factor_of) {
    calibration::Level& level = all.emplace_back(calibration::Level{std::move(name), {}});
    for (const Correction& c : corrections) level.spread_factors.push_back(factor_of(c));
  };
  const std::size_t first = corrections.empty() ? 0 : corrections.front().number;
  add("nothing", [](const Correction&) { return 0.0; });
  add(std::string(numbers[first].field),
      [&](const Correction& c) { return is_shared(c) && c.number == first ? 1.0 : 0.0; });
  add("numbers that belong to entries, shared",
      [&](const Correction& c) { return is_shared(c) && of_entries(c) ? 1.0 : 0.0; });
  add("all numbers", [&](const Correction& c) { return is_shared(c) ? 1.0 : 0.0; });
  if (std::all_of(corrections.begin(), corrections.end(), is_shared)) return all;
  add("all numbers and single entries, half spreads",
      [&](const Correction& c) { return is_shared(c) ? 0.5 : 0.5 * share_of_entries; });
  add("all numbers and single entries", [&](const Correction& c) { return is_shared(c) ? 1.0 : share_of_entries; });
  return all;
}

}  // namespace dfsweep
