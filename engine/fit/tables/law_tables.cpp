/// Tables of the fitted laws, and of what they cost on groups: on those they were fitted to, and on groups left out.
#include <fmt/format.h>

#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

using Target = TargetFit LawFit::*;
using Features = FeatureSet LawForm::*;

/// A coefficient of a target and its standard error. A feature that the form has not is absent from its law: its
/// exponent is 0.
void add_law_coefficients(TableOf<SubsetFit>& table, const std::string& target, Target fit, Features features) {
  const auto exponents = [fit, features](PowerLaw TargetFit::*of, std::size_t f) {
    return [=](const SubsetFit& each) {
      const bool is_used = (each.fit.form.*features).has(static_cast<LawFeature>(f));
      return is_used ? std::optional((each.fit.*fit.*of).exponent[f]) : std::nullopt;
    };
  };
  const auto intercept = [fit](PowerLaw TargetFit::*of) {
    return [=](const SubsetFit& each) { return (each.fit.*fit.*of).intercept; };
  };
  const auto add_law = [&](const std::string& suffix, const std::string& group, PowerLaw TargetFit::*of,
                           double absent) {
    const std::string object = target + group;
    table.add({target + "_intercept" + suffix, "1", object + "intercept"}, intercept(of));
    for (std::size_t f = 0; f < law_feature_count; ++f) {
      const std::string feature(law_feature_names[f]);
      table.add({fmt::format("{}_{}{}", target, feature, suffix), "1", object + feature, absent}, exponents(of, f));
    }
  };
  add_law("", "/coefficients/", &TargetFit::law, 0.0);
  add_law("_se", "/standard_errors/", &TargetFit::standard_error, NAN);
}

void add_target(TableOf<SubsetFit>& table, const std::string& target, Target fit, Features features) {
  table.add({target + "_rows", "1", target + "/n"}, [fit](const SubsetFit& each) { return (each.fit.*fit).n; })
      .add({target + "_residual_sd", "1", target + "/residual_sd"},
           [fit](const SubsetFit& each) { return (each.fit.*fit).residual_sd; });
  add_law_coefficients(table, target, fit, features);
}

/// "0.013, 0.021": standard errors of the exponents.
std::string errors_text(const TargetFit& fit, FeatureSet features) {
  std::string text;
  if (!std::isfinite(fit.standard_error.intercept)) return text;
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f)))
      text += (text.empty() ? "" : ", ") + significant(2)(fit.standard_error.exponent[f]);
  return text;
}

}  // namespace

std::string law_text(std::string_view target, const PowerLaw& law, FeatureSet features) {
  constexpr std::string_view symbols[] = {"N", "Na", "D", "C"};
  if (!std::isfinite(law.intercept)) return fmt::format("{} = -", target);
  std::string text = fmt::format("{} = {:.4g}", target, std::exp(law.intercept));
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f))) text += fmt::format(" {}^{:.4f}", symbols[f], law.exponent[f]);
  return text;
}

DataTable fits_table(const FitReport& report, std::vector<SubsetFit> fits) {
  TableOf<SubsetFit> table("fits", "laws of both targets by every estimator", std::move(fits));
  table.add({"law"}, [&](const SubsetFit& each) { return each.name(report.fitted.subsets); })
      .add({"family"}, [&](const SubsetFit& each) { return report.fitted.subsets[each.subset].name; })
      .add({"form"}, [](const SubsetFit& each) { return each.fit.form.name; })
      .add({"method"}, [](const SubsetFit& each) { return method_name(each.fit.method); })
      .add({"defect"}, [](const SubsetFit& each) { return describe(each.fit.defect); });
  add_target(table, "learning_rate", &LawFit::learning_rate, &LawForm::learning_rate);
  add_target(table, "batch_tokens", &LawFit::batch_tokens, &LawForm::batch_tokens);
  const auto equation = [](const char* name, Target fit, Features features) {
    return [=](const SubsetFit& each) { return law_text(name, (each.fit.*fit).law, each.fit.form.*features); };
  };
  const auto errors = [](Target fit, Features features) {
    return [=](const SubsetFit& each) { return errors_text(each.fit.*fit, each.fit.form.*features); };
  };
  const auto if_good = [](auto text, auto otherwise) {
    return [=](const SubsetFit& each) {
      return each.fit.defect == FitDefect::none ? text(each) : std::string(otherwise(each.fit.defect));
    };
  };
  const auto nothing = [](FitDefect) { return ""; };
  table.view("learning_rate_law", if_good(equation("lr", &LawFit::learning_rate, &LawForm::learning_rate), describe))
      .view("learning_rate_errors", errors(&LawFit::learning_rate, &LawForm::learning_rate))
      .view("batch_tokens_law", if_good(equation("B", &LawFit::batch_tokens, &LawForm::batch_tokens), nothing))
      .view("batch_tokens_errors", errors(&LawFit::batch_tokens, &LawForm::batch_tokens));
  return table.take();
}

DataTable frontier_table(const FitReport& report) {
  TableOf<FrontierPoint> table("frontier", "for budgets of 6 N D FLOP, the model and tokens with the least loss",
                               report.fitted.frontier);
  const auto of = [](auto... members) { return along(&FrontierPoint::optimum, members...); };
  table.add({"flops", "FLOP"}, &FrontierPoint::flops)
      .add({"parameters"}, of(&LossPoint::parameters))
      .add({"train_tokens", "tokens"}, of(&LossPoint::train_tokens))
      .add({"loss"}, of(&LossPoint::loss))
      .add({"beyond_runs"}, &FrontierPoint::is_beyond_runs)
      .view("tokens_per_parameter",
            [](const FrontierPoint& row) { return row.optimum.train_tokens / row.optimum.parameters; })
      .view("remark", [](const FrontierPoint& row) { return row.is_beyond_runs ? "beyond the runs" : ""; });
  return table.take();
}

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

DataTable scores_table(const FitReport& report) {
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

DataTable validation_table(const FitReport& report) {
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
