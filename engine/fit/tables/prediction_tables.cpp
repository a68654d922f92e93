/// Tables of what the recommended law predicts, what that depends on, and which runs would narrow it.
#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

Interval quantities(const Interval& logs) {
  return {std::exp(logs.low), std::exp(logs.high)};
}

/// A prediction of a target with its interval, as an object. `effect`: optional, of a row.
template <class Row, class Effect>
void add_effect(TableOf<Row>& table, const std::string& object, const std::string& unit, Effect effect) {
  const auto add = [&](const char* name, const std::string& unit_of_part, auto... value) {
    table.add(in_json(object + "/" + name, unit_of_part), if_any(effect, value...));
  };
  add("value", unit, exp_of(&EffectPrediction::value));
  add("interval", unit, &EffectPrediction::interval, quantities);
  add("interval_of_one_group", unit, &EffectPrediction::of_one_group, quantities);
  add("ln_value", "1", &EffectPrediction::value);
  add("ln_standard_error", "1", &EffectPrediction::standard_error);
  add("degrees_of_freedom", "1", &EffectPrediction::degrees);
}

/// A point of learning rate and batch; `point`: optional, of a row.
template <class Row, class Point>
void add_point(TableOf<Row>& table, const std::string& object, double sequence_length, Point point) {
  const auto per_sequence = [sequence_length](double tokens) { return tokens / sequence_length; };
  table.add(in_json(object + "learning_rate"), if_any(point, exp_of(&LogPoint::x)))
      .add(in_json(object + "batch_tokens", "tokens"), if_any(point, exp_of(&LogPoint::y)))
      .add(in_json(object + "batch_sequences"), if_any(point, exp_of(&LogPoint::y), per_sequence));
}

/// Columns for the text: intervals of sequences, and how the alternative compares with the interval.
void add_view(TableOf<ScalePrediction>& table, const RecommendedLaw& law, double sequence_length) {
  const auto sequences = [=, has = law.has_interval()](Interval EffectPrediction::*interval) {
    return [=](const ScalePrediction& each) {
      const Interval tokens = quantities(each.scattered[1].*interval);
      return has ? std::optional(Interval{tokens.low / sequence_length, tokens.high / sequence_length}) : std::nullopt;
    };
  };
  table.view("batch_sequences_interval", sequences(&EffectPrediction::interval))
      .view("batch_sequences_interval_of_one_group", sequences(&EffectPrediction::of_one_group))
      .view("alternative_against_interval", [](const ScalePrediction& each) {
        const bool rate = each.scattered[0].interval.covers(each.cheapest.x);
        const bool batch = each.scattered[1].interval.covers(each.cheapest.y);
        return rate && batch ? "both inside" : rate ? "batch outside" : batch ? "lr outside" : "both outside";
      });
}

struct SensitivityOf {
  std::size_t prediction;
  TrainingScale scale;
  SensitivityRow row;
};

struct NextOf {
  std::size_t prediction;
  TrainingScale target;
  NextGroup group;
};

/// Which prediction a row belongs to.
template <class Row>
TableOf<Row>& add_prediction(TableOf<Row>& table, TrainingScale Row::*scale) {
  return table.below(&Row::prediction)
      .in_file({"predicted_parameters"}, along(scale, &TrainingScale::parameters))
      .in_file({"predicted_activated_parameters"}, along(scale, &TrainingScale::activated_parameters))
      .in_file({"predicted_train_tokens", "tokens"}, along(scale, &TrainingScale::train_tokens));
}

}  // namespace

std::string_view name_of(SurfaceShape shape) {
  return shape == SurfaceShape::cubic ? "cubic" : "quadratic";
}

