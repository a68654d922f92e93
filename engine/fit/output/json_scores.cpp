/// Scores, cross-validation and bootstraps as JSON.
#include <algorithm>

#include "engine/fit/output/json.hpp"
#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr std::size_t most_first_replicates = 3;  ///< enough to check a random stream step by step

void append(JsonObject& object, JsonObject members) {
  for (auto& member : members) object.push_back(std::move(member));
}

Json score_json(const FitReport& report, const ScoredLaw& law, JsonObject lists) {
  JsonObject summaries;
  for (const GroupSubset& subset : report.fitted.subsets)
    summaries.emplace_back(subset.name, score_summary_json(summary_of(law, subset)));
  JsonObject json{{"law", law.name}, {"summary", std::move(summaries)}};
  append(json, std::move(lists));
  return json;
}

/// The first laws of a bootstrap.
JsonArray first_replicates(const BootstrapResult& result) {
  JsonArray first;
  for (std::size_t r = 0; r < std::min<std::size_t>(most_first_replicates, result.replicates()); ++r) {
    const auto begin = result.coefficients.begin() + static_cast<std::ptrdiff_t>(r * result.width);
    first.emplace_back(JsonArray(begin, begin + static_cast<std::ptrdiff_t>(result.width)));
  }
  return first;
}

}  // namespace

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
  const DataTable table = scores_table(report);
  JsonArray laws;
  std::size_t begin = 0;
  for (const auto* scored : {&report.judged.published, &report.judged.scored_fits})
    for (const ScoredLaw& law : *scored) {
      laws.push_back(score_json(report, law, lists_json(table, begin, begin + law.scores.size())));
      begin += law.scores.size();
    }
  const std::vector<std::string> names = group_names(report);
  return JsonObject{{"groups", JsonArray(names.begin(), names.end())}, {"laws", std::move(laws)}};
}

Json validation_json(const FitReport& report) {
  if (report.judged.validation.empty()) return JsonArray{};
  const DataTable table = validation_table(report);
  JsonArray all;
  std::size_t begin = 0;
  for (const CrossValidation& each : report.judged.validation) {
    JsonObject json{{"family", report.fitted.subsets[each.subset].name},
                    {"form", each.form->name},
                    {"method", method_name(each.method)},
                    {"split", each.split},
                    {"summary", score_summary_json(summarize(each.scores))}};
    append(json, lists_json(table, begin, begin + each.scores.size()));
    begin += each.scores.size();
    all.emplace_back(std::move(json));
  }
  return all;
}

Json bootstraps_json(const FitReport& report) {
  const std::vector<BootstrapResult>& results = report.predicted.bootstraps;
  std::vector<JsonArray> coefficients = lists_below(bootstrap_coefficients_table(report), results.size());
  std::vector<JsonArray> predictions = lists_below(bootstrap_predictions_table(report), results.size());
  JsonArray all;
  for (std::size_t b = 0; b < results.size(); ++b)
    all.emplace_back(JsonObject{{"family", report.fitted.subsets[results[b].subset].name},
                                {"form", results[b].form->name},
                                {"method", method_name(results[b].method)},
                                {"unit", name_of(results[b].unit)},
                                {"seed", report.settings.seed},
                                {"replicates", results[b].replicates()},
                                {"solved", static_cast<std::uint64_t>(results[b].summaries.front().count)},
                                {"coefficients", std::move(coefficients[b])},
                                {"first_replicates", first_replicates(results[b])},
                                {"predictions", std::move(predictions[b])}});
  return all;
}

}  // namespace dfsweep::fit
