#include "models/whole_run/run_sweep.hpp"

#include <algorithm>

#include "models/prepared/given_values.hpp"
#include "models/prepared/value_decoder.hpp"
#include "models/short_number.hpp"
#include "models/transformer/entry.hpp"
#include "models/whole_run/batch_law_entry.hpp"

namespace dfsweep::whole_run {

namespace {

/// Laws by code, with what is wrong with them.
struct DecodedLaws {
  std::vector<std::optional<EntryLaw>> laws;
  std::vector<std::optional<BatchLaw>> batch_laws;
};

constexpr RunParameter service_years = cost::place_of<RunParameter>(cost::OwnershipParameter::service_years);

/// A parameter of the whole run by its place among all parameters of the estimator.
RunParameter in_estimator(const RunPlaces& places, RunParameter parameter) {
  return static_cast<RunParameter>(places.first_parameter + index_of(parameter));
}

DecodedLaws decoded_laws(ValueDecoder& decoder, const RunPlaces& places) {
  return {decoder.each_entry<EntryLaw>(in_estimator(places, RunParameter::law), law_of),
          decoder.each_entry<BatchLaw>(in_estimator(places, RunParameter::batch_law), batch_law_of)};
}

/// The transformer that an entry describes; nothing where it is another workload or incomplete.
std::optional<Architecture> model_of(const ParameterValue& value) {
  if (value.entry == nullptr) return std::nullopt;
  const Decoded<TransformerEntry> entry = decode_transformer(*value.entry);
  if (!entry.problems.empty() || !is_given(entry.value.vocabulary)) return std::nullopt;
  Decoded<Architecture> model = architecture_of(entry.value);
  if (!model.problems.empty()) return std::nullopt;
  return std::move(model.value);
}

}  // namespace

RunSweep::RunSweep(const SweepValues& values, const RunPlaces& places) : values_(values), places_(places) {
  ValueDecoder decoder(values, "");
  DecodedLaws laws = decoded_laws(decoder, places);
  laws_ = std::move(laws.laws);
  batch_laws_ = std::move(laws.batch_laws);
  for (const ParameterValue& value : values.parameters[places.model].values) {
    models_.push_back(model_of(value));
    sequence_lengths_.push_back(value.entry == nullptr ? absent
                                                       : decode_transformer(*value.entry).value.sequence_length);
  }
  for (const RunParameter p : all_of<RunParameter>)
    for (const ParameterValue& value : parameter(p).values) numbers_[p].push_back(value.number);
  for (const RunParameter p : {RunParameter::law, RunParameter::batch_law, RunParameter::train_tokens,
                               RunParameter::device_hours, RunParameter::target_loss,
                               RunParameter::device_hours_per_interruption, RunParameter::save_interval, service_years})
    is_asked_ = is_asked_ || is_given_somewhere(parameter(p));
  has_service_years_ = is_given_somewhere(parameter(service_years));
  may_reject_ = is_given_somewhere(parameter(RunParameter::target_loss)) ||
                is_given_somewhere(parameter(RunParameter::device_hours_per_interruption));
}

RunChoices RunSweep::choices_at(const PointColumns& points, std::size_t i) const {
  const auto value = [&](RunParameter p) { return number(p, points, i); };
  RunChoices c;
  c.learning_rate = value(RunParameter::learning_rate);
  c.train_tokens = value(RunParameter::train_tokens);
  c.device_hours = value(RunParameter::device_hours);
  c.target_loss = value(RunParameter::target_loss);
  c.first_evaluation = value(RunParameter::first_evaluation);
  c.evaluation_interval = value(RunParameter::evaluation_interval);
  c.evaluation_samples = value(RunParameter::evaluation_samples);
  c.device_hour_price = value(RunParameter::device_hour_price);
  c.device_hours_per_interruption = value(RunParameter::device_hours_per_interruption);
  c.save_time = value(RunParameter::save_time);
  c.save_interval = value(RunParameter::save_interval);
  c.restart_time = value(RunParameter::restart_time);
  c.spare_share = value(RunParameter::spare_share);
  c.ownership = ownership_at(points, i);
  const auto pointer = [](const auto& list, std::size_t code) { return list[code] ? &*list[code] : nullptr; };
  c.law = pointer(laws_, points.code(parameter(RunParameter::law), i));
  c.batch_law = pointer(batch_laws_, points.code(parameter(RunParameter::batch_law), i));
  c.model = pointer(models_, points.code(values_.parameters[places_.model], i));
  return c;
}

std::vector<ValueProblem> problems_of_run(const SweepValues& values, const RunPlaces& places) {
  ValueDecoder decoder(values, "");
  static_cast<void>(decoded_laws(decoder, places));
  std::vector<ValueProblem> problems = decoder.take();
  const auto values_of = [&](RunParameter p) -> const std::vector<ParameterValue>& {
    return values.parameters[places.first_parameter + index_of(p)].values;
  };
  const auto complain = [&](RunParameter p, std::size_t value, std::string problem, std::string reason,
                            std::string hint) {
    problems.push_back(
        {places.first_parameter + index_of(p), value, std::move(problem), std::move(reason), std::move(hint), {}});
  };
  const std::vector<ParameterValue>& spares = values_of(RunParameter::spare_share);
  for (std::size_t v = 0; v < spares.size(); ++v)
    if (spares[v].number == 0.0)
      complain(RunParameter::spare_share, v, "spare_share is 0",
               "a run whose device has failed cannot go on without another one",
               "Leave it out where the provider replaces devices; put the time of a repair into restart_time");
  const std::vector<ParameterValue>& hours = values_of(RunParameter::device_hours);
  const std::vector<ParameterValue>& tokens = values_of(RunParameter::train_tokens);
  const auto is_number = [](const ParameterValue& value) { return is_given(value.number); };
  // Lines of a point list may give one or the other; which values meet at a point is not known here.
  const bool meet =
      std::all_of(tokens.begin(), tokens.end(), is_number)
          ? std::any_of(hours.begin(), hours.end(), is_number)
          : std::any_of(tokens.begin(), tokens.end(), is_number) && std::all_of(hours.begin(), hours.end(), is_number);
  if (meet)
    if (const auto first = std::find_if(hours.begin(), hours.end(), is_number); first != hours.end())
      complain(RunParameter::device_hours, static_cast<std::size_t>(first - hours.begin()),
               "train_tokens and device_hours are both given", "the budget decides how many tokens there are",
               "Give one of them");
  return problems;
}

bool run_metric_applies(RunMetric metric, const SweepValues& values, const RunPlaces& places) {
  const auto parameter = [&](RunParameter p) -> const SweepValues::Parameter& {
    return values.parameters[places.first_parameter + index_of(p)];
  };
  const auto has = [&](RunParameter p) { return is_given_somewhere(parameter(p)); };
  const auto law_has = [&](std::string_view field) {
    const std::vector<ParameterValue>& laws = parameter(RunParameter::law).values;
    return std::any_of(laws.begin(), laws.end(),
                       [&](const ParameterValue& v) { return v.entry != nullptr && v.entry->has_number(field); });
  };
  const auto is_from = [&](RunMetric first, RunMetric last) { return first <= metric && metric <= last; };
  const std::string_view unit = run_metrics[index_of(metric)].unit;
  if (metric >= RunMetric::ownership) return has(service_years);
  if (unit == "USD" && !has(RunParameter::device_hour_price) && !has(service_years)) return false;
  if (is_from(RunMetric::time_to_train, RunMetric::run_tokens))
    return has(RunParameter::train_tokens) || has(RunParameter::device_hours);
  if (metric == RunMetric::best_save_interval) return has(RunParameter::device_hours_per_interruption);
  if (metric == RunMetric::useful_share)
    return has(RunParameter::device_hours_per_interruption) || has(RunParameter::save_interval);
  if (is_from(RunMetric::samples_to_target, RunMetric::energy_to_target_high))
    return has(RunParameter::batch_law) || has(RunParameter::target_loss);
  if (metric == RunMetric::extrapolation) return has(RunParameter::law) || has(RunParameter::batch_law);
  if (is_from(RunMetric::loss_excess_low, RunMetric::loss_excess_high)) return law_has("lr_quantile");
  if (metric == RunMetric::loss) return law_has("loss_floor");
  if (is_from(RunMetric::loss_low, RunMetric::loss_high)) return law_has("loss_spread");
  return has(RunParameter::law);
}

RunColumns::RunColumns(const RunSweep& sweep, const PointColumns& points, EstimateColumns& out)
    : sweep_(sweep), points_(points), out_(out) {
  for (const RunMetric m : all_of<RunMetric>)
    if (!column(m).empty()) wanted_.push_back(m);
  const bool wants_times = wants_any(RunMetric::time_to_train, RunMetric::best_save_interval) ||
                           wants_any(RunMetric::ownership, all_of<RunMetric>.back());
  demand_.law = wants_any(RunMetric::optimal_learning_rate, RunMetric::loss_high) ||
                wants_any(RunMetric::extrapolation, RunMetric::extrapolation);
  demand_.target = wants_any(RunMetric::samples_to_target, RunMetric::energy_to_target_high);
  demand_.intervals = std::any_of(wanted_.begin(), wanted_.end(), [](RunMetric m) {
    const std::string_view name = run_metrics[index_of(m)].name;
    return name.ends_with("_low") || name.ends_with("_high");
  });
  wants_power_ = sweep.has_service_years() || wants_any(RunMetric::train_energy, RunMetric::train_energy) ||
                 wants_any(RunMetric::energy_to_target, RunMetric::energy_to_target_high);
  is_needed_ = sweep.may_reject() || (sweep.is_asked() && (wants_times || demand_.law || demand_.target));
}

bool RunColumns::wants_any(RunMetric first, RunMetric last) const {
  return std::any_of(wanted_.begin(), wanted_.end(), [&](RunMetric m) { return first <= m && m <= last; });
}

void RunColumns::write(std::size_t i, const RunStep& step) const {
  const RunFigures figures = run_figures_of(step, sweep_.choices_at(points_, i), demand_);
  if (figures.status) {
    if (out_.status[i] != status_ok) return write_none(i);
    out_.status[i] = static_cast<std::uint8_t>(sweep_.places().first_status + index_of(*figures.status));
    for (const std::span<double>& each : out_.metrics)
      if (!each.empty()) each[i] = absent;
    return;
  }
  for (const RunMetric m : wanted_) column(m)[i] = figures.values[m];
}

void RunColumns::write_none(std::size_t i) const {
  for (const RunMetric m : wanted_) column(m)[i] = absent;
}

void RunColumns::write_none() const {
  for (const RunMetric m : wanted_) std::fill_n(column(m).begin(), out_.status.size(), absent);
}

namespace {

std::string reason_of(const RunFigures& figures, const RunChoices& choices) {
  switch (*figures.status) {
    case RunStatus::target_out_of_reach:
      return "target_loss " + short_number(choices.target_loss) + " is below " + short_number(figures.least_loss) +
             ", the least loss of the law with this model, batch and learning rate";
    case RunStatus::target_unknown:
      return choices.batch_law != nullptr && choices.law == nullptr && is_given(choices.batch_law->target_loss)
                 ? "target_loss is " + short_number(choices.target_loss) + ", and the batch law knows " +
                       short_number(choices.batch_law->target_loss) + " only, or not with this number format"
                 : "target_loss needs a law of the loss, or a batch law with that target";
    case RunStatus::never_completes:
    case RunStatus::count:
      break;
  }
  return "the run is interrupted so much faster than it restarts that no time is useful";
}

}  // namespace

RunExplanation explain_run(const RunSweep& sweep, const PointColumns& points, const RunStep& step) {
  if (!sweep.is_asked()) return {};
  const RunChoices choices = sweep.choices_at(points, 0);
  const RunFigures figures = run_figures_of(step, choices, {});
  if (figures.status) return {figures.status, reason_of(figures, choices), std::nullopt};
  Explanation section{.title = "whole run", .facts = {}, .table = {}, .sections = {}};
  for (const RunMetric m : all_of<RunMetric>)
    if (is_given(figures.values[m]))
      section.facts.push_back(
          {std::string(run_metrics[index_of(m)].name), figures.values[m], std::string(run_metrics[index_of(m)].unit)});
  return {std::nullopt, {}, std::move(section)};
}

}  // namespace dfsweep::whole_run
