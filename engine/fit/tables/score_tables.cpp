/// Tables of what laws cost on groups: on those they were fitted to, and on groups left out.
#include <fmt/format.h>

#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

struct ScoreRow {
  std::string law;
  std::string split;
  const GroupScore* score;
};

/// What a law says for a group, the run nearest to that, and what it costs.
void add_score(const FitReport& report, TableOf<ScoreRow>& table) {
  const auto of = [](auto... members) { return along(&ScoreRow::score, members...); };
  const auto of_nearest_run = [](const std::vector<double>& values) {
    return [&values](const ScoreRow& row) {
      return std::isfinite(row.score->predicted.x) ? values[row.score->regret.nearest_run] : NAN;
    };
  };
  table.add({"learning_rate"}, exp_of(of(&GroupScore::predicted, &LogPoint::x)))
      .add({"batch_tokens", "tokens"}, exp_of(of(&GroupScore::predicted, &LogPoint::y)))
      .add({"nearest_learning_rate"}, of_nearest_run(report.read.grouped->learning_rate))
      .add({"nearest_batch_tokens", "tokens"}, of_nearest_run(report.read.grouped->batch_tokens))
      .add({"regret_nearest"}, of(&GroupScore::regret, &Regret::nearest))
      .add({"regret_bilinear"}, of(&GroupScore::regret, &Regret::bilinear))
      .add({"regret_quad1"}, of(&GroupScore::regret, &Regret::quadratic))
      .add({"error_ln_learning_rate"}, of(&GroupScore::error, &LogPoint::x))
      .add({"error_ln_batch_tokens"}, of(&GroupScore::error, &LogPoint::y));
}

}  // namespace

std::string law_name(const FitReport& report, std::size_t subset, const LawForm& form, const FitMethod& method) {
  return fmt::format("{}/{}/{}", report.fitted.subsets[subset].name, form.name, method_name(method));
}

ScoreSummary summary_of(const ScoredLaw& law, const GroupSubset& subset) {
  std::vector<GroupScore> scores;
  for (const std::size_t g : subset.groups) scores.push_back(law.scores[g]);
  return summarize(scores);
}

FitTable scores_table(const FitReport& report) {
  const std::vector<std::string> names = group_names(report);
  std::vector<ScoreRow> rows;
  for (const auto* laws : {&report.judged.published, &report.judged.scored_fits})
    for (const ScoredLaw& law : *laws)
      for (const GroupScore& score : law.scores) rows.push_back({law.name, "", &score});
  TableOf<ScoreRow> table("scores", "what each law says and costs at every group", std::move(rows));
  table.in_file({"law"}, &ScoreRow::law).in_file({"group"}, [&](const ScoreRow& row) {
    return names[row.score->group];
  });
  add_score(report, table);
  return table.take();
}

FitTable validation_table(const FitReport& report) {
  const std::vector<std::string> names = group_names(report);
  std::vector<ScoreRow> rows;
  for (const CrossValidation& each : report.judged.validation)
    for (const GroupScore& score : each.scores)
      rows.push_back({law_name(report, each.subset, *each.form, each.method), each.split, &score});
  TableOf<ScoreRow> table("cross_validation", "what each law says and costs at groups it was not fitted to",
                          std::move(rows));
  table.in_file({"law"}, &ScoreRow::law)
      .in_file({"split"}, &ScoreRow::split)
      .add({"group", "1", "groups"}, [&](const ScoreRow& row) { return names[row.score->group]; });
  add_score(report, table);
  return table.take();
}

}  // namespace dfsweep::fit
