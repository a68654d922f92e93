/// Random sweeps of `training`, with points that a walk can go over.
#pragma once

#include <array>
#include <random>
#include <span>
#include <vector>

#include "tests/support/fallback.hpp"
#include "tests/support/training_domain.hpp"

namespace dfsweep::testing {

/// A sweep over a few parameters with up to three values each, and points of it: each differs from the one before in
/// few parameters, so that a walk meets what it has kept again and again.
struct RandomSweep {
  SweepValues values;
  std::vector<std::vector<std::uint32_t>> codes;  ///< [column][point]

  RandomSweep(const TrainingCatalogue& catalogue, std::mt19937_64& random, std::size_t points, std::size_t one_in) {
    std::array<TrainingValues, 3> drawn;
    for (TrainingValues& values_drawn : drawn) values_drawn = catalogue.random_values(random);
    for (std::size_t p = 0; p < count_of<training::Parameter>; ++p) {
      SweepValues::Parameter& parameter = values.parameters.emplace_back();
      parameter.values = {drawn[0].all[p]};
      if (random() % one_in != 0) continue;
      for (std::size_t other = 1; other < drawn.size(); ++other) parameter.values.push_back(drawn[other].all[p]);
      parameter.column = codes.size();
      codes.emplace_back();
      values.column_sizes.push_back(parameter.values.size());
    }
    complete(values, training::parameters());
    for (std::vector<std::uint32_t>& column : codes)
      for (std::size_t i = 0; i < points; ++i)
        column.push_back(i > 0 && random() % 4 != 0 ? column.back() : static_cast<std::uint32_t>(random() % 3));
  }

  [[nodiscard]] std::vector<std::span<const std::uint32_t>> columns(std::size_t first, std::size_t count) const {
    std::vector<std::span<const std::uint32_t>> spans;
    for (const std::vector<std::uint32_t>& column : codes) spans.push_back(std::span(column).subspan(first, count));
    return spans;
  }
};

}  // namespace dfsweep::testing
