/// A fit as JSON: the input, and the tables put together.
#include "engine/fit/output/json.hpp"
#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

JsonObject joint_surface_json(const FitReport& report, const SubsetSurface& each) {
  const JointSurface& surface = each.surface;
  JsonObject json{{"family", report.fitted.subsets[each.subset].name},
                  {"window", each.window},
                  {"defect", describe(surface.defect)},
                  {"n", surface.n},
                  {"learning_rate", power_law_json(surface.law.learning_rate, each.features)},
                  {"batch_tokens", power_law_json(surface.law.batch_tokens, each.features)},
                  {"hessian", JsonArray{surface.hessian.xx, surface.hessian.xy, surface.hessian.yy}},
                  {"rss", surface.rss},
                  {"residual_sd", surface.residual_sd}};
  return json;
}

}  // namespace

JsonObject power_law_json(const PowerLaw& law, FeatureSet features) {
  JsonObject json{{"intercept", law.intercept}};
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f))) json.emplace_back(std::string(law_feature_names[f]), law.exponent[f]);
  return json;
}

Json input_json(const FitReport& report, const FitInput& from) {
  JsonArray files;
  for (const auto& file : from.input.files())
    files.emplace_back(JsonObject{{"file", file->name()}, {"columns", file->digest()}});
  JsonObject defects;
  for (std::size_t kind = 0; kind < run_defect_count; ++kind) {
    const auto defect = static_cast<RunDefect>(kind);
    defects.emplace_back(std::string(name_of(defect)), JsonObject{{"count", from.findings.counts[kind]},
                                                                  {"set_aside", is_set_aside(defect)},
                                                                  {"meaning", meaning_of(defect)}});
  }
  JsonArray named;
  const LineNumbers lines(from.input, from.findings);
  for (const DefectiveRun& run : from.findings.named())
    named.emplace_back(
        JsonObject{{"place", lines.place(run.place)}, {"defect", name_of(run.defect)}, {"detail", run.detail}});
  double runs = 0.0;
  for (const SelectedGroup& group : report.read.selected.groups) runs += group.minimum.runs;
  return JsonObject{{"files", std::move(files)},
                    {"runs", static_cast<std::uint64_t>(runs)},
                    {"groups", report.read.selected.groups.size()},
                    {"set_aside", from.findings.set_aside()},
                    {"mode", report.read.grouped ? "single runs" : "sums per group"},
                    {"defects", std::move(defects)},
                    {"named", std::move(named)}};
}

Json surfaces_json(const FitReport& report) {
  JsonArray all = rows_json(surfaces_table(report));
  nest(all, "plateaus", plateaus_table(report));
  return all;
}

Json loss_laws_json(const FitReport& report) {
  JsonArray all;
  for (const LossLawResult& each : report.fitted.loss_laws) {
    JsonArray held_out;
    for (const auto& [group, error] : each.held_out)
      held_out.emplace_back(
          JsonObject{{"group", group_name(report.read.selected.groups[group].key, report.read.recipes)},
                     {"relative_error", error}});
    all.emplace_back(JsonObject{{"target", each.target},
                                {"subset", each.subset},
                                {"defect", describe(each.fit.defect)},
                                {"E", each.fit.law.irreducible},
                                {"lnA", each.fit.law.ln_a},
                                {"lnB", each.fit.law.ln_b},
                                {"alpha", each.fit.law.alpha},
                                {"beta", each.fit.law.beta},
                                {"objective", each.fit.objective},
                                {"max_relative_residual", each.fit.max_residual},
                                {"rms_relative_residual", each.fit.rms_residual},
                                {"E_low", each.fit.irreducible_low},
                                {"E_high", each.fit.irreducible_high},
                                {"identifiable", each.fit.identifiable},
                                {"held_out", std::move(held_out)}});
  }
  return all;
}

Json curvatures_json(const FitReport& report) {
  JsonArray all;
  for (const SubsetCurvature& each : report.fitted.curvatures) {
    const Hessian hessian = each.common.surface.hessian();
    all.emplace_back(JsonObject{{"family", report.fitted.subsets[each.subset].name},
                                {"defect", describe(each.common.surface.defect)},
                                {"shape", name_of(each.common.surface.shape)},
                                {"window", each.common.window},
                                {"runs", each.common.surface.n},
                                {"curvature_xx", hessian.xx},
                                {"curvature_xy", hessian.xy},
                                {"curvature_yy", hessian.yy}});
  }
  return all;
}

Json fit_json(const FitReport& report, const FitInput& from) {
  JsonArray joint;
  for (const SubsetSurface& each : report.fitted.joint_surfaces) joint.emplace_back(joint_surface_json(report, each));
  JsonArray warnings(report.warnings.begin(), report.warnings.end());
  return JsonObject{{"format", "dfsweep steplaw fit"},
                    {"format_version", 1},
                    {"input", input_json(report, from)},
                    {"settings", JsonObject{{"threshold", report.settings.threshold},
                                            {"seed", report.settings.seed},
                                            {"replicates", report.settings.replicates},
                                            {"sequence_length", report.settings.sequence_length}}},
                    {"recommended", recommended_json(report)},
                    {"groups", rows_json(groups_table(report))},
                    {"surfaces", surfaces_json(report)},
                    {"fits", rows_json(fits_table(report, report.fitted.fits))},
                    {"joint_surfaces", std::move(joint)},
                    {"curvatures", curvatures_json(report)},
                    {"scores", scores_json(report)},
                    {"cross_validation", validation_json(report)},
                    {"bootstraps", bootstraps_json(report)},
                    {"loss_laws", loss_laws_json(report)},
                    {"compute_optimal", rows_json(frontier_table(report))},
                    {"batch_times", rows_json(batch_times_table(report))},
                    {"seed_noise", rows_json(seed_noise_table(report))},
                    {"seed_comparison", rows_json(seed_comparison_table(report))},
                    {"warnings", std::move(warnings)}};
}

Json parameter_sets_json(const ParameterSets& sets, double sequence_length) {
  return JsonObject{{"file", sets.file},
                    {"sets", sets.laws.size()},
                    {"coefficients", rows_json(parameter_set_coefficients_table(sets))},
                    {"predictions", rows_json(parameter_set_predictions_table(sets, sequence_length))}};
}

}  // namespace dfsweep::fit
