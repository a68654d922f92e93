/// The input, the groups, their surfaces and the fitted laws as JSON.
#include "engine/fit/output/json.hpp"

#include <algorithm>
#include <cmath>

#include "io/number_format.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

constexpr double plateau_excesses[] = {0.00125, 0.0025, 0.005};

JsonObject target_json(const TargetFit& fit, FeatureSet features) {
  JsonObject json{{"n", fit.n}, {"residual_sd", fit.residual_sd}};
  json.emplace_back("coefficients", power_law_json(fit.law, features));
  json.emplace_back("standard_errors", power_law_json(fit.standard_error, features));
  return json;
}

JsonObject surface_json(const QuadraticSurface& surface) {
  const Eigenvalues eigen = eigenvalues(surface.hessian);
  JsonObject json{{"n", surface.n},
                  {"x_center", surface.centre.x},
                  {"y_center", surface.centre.y},
                  {"c0", surface.c0},
                  {"cx", surface.cx},
                  {"cy", surface.cy},
                  {"cxx", surface.cxx},
                  {"cxy", surface.cxy},
                  {"cyy", surface.cyy},
                  {"rms", surface.rms},
                  {"eigenvalue_low", eigen.low},
                  {"eigenvalue_high", eigen.high},
                  {"optimal_learning_rate", std::exp(surface.optimum.x)},
                  {"optimal_batch_tokens", std::exp(surface.optimum.y)},
                  {"min_loss", std::exp(surface.minimum)},
                  {"ridge_slope", ridge_slope(surface.hessian)},
                  {"inside_grid", surface.inside_grid}};
  JsonArray plateaus;
  for (const double excess : plateau_excesses) {
    JsonObject one{{"loss_excess", excess}};
    if (surface.hessian.positive_definite()) {
      const Plateau shape = plateau(surface.hessian, excess);
      one.emplace_back("half_width_ln_learning_rate", shape.half_width_x);
      one.emplace_back("half_width_ln_batch_tokens", shape.half_width_y);
      one.emplace_back("area", shape.area);
    }
    plateaus.emplace_back(std::move(one));
  }
  json.emplace_back("plateaus", std::move(plateaus));
  return json;
}

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

/// What only single runs tell of a group.
void add_single_run_facts(const FitReport& report, std::size_t g, JsonObject& json) {
  const RunGroup& group = report.read.grouped->groups[g];
  std::size_t far = 0;
  for (std::size_t r = group.begin; r < group.end; ++r) far += report.read.grouped->rel[r] > diverged_rel ? 1 : 0;
  const GroupGrid& grid = report.judged.scoring->grids[g];
  constexpr double noise = 6e-4;
  const Unimodality lines = unimodality(grid, 2.0 * noise);
  json.emplace_back("distinct_learning_rates", grid.distinct_x().size());
  json.emplace_back("distinct_batches", grid.distinct_y().size());
  json.emplace_back("diverged_share", static_cast<double>(far) / static_cast<double>(group.end - group.begin));
  json.emplace_back("grid_lines", lines.lines);
  json.emplace_back("grid_lines_with_one_valley", lines.unimodal);
}

}  // namespace

JsonObject scale_json(const TrainingScale& scale) {
  return {{"parameters", scale.parameters},
          {"activated_parameters", scale.activated_parameters},
          {"train_tokens", scale.train_tokens}};
}

JsonObject power_law_json(const PowerLaw& law, FeatureSet features) {
  JsonObject json{{"intercept", law.intercept}};
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f))) json.emplace_back(std::string(law_feature_names[f]), law.exponent[f]);
  return json;
}

std::vector<std::string> group_names(const FitReport& report) {
  std::vector<std::string> names;
  for (const SelectedGroup& group : report.read.selected.groups)
    names.push_back(group_name(group.key, report.read.recipes));
  return names;
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

Json groups_json(const FitReport& report) {
  JsonArray groups;
  const std::size_t threshold = report.read.selected.window(report.settings.threshold);
  for (std::size_t g = 0; g < report.read.selected.groups.size(); ++g) {
    const SelectedGroup& group = report.read.selected.groups[g];
    const GroupMinimum& minimum = group.minimum;
    JsonObject json{{"group", group_name(group.key, report.read.recipes)},
                    {"family", group.key.family == RunFamily::dense ? "dense" : "moe"},
                    {"recipe", report.read.recipes[group.key.recipe].name},
                    {"parameters", group.scale.parameters},
                    {"activated_parameters", group.scale.activated_parameters},
                    {"train_tokens", group.scale.train_tokens},
                    {"flops_per_token", group.scale.flops_per_token},
                    {"runs", static_cast<std::uint64_t>(minimum.runs)},
                    {"argmin_learning_rate", minimum.learning_rate},
                    {"argmin_batch_tokens", minimum.batch_tokens},
                    {"argmin_batch_sequences", minimum.batch_tokens / report.settings.sequence_length},
                    {"min_loss", minimum.loss},
                    {"second_best_rel", minimum.second_loss / minimum.loss - 1.0}};
    JsonObject kept;
    for (std::size_t w = 0; w < report.read.selected.windows.size(); ++w)
      kept.emplace_back(shortest(report.read.selected.windows[w]), static_cast<std::uint64_t>(group.moments[w].n));
    json.emplace_back("runs_within", std::move(kept));
    const RunMoments& near = group.moments[threshold];
    json.emplace_back("kept_mean_learning_rate", std::exp(group.reference.x + near.u / near.n));
    json.emplace_back("kept_mean_batch_tokens", std::exp(group.reference.y + near.v / near.n));
    if (report.read.grouped) add_single_run_facts(report, g, json);
    groups.emplace_back(std::move(json));
  }
  return groups;
}

Json surfaces_json(const FitReport& report) {
  const std::vector<std::string> names = group_names(report);
  JsonArray all;
  for (const auto& [window, surfaces] : report.fitted.surfaces)
    for (std::size_t g = 0; g < surfaces.size(); ++g) {
      JsonObject json{{"group", names[g]}, {"window", window}, {"defect", describe(surfaces[g].defect)}};
      for (auto& member : surface_json(surfaces[g])) json.push_back(std::move(member));
      all.emplace_back(std::move(json));
    }
  return all;
}

Json fits_json(const FitReport& report) {
  JsonArray fits;
  for (const SubsetFit& each : report.fitted.fits)
    fits.emplace_back(JsonObject{{"law", each.name(report.fitted.subsets)},
                                 {"family", report.fitted.subsets[each.subset].name},
                                 {"form", each.fit.form.name},
                                 {"method", method_name(each.fit.method)},
                                 {"defect", describe(each.fit.defect)},
                                 {"learning_rate", target_json(each.fit.learning_rate, each.fit.form.learning_rate)},
                                 {"batch_tokens", target_json(each.fit.batch_tokens, each.fit.form.batch_tokens)}});
  return fits;
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
                    {"groups", groups_json(report)},
                    {"surfaces", surfaces_json(report)},
                    {"fits", fits_json(report)},
                    {"joint_surfaces", std::move(joint)},
                    {"scores", scores_json(report)},
                    {"cross_validation", validation_json(report)},
                    {"bootstraps", bootstraps_json(report)},
                    {"loss_laws", loss_laws_json(report)},
                    {"warnings", std::move(warnings)}};
}

}  // namespace dfsweep::fit
