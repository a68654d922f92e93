#include "models/calibration/stated_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/calibration/error_summary.hpp"
#include "models/expect.hpp"

namespace dfsweep::calibration {

namespace {

constexpr double known_deviation = 0.2;  // of errors of published stacks on sources that their fit has not seen
constexpr std::size_t known_errors = 10;
constexpr std::uint32_t most_groups = 20;

/// Quantiles of a normal distribution of that deviation.
std::array<double, known_errors> errors_without_rows() {
  std::array<double, known_errors> errors{};
  for (std::size_t i = 0; i < known_errors; ++i)
    errors[i] = known_deviation * normal_quantile((static_cast<double>(i) + 0.5) / known_errors);
  return errors;
}

using GroupedErrors = std::vector<std::vector<double>>;  // [group][row]

constexpr std::size_t no_group = SIZE_MAX;

/// h(rows that are in neither group).
double reach_of_errors(const GroupedErrors& groups, std::size_t without, std::size_t and_without) {
  std::vector<double> magnitudes;
  for (const double error : errors_without_rows()) magnitudes.push_back(std::abs(error));
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (g != without && g != and_without)
      for (const double error : groups[g]) magnitudes.push_back(std::abs(error));
  return quantile_of_next(magnitudes, stated_share);
}

/// The interval that the groups but `without` state.
Interval stated(const GroupedErrors& groups, std::size_t without) {
  std::vector<double> widenings;
  const double of_known = reach_of_errors({}, no_group, no_group);
  for (const double error : errors_without_rows()) widenings.push_back(std::abs(error) / of_known);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g == without) continue;
    const double of_others = reach_of_errors(groups, without, g);
    for (const double error : groups[g]) widenings.push_back(std::abs(error) / of_others);
  }
  const double s = std::max(quantile_of_next(widenings, stated_share), 1.0);
  const double h = reach_of_errors(groups, without, no_group);
  return {-s * h, s * h};
}

/// The numbers of the groups, each once, in order.
std::vector<std::uint32_t> distinct(std::span<const std::uint32_t> groups) {
  std::vector<std::uint32_t> numbers(groups.begin(), groups.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

GroupedErrors grouped(std::span<const double> errors, std::span<const std::uint32_t> groups,
                      std::span<const std::uint32_t> numbers) {
  GroupedErrors by_group;
  by_group.resize(std::clamp<std::size_t>(numbers.size(), 1, most_groups));
  for (std::size_t row = 0; row < errors.size(); ++row) {
    const auto place = groups.empty() ? numbers.begin() : std::lower_bound(numbers.begin(), numbers.end(), groups[row]);
    by_group[static_cast<std::size_t>(place - numbers.begin()) % by_group.size()].push_back(errors[row]);
  }
  return by_group;
}

}  // namespace

StatedError stated_error(std::span<const double> errors, std::span<const std::uint32_t> groups) {
  DFSWEEP_EXPECT(groups.empty() || groups.size() == errors.size());
  const std::vector<std::uint32_t> numbers = distinct(groups);
  const GroupedErrors by_group = grouped(errors, groups, numbers);
  const auto known = errors_without_rows();
  std::vector<double> all(errors.begin(), errors.end());
  all.insert(all.end(), known.begin(), known.end());
  StatedError result{errors.size(), std::max<std::size_t>(numbers.size(), errors.empty() ? 0 : 1),
                     summarize_relative_errors(all).median, stated(by_group, no_group)};
  if (by_group.size() < 2) return result;
  double covered = 0.0, shares = 0.0;
  for (std::size_t g = 0; g < by_group.size(); ++g) {
    const Interval others = stated(by_group, g);
    const auto inside = static_cast<double>(
        std::count_if(by_group[g].begin(), by_group[g].end(), [&](double error) { return others.covers(error); }));
    covered += inside;
    shares += inside / static_cast<double>(by_group[g].size());
  }
  result.coverage = covered / static_cast<double>(errors.size());
  result.coverage_of_groups = shares / static_cast<double>(by_group.size());
  return result;
}

}  // namespace dfsweep::calibration
