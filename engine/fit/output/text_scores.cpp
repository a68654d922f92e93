/// Scores, resamples and the plateau as tables and sentences.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "engine/fit/output/text.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

double mean_regret(const std::vector<GroupScore>& scores, std::span<const std::size_t> groups, double Regret::*count) {
  double sum = 0.0;
  for (const std::size_t g : groups) sum += scores[g].regret.*count;
  return groups.empty() ? NAN : sum / static_cast<double>(groups.size());
}

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

std::vector<std::string> score_cells(const FitReport& report, const ScoredLaw& law) {
  std::vector<std::string> cells{law.name};
  for (const GroupSubset& subset : report.fitted.subsets)
    cells.push_back(per_cent(mean_regret(law.scores, subset.groups, &Regret::nearest)));
  cells.push_back(per_cent(mean_regret(law.scores, report.fitted.subsets.back().groups, &Regret::bilinear)));
  cells.push_back(per_cent(mean_regret(law.scores, report.fitted.subsets.back().groups, &Regret::quadratic)));
  return cells;
}

void add_validation(const FitReport& report, const SubsetFit& fit, std::vector<std::string>& cells) {
  const CrossValidation* left_out = validation_of(report, fit, std::mem_fn(&CrossValidation::covers_every_group));
  const ScoreSummary summary = left_out == nullptr ? ScoreSummary{} : summarize(left_out->scores);
  for (const double value : {summary.nearest_mean, summary.bilinear_mean, summary.quadratic_mean})
    cells.push_back(left_out == nullptr ? "-" : per_cent(value));
  const CrossValidation* transfer = validation_of(report, fit, by_split("dense_to_moe"));
  cells.push_back(transfer == nullptr ? "-" : per_cent(summarize(transfer->scores).nearest_mean));
}

std::string extrapolation_text(const FitReport& report, const Terminal& terminal) {
  std::vector<std::string> splits;
  for (const CrossValidation& each : report.judged.validation)
    if (!each.covers_every_group() && each.split != "dense_to_moe" &&
        std::find(splits.begin(), splits.end(), each.split) == splits.end())
      splits.push_back(each.split);
  if (splits.empty()) return {};
  TableBuilder table;
  table.column("law", Align::left, 9);
  for (const std::string& split : splits) table.column(split, Align::right, 5);
  for (const SubsetFit& fit : report.fitted.fits) {
    if (!deserves_score(report, fit)) continue;
    std::vector<std::string> cells{fit.name(report.fitted.subsets)};
    for (const std::string& split : splits) {
      const CrossValidation* each = validation_of(report, fit, by_split(split));
      cells.push_back(each == nullptr ? "-" : per_cent(summarize(each->scores).nearest_mean));
    }
    table.row(std::move(cells));
  }
  return section(terminal, "extrapolation: mean regret (nearest run) on groups left out together",
                 table.text(terminal));
}

}  // namespace

std::string scores_text(const FitReport& report, const Terminal& terminal) {
  if (!report.judged.scoring) return {};
  TableBuilder table;
  table.column("law", Align::left, 9);
  for (const GroupSubset& subset : report.fitted.subsets) table.column(subset.name, Align::right, 6);
  table.column("bilinear", Align::right, 4).column("quad1", Align::right, 3);
  table.column("left out", Align::right, 8).column("bilinear", Align::right, 4).column("quad1", Align::right, 3);
  table.column("dense to MoE", Align::right, 5);
  const std::vector<std::string> none(4, "");
  for (const ScoredLaw& law : report.judged.published) {
    std::vector<std::string> cells = score_cells(report, law);
    cells.insert(cells.end(), none.begin(), none.end());
    table.row(std::move(cells));
  }
  for (std::size_t f = 0; f < report.fitted.fits.size(); ++f) {
    if (!deserves_score(report, report.fitted.fits[f])) continue;
    std::vector<std::string> cells = score_cells(report, report.judged.scored_fits[f]);
    add_validation(report, report.fitted.fits[f], cells);
    table.row(std::move(cells));
  }
  std::string text = table.text(terminal);
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
  TableBuilder table;
  table.column("law", Align::left, 9)
      .column("resampled", Align::left, 8)
      .column("N", Align::right, 7)
      .column("Na", Align::right, 3)
      .column("D", Align::right, 7)
      .column("lr", Align::right, 9)
      .column("95 %", Align::left, 8)
      .column("tokens", Align::right, 9)
      .column("95 %", Align::left, 8)
      .column("sequences", Align::right, 6);
  for (const BootstrapResult& each : report.predicted.bootstraps) {
    if (each.subset + 1 != report.fitted.subsets.size()) continue;  // --json has those of the others
    for (const BootstrapPrediction& prediction : each.predictions) {
      const EnsemblePrediction& laws = prediction.of_laws;
      const double tokens = std::exp(laws.of_mean_coefficients.y);
      table.row(
          {fmt::format("{}/{}/{}", report.fitted.subsets[each.subset].name, each.form->name, method_name(each.method)),
           each.unit == ResampleUnit::row ? "rows" : "groups", count_text(prediction.scale.parameters),
           count_text(prediction.scale.activated_parameters), count_text(prediction.scale.train_tokens),
           shown(std::exp(laws.of_mean_coefficients.x)),
           fmt::format("{} .. {}", shown(laws.learning_rate.q2_5), shown(laws.learning_rate.q97_5)),
           fmt::format("{:.0f}", tokens),
           fmt::format("{:.0f} .. {:.0f}", laws.batch_tokens.q2_5, laws.batch_tokens.q97_5),
           fmt::format("{:.0f}", tokens / report.settings.sequence_length)});
    }
  }
  std::string text = table.text(terminal);
  if (!text.empty())
    text += wrapped(
        "  percentiles of resampled laws. On few groups they do not cover what they claim: resampled rows treat groups "
        "as exact, resampled groups are too narrow. `--self-test` prints their coverage",
        terminal, 2);
  return section(terminal, "predictions of resampled laws", text);
}

std::string plateau_text(const FitReport& report, const Terminal& terminal) {
  std::string text;
  for (const SubsetSurface& each : report.fitted.joint_surfaces) {
    const bool is_whole = each.subset + 1 == report.fitted.subsets.size();
    if (!is_whole || each.surface.defect != FitDefect::none || !each.surface.hessian.positive_definite()) continue;
    const Hessian& hessian = each.surface.hessian;
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
    text +=
        wrapped(fmt::format("  Curvature of ln L shared by the {} groups: {:.4g}, {:.4g}, {:.4g} (lr lr, lr B, B B).",
                            report.fitted.subsets[each.subset].name, hessian.xx, hessian.xy, hessian.yy),
                terminal, 2);
    break;
  }
  return section(terminal, "plateau", text);
}

}  // namespace dfsweep::fit
