/// The recommended law and its predictions as JSON.
#include "engine/fit/output/json.hpp"
#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

JsonObject random_effect_json(const RandomEffectLaw& law) {
  return {{"defect", describe(law.defect)},
          {"coefficients", power_law_json(law.law, law.features)},
          {"standard_errors", power_law_json(law.standard_error, law.features)},
          {"groups", law.groups},
          {"between_sd", law.between_sd},
          {"scale", law.scale},
          {"heterogeneity", law.heterogeneity}};
}

JsonObject gain_json(const PairedGain& gain) {
  return {{"mean", gain.mean},
          {"interval", JsonArray{gain.interval.low, gain.interval.high}},
          {"claimed", gain.is_claimed()}};
}

JsonObject range_json(const ScaleRange& range) {
  return {{"parameters", JsonArray{range.parameters.low, range.parameters.high}},
          {"activated_parameters", JsonArray{range.activated_parameters.low, range.activated_parameters.high}},
          {"train_tokens", JsonArray{range.train_tokens.low, range.train_tokens.high}}};
}

JsonObject candidate_json(const LawCandidate& candidate) {
  return {{"form", candidate.form.name}, {"method", method_name(candidate.method)}};
}

/// The law that costs least on groups left out, and how it was chosen and judged.
JsonObject cheapest_json(const FitReport& report, const RecommendedLaw& law) {
  JsonObject json{{"law", law.cheapest_name(report.fitted.subsets)},
                  {"form", law.candidate.form.name},
                  {"method", method_name(law.candidate.method)},
                  {"learning_rate", power_law_json(law.fit.learning_rate.law, law.candidate.form.learning_rate)},
                  {"batch_tokens", power_law_json(law.fit.batch_tokens.law, law.candidate.form.batch_tokens)}};
  if (!law.candidates.empty()) json.emplace_back("left_out", score_summary_json(law.left_out));
  if (!law.judged_groups.empty()) {
    JsonArray judged;
    for (const JudgedGroup& group : law.judged_groups) {
      JsonObject one = candidate_json(law.candidates[group.candidate]);
      one.emplace_back("group", group_name(report.read.selected.groups[group.score.group].key, report.read.recipes));
      one.emplace_back("regret_nearest", group.score.regret.nearest);
      one.emplace_back("regret_bilinear", group.score.regret.bilinear);
      one.emplace_back("regret_quad1", group.score.regret.quadratic);
      judged.emplace_back(std::move(one));
    }
    json.emplace_back("judged", score_summary_json(law.judged));
    json.emplace_back("judged_groups", std::move(judged));
    json.emplace_back("gain_over_published", JsonObject{{"nearest", gain_json(law.nearest_gain)},
                                                        {"bilinear", gain_json(law.bilinear_gain)},
                                                        {"quad1", gain_json(law.quadratic_gain)}});
  }
  if (law.dense_to_moe) {
    json.emplace_back("dense_to_moe", score_summary_json(*law.dense_to_moe));
    json.emplace_back("dense_to_moe_law", candidate_json(*law.dense_candidate));
  }
  JsonArray candidates;
  for (std::size_t c = 0; c < law.candidates.size(); ++c) {
    JsonObject one = candidate_json(law.candidates[c]);
    one.emplace_back("left_out", score_summary_json(law.candidate_scores[c]));
    candidates.emplace_back(std::move(one));
  }
  json.emplace_back("candidates", std::move(candidates));
  return json;
}

}  // namespace

Json recommended_json(const FitReport& report) {
  if (!report.predicted.recommended) return nullptr;
  const RecommendedLaw& law = *report.predicted.recommended;
  const ScalingLaw recommended = law.law();
  JsonObject json{{"law", law.name(report.fitted.subsets)},
                  {"family", report.fitted.subsets[law.subset].name},
                  {"form", law.candidate.form.name},
                  {"learning_rate", power_law_json(recommended.learning_rate, law.candidate.form.learning_rate)},
                  {"batch_tokens", power_law_json(recommended.batch_tokens, law.candidate.form.batch_tokens)},
                  {"range", range_json(law.range)},
                  {"cheapest", cheapest_json(report, law)}};
  if (law.scattered_left_out) json.emplace_back("left_out", score_summary_json(*law.scattered_left_out));
  json.emplace_back("scattered", JsonObject{{"defect", describe(law.scattered.defect)},
                                            {"window", law.scattered.choice.window},
                                            {"shape", name_of(law.scattered.choice.shape)},
                                            {"learning_rate", random_effect_json(law.scattered.learning_rate)},
                                            {"batch_tokens", random_effect_json(law.scattered.batch_tokens)}});
  JsonArray predictions = rows_json(predictions_table(law, report.settings.sequence_length));
  nest(predictions, "sensitivity", sensitivity_table(law.predictions));
  nest(predictions, "next_groups", next_groups_table(law.predictions));
  json.emplace_back("predictions", std::move(predictions));
  return json;
}

}  // namespace dfsweep::fit
