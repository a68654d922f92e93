#include "engine/fit/report/fit_report.hpp"

#include <fmt/format.h>

namespace dfsweep::fit {

using namespace law_fits;

std::string SubsetFit::name(const std::vector<GroupSubset>& subsets) const {
  return fmt::format("{}/{}/{}", subsets[subset].name, fit.form.name, method_name(fit.method));
}

const SubsetFit* FittedLaws::find_fit(std::string_view subset, std::string_view form, const FitMethod& method) const {
  for (const SubsetFit& each : fits)
    if (subsets[each.subset].name == subset && each.fit.form.name == form && each.fit.method == method) return &each;
  return nullptr;
}

std::string RecommendedLaw::name(const std::vector<GroupSubset>& subsets) const {
  if (!has_interval()) return cheapest_name(subsets);
  return fmt::format("{}/{}/scattered{:g}", subsets[subset].name, candidate.form.name, 100.0 * scattered.choice.window);
}

std::string RecommendedLaw::cheapest_name(const std::vector<GroupSubset>& subsets) const {
  return fmt::format("{}/{}/{}", subsets[subset].name, candidate.form.name, method_name(candidate.method));
}

const LossLawResult* FittedLaws::frontier_law() const {
  for (const std::string_view target : {"quad1_min", "min_loss"})
    for (const LossLawResult& each : loss_laws)
      if (each.target == target && each.subset == "dense" && each.fit.defect == FitDefect::none &&
          each.fit.law.alpha > 0.0 && each.fit.law.beta > 0.0)
        return &each;
  return nullptr;
}

}  // namespace dfsweep::fit
