/// Warnings: each says what was seen and what follows.
#include "engine/fit/report/make_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "io/number_format.hpp"
#include "io/suggestion.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr std::size_t most_group_names = 5;
constexpr std::size_t most_law_names = 4;
constexpr double few_groups = 8.0;

/// "a, b and 3 more".
std::string names_of(const FitReport& report, const std::vector<std::size_t>& groups) {
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), most_group_names); ++i)
    text += (i > 0 ? ", " : "") + group_name(report.read.selected.groups[groups[i]].key, report.read.recipes);
  if (groups.size() > most_group_names) text += fmt::format(" and {} more", groups.size() - most_group_names);
  return text;
}

void warn_about_surfaces(const FitReport& report, std::vector<std::string>& warnings) {
  for (const auto& [window, surfaces] : report.fitted.surfaces) {
    std::map<FitDefect, std::vector<std::size_t>> defective;
    for (std::size_t g = 0; g < surfaces.size(); ++g)
      if (surfaces[g].defect != FitDefect::none) defective[surfaces[g].defect].push_back(g);
    for (const auto& [defect, groups] : defective)
      warnings.push_back(fmt::format("surface within {:g} %: {} of {} groups left out, {}: {}", 100.0 * window,
                                     groups.size(), surfaces.size(), describe(defect), names_of(report, groups)));
  }
}

void warn_about_edges(const FitReport& report, std::vector<std::string>& warnings) {
  std::vector<std::size_t> at_edge;
  for (std::size_t g = 0; g < report.read.selected.groups.size(); ++g) {
    const SelectedGroup& group = report.read.selected.groups[g];
    const LogPoint best = group.minimum.argmin();
    if (best.x == group.box.x_low || best.x == group.box.x_high || best.y == group.box.y_low ||
        best.y == group.box.y_high)
      at_edge.push_back(g);
  }
  if (!at_edge.empty())
    warnings.push_back(
        fmt::format("the best run is on the edge of the grid in {} of {} groups: {}. The optimum may lie "
                    "outside; run beyond the edge to find out",
                    at_edge.size(), report.read.selected.groups.size(), names_of(report, at_edge)));
}

void warn_about_design(const FitReport& report, std::vector<std::string>& warnings) {
  for (const GroupSubset& subset : report.fitted.subsets) {
    std::set<double> parameters;
    std::set<double> tokens;
    for (const std::size_t g : subset.groups) {
      parameters.insert(report.read.selected.groups[g].scale.parameters);
      tokens.insert(report.read.selected.groups[g].scale.train_tokens);
    }
    if (static_cast<double>(subset.groups.size()) < few_groups)
      warnings.push_back(fmt::format("{}: only {}; exponents of N and D are determined by the groups, not by the runs",
                                     subset.name, counted(subset.groups.size(), "group")));
    const double spread = parameters.empty() ? 1.0 : *parameters.rbegin() / *parameters.begin();
    constexpr double least_spread = 1.5;
    if (spread < least_spread)
      warnings.push_back(
          fmt::format("{}: N varies only by a factor of {:.4g}; these runs alone do not determine an exponent of N",
                      subset.name, spread));
  }
}

void warn_about_fits(const FitReport& report, std::vector<std::string>& warnings) {
  std::map<FitDefect, std::vector<std::string>> defective;
  std::size_t laws = 0;
  for (const SubsetFit& each : report.fitted.fits) {
    if (report.fitted.subsets[each.subset].name == "moe") continue;
    ++laws;
    if (each.fit.defect != FitDefect::none) defective[each.fit.defect].push_back(each.name(report.fitted.subsets));
  }
  for (const auto& [defect, names] : defective)
    warnings.push_back(fmt::format("{} of {} laws could not be fitted, {}: {}", names.size(), laws, describe(defect),
                                   listed(names, most_law_names)));
}

void warn_about_loss_law(const FitReport& report, std::vector<std::string>& warnings) {
  for (const LossLawResult& each : report.fitted.loss_laws)
    if (each.subset == "dense" && each.fit.defect == FitDefect::none && !each.fit.identifiable)
      warnings.push_back(
          fmt::format("loss law through {}: E between {:.3g} and {:.3g} fits about as well, so E, A and alpha are not "
                      "determined; compare predictions, not parameters",
                      each.target, each.fit.irreducible_low, each.fit.irreducible_high));
}

void warn_about_resamples(const FitReport& report, std::vector<std::string>& warnings) {
  std::uint64_t least = report.settings.replicates;
  for (const BootstrapResult& each : report.predicted.bootstraps) least = std::min(least, each.replicates());
  if (least < report.settings.replicates)
    warnings.push_back(fmt::format("to limit the time, some bootstraps have {} replicates instead of {}", least,
                                   report.settings.replicates));
}

}  // namespace

std::vector<std::string> warnings_of(const FitReport& report) {
  std::vector<std::string> warnings;
  warn_about_design(report, warnings);
  warn_about_edges(report, warnings);
  warn_about_surfaces(report, warnings);
  warn_about_fits(report, warnings);
  warn_about_loss_law(report, warnings);
  warn_about_resamples(report, warnings);
  return warnings;
}

}  // namespace dfsweep::fit
