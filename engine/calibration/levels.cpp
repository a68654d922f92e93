/// Levels: how much a fit may move.
#include "engine/calibration/left_out_ways.hpp"

#include <algorithm>
#include <string_view>

namespace dfsweep {

namespace {

/// The values of a number differ less between entries than from the usual value.
constexpr double share_of_entries = 0.5;

enum class Fitted : std::uint8_t { nothing, first, of_entries, leading, all };

/// Which corrections a level fits, and their priors.
struct Form {
  std::string_view name;  ///< empty for Fitted::first: the name of the number
  Fitted fitted = Fitted::nothing;
  double single_entries = 0.0;  ///< factor on spreads of corrections of single entries; 0: not fitted
  double spreads = 1.0;         ///< factor on all spreads
  double groups = 1.0;          ///< factor on the spread of factors of groups; 0: no such factors
};

constexpr Form forms[] = {
    {"nothing"},
    {"", Fitted::first},
    {"numbers that belong to entries, shared", Fitted::of_entries},
    {"leading numbers", Fitted::leading},
    {"leading numbers and single entries, half spreads", Fitted::leading, share_of_entries, 0.5},
    {"leading numbers and single entries", Fitted::leading, share_of_entries},
    {"all numbers", Fitted::all},
    {"all numbers and single entries, half spreads", Fitted::all, share_of_entries, 0.5},
    {"all numbers and single entries", Fitted::all, share_of_entries},
    {"leading numbers, no factors of groups", Fitted::leading, 0.0, 1.0, 0.0},
    {"leading numbers and single entries, no factors of groups", Fitted::leading, share_of_entries, 1.0, 0.0},
    {"all numbers, no factors of groups", Fitted::all, 0.0, 1.0, 0.0},
    {"all numbers and single entries, no factors of groups", Fitted::all, share_of_entries, 1.0, 0.0},
};

bool is_single(const Correction& c) {
  return c.entry != Correction::all_entries;
}

bool is_in_level(Fitted fitted, const Correction& c, std::size_t first, const CalibrationInfo& number) {
  switch (fitted) {
    case Fitted::nothing:
      return false;
    case Fitted::first:
      return c.number == first;
    case Fitted::of_entries:
      return number.shared_by == SharedBy::entry;
    case Fitted::leading:
      return number.reach == Reach::leading;
    case Fitted::all:
      return true;
  }
  return false;
}

}  // namespace

std::vector<calibration::Level> fit_levels(std::span<const Correction> corrections,
                                           std::span<const CalibrationInfo> numbers, bool has_groups) {
  const bool has_single = std::any_of(corrections.begin(), corrections.end(), is_single);
  const bool has_minor = std::any_of(corrections.begin(), corrections.end(),
                                     [&](const Correction& c) { return numbers[c.number].reach == Reach::minor; });
  const std::size_t first = corrections.empty() ? 0 : corrections.front().number;
  std::vector<calibration::Level> levels;
  for (const Form& form : forms) {
    if (form.single_entries > 0.0 && !has_single) continue;
    if (form.fitted == Fitted::leading && !has_minor) continue;
    if (form.groups == 0.0 && !has_groups) continue;
    calibration::Level& level = levels.emplace_back();
    level.name = form.fitted == Fitted::first ? numbers[first].field : form.name;
    level.group_spread_factor = form.groups;
    for (const Correction& c : corrections)
      level.spread_factors.push_back(is_in_level(form.fitted, c, first, numbers[c.number])
                                         ? form.spreads * (is_single(c) ? form.single_entries : 1.0)
                                         : 0.0);
  }
  return levels;
}

}  // namespace dfsweep
