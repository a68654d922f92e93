#include "engine/fit/report/recommended_law.hpp"

#include <fmt/format.h>

namespace dfsweep::fit {

using namespace hyperparameters;

std::string RecommendedLaw::name(const std::vector<GroupSubset>& subsets) const {
  if (!has_interval()) return cheapest_name(subsets);
  return fmt::format("{}/{}/scattered{:g}", subsets[subset].name, candidate.form.name, 100.0 * scattered.choice.window);
}

std::string RecommendedLaw::cheapest_name(const std::vector<GroupSubset>& subsets) const {
  return fmt::format("{}/{}/{}", subsets[subset].name, candidate.form.name, method_name(candidate.method));
}

}  // namespace dfsweep::fit
