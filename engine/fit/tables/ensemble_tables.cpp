/// Tables of ensembles of laws: resampled ones, and those of a file of parameter sets.
#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// Which ensemble a row belongs to.
struct Ensemble {
  std::size_t number = 0;
  std::string law;
  std::string_view unit;
};

struct CoefficientRow {
  Ensemble of;
  std::string target;
  std::string parameter;
  ReplicateSummary summary;
  double mode = NAN;  ///< of parameter sets
};

struct PredictionRow {
  Ensemble of;
  TrainingScale scale;
  EnsemblePrediction laws;
};

Ensemble ensemble_of(const FitReport& report, std::size_t number) {
  const BootstrapResult& each = report.predicted.bootstraps[number];
  return {number, law_name(report, each.subset, *each.form, each.method), name_of(each.unit)};
}

template <class Row>
TableOf<Row>& add_ensemble(TableOf<Row>& table) {
  return table.below(along(&Row::of, &Ensemble::number))
      .in_file({"law"}, along(&Row::of, &Ensemble::law))
      .in_file({"unit"}, along(&Row::of, &Ensemble::unit));
}

/// Columns of a summary; `object`: "learning_rate_interval/" or nothing.
template <class Row, class Summary>
void add_summary(TableOf<Row>& table, const std::string& object, const std::string& unit, Summary summary) {
  constexpr std::pair<const char*, double ReplicateSummary::*> quantities[] = {
      {"mean", &ReplicateSummary::mean},  {"sd", &ReplicateSummary::sd},         {"q2_5", &ReplicateSummary::q2_5},
      {"q16", &ReplicateSummary::q16},    {"median", &ReplicateSummary::median}, {"q84", &ReplicateSummary::q84},
      {"q97_5", &ReplicateSummary::q97_5}};
  for (const auto& [name, member] : quantities) table.add(in_json(object + name, unit), along(summary, member));
}

void add_coefficients(TableOf<CoefficientRow>& table) {
  table.add({"target"}, &CoefficientRow::target).add({"parameter"}, &CoefficientRow::parameter);
  add_summary(table, "", "1", &CoefficientRow::summary);
}

void add_predictions(TableOf<PredictionRow>& table, double sequence_length) {
  const auto of = [](auto... members) { return along(&PredictionRow::laws, members...); };
  const auto interval = [](const ReplicateSummary& summary) { return Interval{summary.q2_5, summary.q97_5}; };
  const auto tokens = exp_of(of(&EnsemblePrediction::of_mean_coefficients, &LogPoint::y));
  add_scale(table, &PredictionRow::scale);
  table.add({"learning_rate"}, exp_of(of(&EnsemblePrediction::of_mean_coefficients, &LogPoint::x)))
      .add({"batch_tokens", "tokens"}, tokens)
      .add({"batch_sequences"}, along(tokens, [=](double batch) { return batch / sequence_length; }));
  add_summary(table, "learning_rate_interval/", "1", of(&EnsemblePrediction::learning_rate));
  add_summary(table, "batch_tokens_interval/", "tokens", of(&EnsemblePrediction::batch_tokens));
  table.add({"correlation"}, of(&EnsemblePrediction::correlation))
      .view("resampled", [](const PredictionRow& row) { return std::string(row.of.unit) + "s"; })
      .view("learning_rate_95", of(&EnsemblePrediction::learning_rate, interval))
      .view("batch_tokens_95", of(&EnsemblePrediction::batch_tokens, interval));
}

}  // namespace

std::string_view name_of(ResampleUnit unit) {
  return unit == ResampleUnit::row ? "row" : "group";
}

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

DataTable bootstrap_coefficients_table(const FitReport& report) {
  std::vector<CoefficientRow> rows;
  for (std::size_t b = 0; b < report.predicted.bootstraps.size(); ++b) {
    const BootstrapResult& each = report.predicted.bootstraps[b];
    const auto names = coefficient_names(*each.form);
    for (std::size_t c = 0; c < each.width; ++c)
      rows.push_back({ensemble_of(report, b), names[c].first, names[c].second, each.summaries[c]});
  }
  TableOf<CoefficientRow> table("bootstrap_coefficients", "coefficients of resampled laws", std::move(rows));
  add_coefficients(add_ensemble(table));
  return table.take();
}

DataTable bootstrap_predictions_table(const FitReport& report, std::size_t first_subset) {
  std::vector<PredictionRow> rows;
  for (std::size_t b = 0; b < report.predicted.bootstraps.size(); ++b)
    if (const BootstrapResult& each = report.predicted.bootstraps[b]; each.subset >= first_subset)
      for (const auto& [scale, of_laws] : each.predictions) rows.push_back({ensemble_of(report, b), scale, of_laws});
  TableOf<PredictionRow> table("bootstrap_predictions", "what resampled laws say at the requested scales",
                               std::move(rows));
  add_predictions(add_ensemble(table), report.settings.sequence_length);
  return table.take();
}

DataTable parameter_set_coefficients_table(const ParameterSets& sets) {
  std::vector<CoefficientRow> rows;
  for (const ParameterSets::Column& column : sets.columns)
    rows.push_back({{}, column.target, column.parameter, column.summary, column.mode});
  TableOf<CoefficientRow> table("parameter_set_coefficients", "coefficients of laws fitted elsewhere", std::move(rows));
  add_coefficients(table);
  table.add({"mode"}, &CoefficientRow::mode);
  return table.take();
}

DataTable parameter_set_predictions_table(const ParameterSets& sets, double sequence_length) {
  std::vector<PredictionRow> rows;
  for (const auto& [scale, laws] : sets.predictions) rows.push_back({{}, scale, laws});
  TableOf<PredictionRow> table("parameter_set_predictions", "what laws fitted elsewhere say", std::move(rows));
  add_predictions(table, sequence_length);
  return table.take();
}

}  // namespace dfsweep::fit
