/// The first walk over files that are too large to keep: the groups and the least loss of each.
#pragma once

#include <vector>

#include "engine/fit/runs/group_index.hpp"
#include "engine/parallel/communicator.hpp"

namespace dfsweep::fit {

/// What the first walk finds: groups in order of appearance.
struct RunSurvey {
  std::vector<law_fits::Recipe> recipes;
  GroupIndex index;
  std::vector<law_fits::GroupMinimum> minima;  ///< [group]
  std::vector<double> flops_per_token;         ///< [group]

  std::uint32_t add(const law_fits::GroupKey& key, double flops) {
    const std::uint32_t group = index.find_or_add(key);
    if (group == minima.size()) {
      minima.emplace_back();
      flops_per_token.push_back(flops);
    }
    return group;
  }

  /// Merges `later`, as if its runs had been added after those of this object.
  void merge(const RunSurvey& later) {
    std::vector<std::uint32_t> ours;
    for (const law_fits::Recipe& recipe : later.recipes) ours.push_back(recipe_number(recipes, recipe));
    for (std::size_t g = 0; g < later.minima.size(); ++g) {
      law_fits::GroupKey key = later.index.entries()[g];
      key.recipe = ours[key.recipe];
      minima[add(key, later.flops_per_token[g])].merge(later.minima[g]);
    }
  }
};

/// Collective: ranks share the blocks, every rank gets all groups and what was found wrong.
struct SurveyedRuns {
  RunSurvey survey;
  RunFindings findings;
};
[[nodiscard]] SurveyedRuns survey_runs(const RunInput& input, unsigned threads, Communicator& communicator);

}  // namespace dfsweep::fit
