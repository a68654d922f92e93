/// The points of groups that a figure of a law shows: those to which the law was fitted.
#include <fmt/format.h>

#include "engine/fit/output/pictures.hpp"
#include "engine/fit/tables/fit_tables.hpp"
#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// The minimum of each group's own surface, without groups whose surface has a defect.
DrawnOptima of_surfaces(const FitReport& report, const std::vector<std::size_t>& groups, double window) {
  DrawnOptima out;
  for (const std::size_t g : groups) {
    const QuadraticSurface surface = fit_quadratic(report.read.selected.groups[g], report.read.selected.window(window));
    if (surface.defect != FitDefect::none) continue;
    out.groups.push_back(g);
    out.points.push_back(surface.optimum);
  }
  return out;
}

DrawnOptima best_runs(const FitReport& report, const std::vector<std::size_t>& groups) {
  DrawnOptima out{"best runs", groups, {}};
  for (const std::size_t g : groups) out.points.push_back(report.read.selected.groups[g].minimum.argmin());
  return out;
}

}  // namespace

DrawnOptima fitted_optima(const ScatteredLaw& law) {
  DrawnOptima out;
  out.what = fmt::format("optima, {} within {:g} %", name_of(law.surface.shape), 100.0 * law.choice.window);
  for (std::size_t i = 0; i < law.groups.size(); ++i) {
    const LocatedOptimum& located = law.surface.groups[i];
    if (located.defect != FitDefect::none) continue;
    out.groups.push_back(law.groups[i]);
    out.points.push_back(located.optimum);
  }
  return out;
}

DrawnOptima fitted_optima(const FitReport& report, std::size_t subset, const FitMethod& method) {
  const std::vector<std::size_t>& groups = report.fitted.subsets[subset].groups;
  const double per_cent = 100.0 * method.window;
  switch (method.estimator) {
    case LawEstimator::argmin:
      return best_runs(report, groups);
    case LawEstimator::kept_rows: {
      DrawnOptima out{fmt::format("means of runs within {:g} %", per_cent), groups, {}};
      for (const std::size_t g : groups) {
        const SelectedGroup& group = report.read.selected.groups[g];
        const RunMoments& near = group.moments[report.read.selected.window(method.window)];
        out.points.push_back({group.reference.x + near.u / near.n, group.reference.y + near.v / near.n});
      }
      return out;
    }
    case LawEstimator::quadratic:
    case LawEstimator::quadratic_weighted: {
      DrawnOptima out = of_surfaces(report, groups, method.window);
      out.what = fmt::format("optima, quadratic within {:g} %", per_cent);
      return out;
    }
    case LawEstimator::joint_surface:
    case LawEstimator::robust_surface:
      break;
  }
  DrawnOptima out = of_surfaces(report, groups, method.window);
  out.what = fmt::format("own surfaces within {:g} %, not fitted to", per_cent);
  if (!out.groups.empty()) return out;
  out = best_runs(report, groups);
  out.what += ", not fitted to";
  return out;
}

}  // namespace dfsweep::fit