DataTable predictions_table(const RecommendedLaw& law, double sequence_length) {
  const auto if_interval = [has = law.has_interval()](auto value) {
    return [=](const ScalePrediction& each) { return has ? std::optional(std::invoke(value, each)) : std::nullopt; };
  };
  const auto effect = [&](std::size_t target) {
    return if_interval([target](const ScalePrediction& each) { return each.scattered[target]; });
  };
  TableOf<ScalePrediction> table("predictions", "what the recommended law says at the requested scales",
                                 law.predictions);
  add_scale(table, &ScalePrediction::scale);
  add_point(table, "", sequence_length, [](const ScalePrediction& each) { return std::optional(each.value); });
  table.add({"extrapolation"}, [&](const ScalePrediction& each) { return !law.range.contains(each.scale); })
      .add({"confidence"}, if_interval([](const ScalePrediction&) { return interval_confidence; }))
      .add({"learning_rate_interval"}, if_any(effect(0), &EffectPrediction::interval, quantities))
      .add({"batch_tokens_interval", "tokens"}, if_any(effect(1), &EffectPrediction::interval, quantities));
  add_effect(table, "scattered_learning_rate", "1", effect(0));
  add_effect(table, "scattered_batch_tokens", "tokens", effect(1));
  add_point(table, "alternative/", sequence_length, if_interval(&ScalePrediction::cheapest));
  add_view(table, law, sequence_length);
  return table.take();
}

DataTable sensitivity_table(std::span<const ScalePrediction> predictions) {
  std::vector<SensitivityOf> rows;
  for (std::size_t p = 0; p < predictions.size(); ++p)
    for (const SensitivityRow& row : predictions[p].sensitivity) rows.push_back({p, predictions[p].scale, row});
  const auto of = [](auto... members) { return along(&SensitivityOf::row, members...); };
  const auto effect = [](std::size_t target) {
    return [target](const SensitivityOf& each) { return std::optional(each.row.prediction[target]); };
  };
  const auto good = [](std::size_t target) {
    return [target](const SensitivityOf& each) {
      return each.row.defect == FitDefect::none ? std::optional(each.row.prediction[target]) : std::nullopt;
    };
  };
  TableOf<SensitivityOf> table("sensitivity", "predictions with other windows and shapes of the surface",
                               std::move(rows));
  add_prediction(table, &SensitivityOf::scale)
      .add({"window"}, of(&SensitivityRow::choice, &SurfaceChoice::window))
      .add({"shape"}, [](const SensitivityOf& each) { return name_of(each.row.choice.shape); })
      .add({"defect"}, of(&SensitivityRow::defect, describe));
  add_effect(table, "learning_rate", "1", effect(0));
  add_effect(table, "batch_tokens", "tokens", effect(1));
  table
      .view("good_learning_rate",
            [](const SensitivityOf& each) -> DataCell {
              if (each.row.defect == FitDefect::none) return std::exp(each.row.prediction[0].value);
              return std::string(describe(each.row.defect));
            })
      .view("good_learning_rate_interval", if_any(good(0), &EffectPrediction::interval, quantities))
      .view("good_batch_tokens", if_any(good(1), exp_of(&EffectPrediction::value)))
      .view("good_batch_tokens_interval", if_any(good(1), &EffectPrediction::interval, quantities));
  return table.take();
}

DataTable next_groups_table(std::span<const ScalePrediction> predictions) {
  std::vector<NextOf> rows;
  for (std::size_t p = 0; p < predictions.size(); ++p)
    for (const NextGroup& group : predictions[p].next) rows.push_back({p, predictions[p].scale, group});
  TableOf<NextOf> table("next_groups", "groups of runs that would narrow the interval most", std::move(rows));
  add_prediction(table, &NextOf::target);
  add_scale(table, along(&NextOf::group, &NextGroup::scale));
  table.add({"width_ratio_learning_rate"}, [](const NextOf& each) { return each.group.width_ratio[0]; })
      .add({"width_ratio_batch_tokens"}, [](const NextOf& each) { return each.group.width_ratio[1]; })
      .add({"run_flop", "FLOP"}, along(&NextOf::group, &NextGroup::run_flop));
  return table.take();
}

}  // namespace dfsweep::fit
