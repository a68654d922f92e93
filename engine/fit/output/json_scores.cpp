/// Scores, cross-validation and bootstraps as JSON.
#include <cmath>

#include "engine/fit/output/fit_tables.hpp"
#include "engine/fit/output/json.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

constexpr std::size_t first_replicates = 3;  ///< enough to check a random stream step by step

/// One list for each quantity.
void add_scores(const FitReport& report, std::span<const GroupScore> scores, JsonObject& json) {
  JsonArray rate, batch, nearest_rate, nearest_batch, nearest, bilinear, quad1, error_rate, error_batch;
  for (const GroupScore& score : scores) {
    const bool is_scored = std::isfinite(score.predicted.x);
    rate.emplace_back(std::exp(score.predicted.x));
    batch.emplace_back(std::exp(score.predicted.y));
    const std::size_t run = score.regret.nearest_run;
    nearest_rate.push_back(is_scored ? Json(report.read.grouped->learning_rate[run]) : Json(nullptr));
    nearest_batch.push_back(is_scored ? Json(report.read.grouped->batch_tokens[run]) : Json(nullptr));
    nearest.emplace_back(score.regret.nearest);
    bilinear.emplace_back(score.regret.bilinear);
    quad1.emplace_back(score.regret.quadratic);
    error_rate.emplace_back(score.error.x);
    error_batch.emplace_back(score.error.y);
  }
  json.emplace_back("learning_rate", std::move(rate));
  json.emplace_back("batch_tokens", std::move(batch));
  json.emplace_back("nearest_learning_rate", std::move(nearest_rate));
  json.emplace_back("nearest_batch_tokens", std::move(nearest_batch));
  json.emplace_back("regret_nearest", std::move(nearest));
  json.emplace_back("regret_bilinear", std::move(bilinear));
  json.emplace_back("regret_quad1", std::move(quad1));
  json.emplace_back("error_ln_learning_rate", std::move(error_rate));
  json.emplace_back("error_ln_batch_tokens", std::move(error_batch));
}

Json score_json(const FitReport& report, const ScoredLaw& law) {
  JsonObject summaries;
  for (const GroupSubset& subset : report.fitted.subsets) {
    std::vector<GroupScore> scores;
    for (const std::size_t g : subset.groups) scores.push_back(law.scores[g]);
    summaries.emplace_back(subset.name, score_summary_json(summarize(scores)));
  }
  JsonObject json{{"law", law.name}, {"summary", std::move(summaries)}};
  add_scores(report, law.scores, json);
  return json;
}

Json bootstrap_json(const FitReport& report, const BootstrapResult& result) {
  const auto names = coefficient_names(*result.form);
  JsonArray coefficients;
  for (std::size_t c = 0; c < result.width; ++c) {
    JsonObject json{{"target", names[c].first}, {"parameter", names[c].second}};
    for (auto& member : replicate_summary_json(result.summaries[c])) json.push_back(std::move(member));
    coefficients.emplace_back(std::move(json));
  }
  JsonArray first;
  for (std::size_t r = 0; r < std::min<std::size_t>(first_replicates, result.replicates()); ++r) {
    JsonArray one;
    for (std::size_t c = 0; c < result.width; ++c) one.emplace_back(result.coefficients[r * result.width + c]);
    first.emplace_back(std::move(one));
  }
  JsonArray predictions;
  for (const BootstrapPrediction& prediction : result.predictions)
    predictions.emplace_back(ensemble_json(prediction.scale, prediction.of_laws, report.settings.sequence_length));
  return JsonObject{{"family", report.fitted.subsets[result.subset].name},
                    {"form", result.form->name},
                    {"method", method_name(result.method)},
                    {"unit", result.unit == ResampleUnit::row ? "row" : "group"},
                    {"seed", report.settings.seed},
                    {"replicates", result.replicates()},
                    {"solved", static_cast<std::uint64_t>(result.summaries.front().count)},
                    {"coefficients", std::move(coefficients)},
                    {"first_replicates", std::move(first)},
                    {"predictions", std::move(predictions)}};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> coefficient_names(const LawForm& form) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [target, features] :
       {std::pair{"learning_rate", form.learning_rate}, std::pair{"batch_tokens", form.batch_tokens}}) {
    names.emplace_back(target, "intercept");
    for (std::size_t f = 0; f < law_feature_count; ++f)
      if (features.has(static_cast<LawFeature>(f))) names.emplace_back(target, law_feature_names[f]);
  }
  return names;
}

JsonObject replicate_summary_json(const ReplicateSummary& summary) {
  return {{"mean", summary.mean},     {"sd", summary.sd},   {"q2_5", summary.q2_5},  {"q16", summary.q16},
          {"median", summary.median}, {"q84", summary.q84}, {"q97_5", summary.q97_5}};
}

JsonObject ensemble_json(const TrainingScale& scale, const EnsemblePrediction& laws, double sequence_length) {
  JsonObject json = scale_json(scale);
  const double tokens = std::exp(laws.of_mean_coefficients.y);
  json.emplace_back("learning_rate", std::exp(laws.of_mean_coefficients.x));
  json.emplace_back("batch_tokens", tokens);
  json.emplace_back("batch_sequences", tokens / sequence_length);
  json.emplace_back("learning_rate_interval", replicate_summary_json(laws.learning_rate));
  json.emplace_back("batch_tokens_interval", replicate_summary_json(laws.batch_tokens));
  json.emplace_back("correlation", laws.correlation);
  return json;
}

JsonObject score_summary_json(const ScoreSummary& summary) {
  return {{"groups", summary.groups},
          {"nearest_mean", summary.nearest_mean},
          {"nearest_max", summary.nearest_max},
          {"bilinear_mean", summary.bilinear_mean},
          {"bilinear_max", summary.bilinear_max},
          {"quad1_mean", summary.quadratic_mean},
          {"quad1_max", summary.quadratic_max},
          {"rms_error_ln_learning_rate", summary.rms_error_x},
          {"rms_error_ln_batch_tokens", summary.rms_error_y}};
}

Json scores_json(const FitReport& report) {
  if (!report.judged.scoring) return JsonObject{};
  const std::vector<std::string> names = group_names(report);
  JsonArray laws;
  for (const ScoredLaw& law : report.judged.published) laws.push_back(score_json(report, law));
  for (const ScoredLaw& law : report.judged.scored_fits) laws.push_back(score_json(report, law));
  return JsonObject{{"groups", JsonArray(names.begin(), names.end())}, {"laws", std::move(laws)}};
}

Json validation_json(const FitReport& report) {
  const std::vector<std::string> names = group_names(report);
  JsonArray all;
  for (const CrossValidation& each : report.judged.validation) {
    JsonArray groups;
    for (const GroupScore& score : each.scores) groups.emplace_back(names[score.group]);
    JsonObject json{{"family", report.fitted.subsets[each.subset].name},
                    {"form", each.form->name},
                    {"method", method_name(each.method)},
                    {"split", each.split},
                    {"summary", score_summary_json(summarize(each.scores))},
                    {"groups", std::move(groups)}};
    add_scores(report, each.scores, json);
    all.emplace_back(std::move(json));
  }
  return all;
}

Json bootstraps_json(const FitReport& report) {
  JsonArray all;
  for (const BootstrapResult& result : report.predicted.bootstraps) all.push_back(bootstrap_json(report, result));
  return all;
}

}  // namespace dfsweep::fit
