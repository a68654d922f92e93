/// Scores, resamples and the plateau as tables and sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "engine/fit/output/text.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

template <typename Wanted>
const CrossValidation* validation_of(const FitReport& report, const SubsetFit& fit, Wanted wanted) {
  for (const CrossValidation& each : report.judged.validation)
    if (each.subset == fit.subset && *each.form == fit.fit.form && each.method == fit.fit.method && wanted(each))
      return &each;
  return nullptr;
}

auto by_split(std::string_view split) {
  return [split](const CrossValidation& each) { return each.split == split; };
}

/// Laws fitted to all groups that deserve a line: one per form, and the estimators of the usual ones.
bool deserves_score(const FitReport& report, const SubsetFit& each) {
  if (each.subset + 1 != report.fitted.subsets.size() || each.fit.defect != FitDefect::none) return false;
  const FitMethod kept{LawEstimator::kept_rows, report.settings.threshold};
  const FitMethod weighted{LawEstimator::quadratic_weighted, 0.01};
  const FitMethod joint{LawEstimator::joint_surface, 0.01};
  const bool is_usual =
      each.fit.form.name == "step" || each.fit.form.name == "step_full" || each.fit.form.name == "unified";
  return each.fit.method == kept || (is_usual && (each.fit.method == weighted || each.fit.method == joint));
}

/// A law of the table of scores; published laws have no fit.
struct ScoredRow {
  const ScoredLaw* law;
  const SubsetFit* fit = nullptr;
};

/// What fits of the law cost on groups left out of them; NaN where that was not tried, nothing for published laws.
std::optional<double> left_out(const FitReport& report, const ScoredRow& row, double ScoreSummary::*mean) {
  if (row.fit == nullptr) return std::nullopt;
  const CrossValidation* found = validation_of(report, *row.fit, std::mem_fn(&CrossValidation::covers_every_group));
  return found == nullptr ? NAN : summarize(found->scores).*mean;
}

double on_split(const FitReport& report, const SubsetFit& fit, std::string_view split) {
  const CrossValidation* found = validation_of(report, fit, by_split(split));
  return found == nullptr ? NAN : summarize(found->scores).nearest_mean;
}

/// Means over groups, of published laws and of those fitted laws that deserve a line.
DataTable mean_regrets_table(const FitReport& report) {
  std::vector<ScoredRow> rows;
  for (const ScoredLaw& law : report.judged.published) rows.push_back({&law});
  for (std::size_t f = 0; f < report.fitted.fits.size(); ++f)
    if (deserves_score(report, report.fitted.fits[f]))
      rows.push_back({&report.judged.scored_fits[f], &report.fitted.fits[f]});
  const auto mean = [](const GroupSubset& subset, double ScoreSummary::*of) {
    return
        [&subset, of](const ScoredRow& row) { return subset.groups.empty() ? NAN : summary_of(*row.law, subset).*of; };
  };
  const auto mean_left_out = [&report](double ScoreSummary::*of) {
    return [&report, of](const ScoredRow& row) { return left_out(report, row, of); };
  };
  TableOf<ScoredRow> table("mean_regrets", "mean regrets of laws over groups", std::move(rows));
  table.view("law", [](const ScoredRow& row) { return row.law->name; });
  for (const GroupSubset& subset : report.fitted.subsets)
    table.view(subset.name, mean(subset, &ScoreSummary::nearest_mean));
  const GroupSubset& whole = report.fitted.subsets.back();
  table.view("bilinear", mean(whole, &ScoreSummary::bilinear_mean))
      .view("quad1", mean(whole, &ScoreSummary::quadratic_mean))
      .view("left_out", mean_left_out(&ScoreSummary::nearest_mean))
      .view("left_out_bilinear", mean_left_out(&ScoreSummary::bilinear_mean))
      .view("left_out_quad1", mean_left_out(&ScoreSummary::quadratic_mean))
      .view("dense_to_moe", [&report](const ScoredRow& row) {
        return row.fit == nullptr ? std::nullopt : std::optional(on_split(report, *row.fit, "dense_to_moe"));
      });
  return table.take();
}

std::string extrapolation_text(const FitReport& report, const Terminal& terminal) {
  std::vector<std::string> splits;
  for (const CrossValidation& each : report.judged.validation)
    if (!each.covers_every_group() && each.split != "dense_to_moe" &&
        std::find(splits.begin(), splits.end(), each.split) == splits.end())
      splits.push_back(each.split);
  if (splits.empty()) return {};
  std::vector<SubsetFit> fits;
  for (const SubsetFit& fit : report.fitted.fits)
    if (deserves_score(report, fit)) fits.push_back(fit);
  TableOf<SubsetFit> table("extrapolation", "mean regrets on groups left out together", std::move(fits));
  table.view("law", [&report](const SubsetFit& fit) { return fit.name(report.fitted.subsets); });
  std::vector<ShownColumn> view = {{"law", "law", 9}};
  for (const std::string& split : splits) {
    table.view(split, [&report, &split](const SubsetFit& fit) { return on_split(report, fit, split); });
    view.push_back({split, split, 5, per_cent});
  }
  return section(terminal, "extrapolation: mean regret (nearest run) on groups left out together",
                 view_text(table.take(), view, terminal));
}

}  // namespace

