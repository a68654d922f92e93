/// The recommended law, its intervals and the next runs as JSON.
#include <cmath>

#include "engine/steplaw/uncertainty.hpp"

namespace dfsweep {

namespace {

JsonObject scale_members(const TrainingScale& scale) {
  return {{"parameters", scale.parameters},
          {"activated_parameters", scale.activated_parameters},
          {"train_tokens", scale.train_tokens}};
}

Json power_law(const PowerLaw& law, FeatureSet features) {
  JsonObject json{{"intercept", law.intercept}};
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f))) json.emplace_back(std::string(law_feature_names[f]), law.exponent[f]);
  return json;
}

Json scores(const ScoreSummary& summary) {
  return JsonObject{{"groups", summary.groups},
                    {"nearest_mean", summary.nearest_mean},
                    {"bilinear_mean", summary.bilinear_mean},
                    {"quad1_mean", summary.quadratic_mean},
                    {"nearest_max", summary.nearest_max}};
}

JsonObject candidate_members(const LawCandidate& candidate) {
  return {{"form", std::string(candidate.form.name)}, {"method", method_name(candidate.method)}};
}

Json recommended_json(const RecommendedLaw& law) {
  JsonObject json = candidate_members({law.fit.form, law.fit.method});
  json.emplace_back("learning_rate", power_law(law.fit.learning_rate.law, law.fit.form.learning_rate));
  json.emplace_back("batch_tokens", power_law(law.fit.batch_tokens.law, law.fit.form.batch_tokens));
  json.emplace_back("leave_one_group_out", scores(law.left_out));
  JsonArray candidates;
  for (const auto& [candidate, summary] : law.candidates) {
    JsonObject each = candidate_members(candidate);
    each.emplace_back("leave_one_group_out", scores(summary));
    candidates.push_back(std::move(each));
  }
  JsonArray judged;
  for (const JudgedGroup& each : law.judged) {
    JsonObject group = candidate_members(law.candidates[each.candidate].first);
    group.emplace_back("group", each.score.group);
    group.emplace_back("regret_nearest", each.score.regret.nearest);
    group.emplace_back("regret_bilinear", each.score.regret.bilinear);
    group.emplace_back("regret_quad1", each.score.regret.quadratic);
    judged.push_back(std::move(group));
  }
  json.emplace_back("rule_on_unseen_groups",
                    JsonObject{{"summary", scores(law.judged_summary)}, {"groups", std::move(judged)}});
  json.emplace_back("gain_over_published", JsonObject{{"mean", law.gain.mean},
                                                      {"low", law.gain.interval.low},
                                                      {"high", law.gain.interval.high},
                                                      {"claimed", law.gain.is_claimed()}});
  if (law.dense_choice) {
    JsonObject transfer = candidate_members(*law.dense_choice);
    transfer.emplace_back("moe_groups", scores(law.dense_to_moe));
    json.emplace_back("dense_to_moe", std::move(transfer));
  }
  json.emplace_back("candidates", std::move(candidates));
  return json;
}

Json effect_json(const EffectPrediction& each) {
  return JsonObject{{"ln", each.value},
                    {"standard_error", each.standard_error},
                    {"degrees_of_freedom", each.degrees},
                    {"value", std::exp(each.value)},
                    {"low", std::exp(each.interval.low)},
                    {"high", std::exp(each.interval.high)},
                    {"one_group_low", std::exp(each.of_one_group.low)},
                    {"one_group_high", std::exp(each.of_one_group.high)}};
}

Json random_effect_json(const RandomEffectLaw& law) {
  return JsonObject{{"coefficients", power_law(law.law, law.features)},
                    {"standard_errors", power_law(law.standard_error, law.features)},
                    {"groups", law.groups},
                    {"degrees_of_freedom", law.degrees},
                    {"between_groups_sd", law.between_sd},
                    {"scale", law.scale},
                    {"heterogeneity", law.heterogeneity}};
}

Json prediction_json(const ScalePrediction& prediction, double sequence_length) {
  JsonObject json = scale_members(prediction.scale);
  json.emplace_back("recommended_learning_rate", std::exp(prediction.recommended.x));
  json.emplace_back("recommended_batch_tokens", std::exp(prediction.recommended.y));
  json.emplace_back("recommended_batch_sequences", std::exp(prediction.recommended.y) / sequence_length);
  json.emplace_back("learning_rate", effect_json(prediction.interval[0]));
  json.emplace_back("batch_tokens", effect_json(prediction.interval[1]));
  JsonArray rows;
  for (const SensitivityRow& row : prediction.sensitivity) {
    const bool is_cubic = row.choice.shape == SurfaceShape::cubic;
    rows.push_back(JsonObject{{"window", row.choice.window},
                              {"shape", is_cubic ? "cubic" : "quadratic"},
                              {"defect", std::string(describe(row.defect))},
                              {"learning_rate", effect_json(row.prediction[0])},
                              {"batch_tokens", effect_json(row.prediction[1])},
                              {"between_groups_sd", JsonArray{row.between_sd[0], row.between_sd[1]}}});
  }
  json.emplace_back("sensitivity", std::move(rows));
  return json;
}

}  // namespace

Json uncertainty_json(const Uncertainty& uncertainty) {
  const ScatteredLaw& law = uncertainty.law;
  JsonObject json;
  if (uncertainty.recommended) json.emplace_back("recommended", recommended_json(*uncertainty.recommended));
  JsonObject effect{{"form", std::string(law.form.name)},
                    {"defect", std::string(describe(law.defect))},
                    {"window", law.choice.window},
                    {"shape", law.choice.shape == SurfaceShape::cubic ? "cubic" : "quadratic"},
                    {"interval", std::string(name_of(recommended_interval))},
                    {"confidence", uncertainty.settings.confidence}};
  if (law.defect == FitDefect::none) {
    effect.emplace_back("learning_rate", random_effect_json(law.learning_rate));
    effect.emplace_back("batch_tokens", random_effect_json(law.batch_tokens));
    if (uncertainty.left_out.groups > 0) effect.emplace_back("leave_one_group_out", scores(uncertainty.left_out));
  }
  json.emplace_back("random_effect", std::move(effect));
  JsonArray predictions;
  for (const ScalePrediction& each : uncertainty.predictions)
    predictions.push_back(prediction_json(each, uncertainty.settings.sequence_length));
  json.emplace_back("predictions", std::move(predictions));
  JsonArray next;
  for (const NextGroup& each : uncertainty.next) {
    JsonObject group = scale_members(each.scale);
    group.emplace_back("width_ratio_learning_rate", each.width_ratio[0]);
    group.emplace_back("width_ratio_batch_tokens", each.width_ratio[1]);
    group.emplace_back("flop_per_run", each.run_flop);
    next.push_back(std::move(group));
  }
  json.emplace_back("next_groups", std::move(next));
  return json;
}

}  // namespace dfsweep
