#include "engine/calibration/levels.hpp"

namespace dfsweep {

namespace {

/// Entries of one number lie closer together than the number lies to what is usual.
constexpr double share_of_entries = 0.5;

template <class FactorOf>
FitLevel level(std::string name, std::span<const Correction> corrections, std::span<const CalibrationInfo> numbers,
               const FactorOf& factor_of) {
  FitLevel made{std::move(name), {}};
  for (const Correction& c : corrections) made.spreads.push_back(factor_of(c) * numbers[c.number].spread);
  return made;
}

}  // namespace

std::vector<FitLevel> fit_levels(std::span<const Correction> corrections, std::span<const CalibrationInfo> numbers) {
  const auto is_shared = [](const Correction& c) { return c.entry == Correction::all_entries; };
  const auto of_entries = [&](const Correction& c) { return numbers[c.number].shared_by == SharedBy::entry; };
  const auto add = [&](std::vector<FitLevel>& all, std::string name, const auto& factor_of) {
    all.push_back(level(std::move(name), corrections, numbers, factor_of));
  };
  const std::size_t first = corrections.empty() ? 0 : corrections.front().number;
  std::vector<FitLevel> all;
  add(all, "nothing", [](const Correction&) { return 0.0; });
  add(all, std::string(numbers[first].field),
      [&](const Correction& c) { return is_shared(c) && c.number == first ? 1.0 : 0.0; });
  add(all, "numbers that belong to entries, shared",
      [&](const Correction& c) { return is_shared(c) && of_entries(c) ? 1.0 : 0.0; });
  add(all, "all numbers, half spreads", [&](const Correction& c) { return is_shared(c) ? 0.5 : 0.0; });
  add(all, "all numbers", [&](const Correction& c) { return is_shared(c) ? 1.0 : 0.0; });
  if (std::all_of(corrections.begin(), corrections.end(), is_shared)) return all;
  add(all, "all numbers and single entries, half spreads",
      [&](const Correction& c) { return is_shared(c) ? 0.5 : 0.5 * share_of_entries; });
  add(all, "all numbers and single entries",
      [&](const Correction& c) { return is_shared(c) ? 1.0 : share_of_entries; });
  add(all, "all numbers and single entries, wide", [&](const Correction& c) { return is_shared(c) ? 1.0 : 1.0; });
  return all;
}

}  // namespace dfsweep