std::string scores_text(const FitReport& report, const Terminal& terminal) {
  if (!report.judged.scoring) return {};
  std::vector<ShownColumn> view = {{"law", "law", 9}};
  for (const GroupSubset& subset : report.fitted.subsets) view.push_back({subset.name, subset.name, 6, per_cent});
  const ShownColumn others[] = {
      {"bilinear", "bilinear", 4, per_cent},    {"quad1", "quad1", 3, per_cent},
      {"left_out", "left out", 8, per_cent},    {"left_out_bilinear", "bilinear", 4, per_cent},
      {"left_out_quad1", "quad1", 3, per_cent}, {"dense_to_moe", "dense to MoE", 5, per_cent}};
  view.insert(view.end(), std::begin(others), std::end(others));
  std::string text = view_text(mean_regrets_table(report), view, terminal);
  text += wrapped(
      "  mean loss over the group's least, minus 1, at what the law says: of the nearest run, interpolated, by "
      "the group's own surface; left out: the law fitted without the group, or without a tenth of the groups where "
      "they "
      "are more than 64. Below about 0.05 % the nearest run "
      "measures noise, and differences under 0.03 % say nothing",
      terminal, 2);
  return section(terminal, "what each law costs", text) + extrapolation_text(report, terminal);
}

std::string bootstraps_text(const FitReport& report, const Terminal& terminal) {
  const ShownColumn view[] = {{"law", "law", 9},
                              {"resampled", "resampled", 8},
                              {"parameters", "N", 7},
                              {"activated_parameters", "Na", 3},
                              {"train_tokens", "D", 7},
                              {"learning_rate", "lr", 9},
                              {"learning_rate_95", "95 %", 8},
                              {"batch_tokens", "tokens", 9, decimals(0)},
                              {"batch_tokens_95", "95 %", 8, decimals(0)},
                              {"batch_sequences", "sequences", 6, decimals(0)}};
  const std::size_t whole = report.fitted.subsets.size() - 1;  // --json has those of the others
  std::string text = view_text(bootstrap_predictions_table(report, whole), view, terminal);
  if (!text.empty())
    text += wrapped(
        "  percentiles of resampled laws. On few groups they do not cover what they claim: resampled rows treat groups "
        "as exact, resampled groups are too narrow. `--self-test` prints their coverage",
        terminal, 2);
  return section(terminal, "predictions of resampled laws", text);
}

std::string plateau_text(const FitReport& report, const Terminal& terminal) {
  std::string text;
  const SubsetCurvature& whole = report.fitted.curvatures.back();
  if (whole.common.is_known()) {
    const Hessian hessian = whole.common.surface.hessian();
    const Plateau flat = plateau(hessian, plateau_excess);
    const double rate_alone = std::sqrt(2.0 * std::log1p(plateau_excess) / hessian.xx);
    const double batch_alone = std::sqrt(2.0 * std::log1p(plateau_excess) / hessian.yy);
    text = wrapped(
        fmt::format(
            "  Any learning rate within a factor of {:.2g} of the optimum costs at most {:.2g} % at the best batch, "
            "any batch within a factor of {:.2g} at the best learning rate; together along the ridge up to "
            "factors of {:.2g} and {:.2g}. The ridge: where the batch is doubled, the best learning rate grows by "
            "a factor of {:.3g}; loss rises least along d ln B / d ln lr = {:.3g}.",
            std::exp(rate_alone), 100.0 * plateau_excess, std::exp(batch_alone), std::exp(flat.half_width_x),
            std::exp(flat.half_width_y), std::exp(-hessian.xy / hessian.xx * std::numbers::ln2), ridge_slope(hessian)),
        terminal, 2);
    text += wrapped(fmt::format("  Curvature of ln L at the optimum, shared by the {} groups about an optimum of each: "
                                "{:.4g}, {:.4g}, {:.4g} (lr lr, lr B, B B), from a {} shape within {:g} %.",
                                report.fitted.subsets[whole.subset].name, hessian.xx, hessian.xy, hessian.yy,
                                name_of(whole.common.surface.shape), 100.0 * whole.common.window),
                    terminal, 2);
  }
  return section(terminal, "plateau", text);
}

}  // namespace dfsweep::fit
