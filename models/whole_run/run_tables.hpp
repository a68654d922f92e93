/// Parameters, metrics and statuses of the whole run, which estimators of training steps append to their own tables.
/// What they mean: docs/models/whole-run.md.
#pragma once

#include <array>
#include <span>

#include "models/cost/published_rows.hpp"
#include "models/published_rows.hpp"

namespace dfsweep::whole_run {

/// Place of a parameter after those of the estimator.
enum class RunParameter : ParameterIndex {
  learning_rate,
  law,
  batch_law,
  train_tokens,
  device_hours,
  target_loss,
  first_evaluation,
  evaluation_interval,
  evaluation_samples,
  device_hour_price,
  device_hours_per_interruption,
  save_time,
  save_interval,
  restart_time,
  spare_share,
  ownership,  ///< first of cost::OwnershipParameter
  count = ownership + count_of<cost::OwnershipParameter>
};

/// Place of a metric after those of the estimator.
enum class RunMetric : MetricIndex {
  time_to_train,
  train_days,
  train_energy,
  train_cost,
  run_tokens,
  useful_share,
  best_save_interval,
  optimal_learning_rate,
  optimal_batch_tokens,
  loss_excess,
  loss_excess_low,
  loss_excess_high,
  loss,
  loss_low,
  loss_high,
  samples_to_target,
  samples_to_target_low,
  samples_to_target_high,
  steps_to_target,
  steps_to_target_low,
  steps_to_target_high,
  time_to_target,
  time_to_target_low,
  time_to_target_high,
  cost_to_target,
  cost_to_target_low,
  cost_to_target_high,
  energy_to_target,
  energy_to_target_low,
  energy_to_target_high,
  extrapolation,
  ownership,  ///< first of cost::OwnershipMetric
  count = ownership + count_of<cost::OwnershipMetric>
};

/// Place of a status after those of the estimator.
enum class RunStatus : std::uint8_t { target_out_of_reach, target_unknown, never_completes, count };

using RunParameterTable = std::array<ParameterInfo, count_of<RunParameter>>;
using RunMetricTable = std::array<MetricInfo, count_of<RunMetric>>;
using RunStatusTable = std::array<StatusInfo, count_of<RunStatus>>;

namespace tables {

using published::entry_of;
using published::if_known;
using published::is_in_order;
using published::metric_of;
using published::open;
using published::or_else;
using published::real;
using published::Row;

inline constexpr double most_number = 1e30;
inline constexpr std::string_view no_law = "none: metrics of the law do not apply";

inline constexpr auto parameter_rows = std::to_array<Row<RunParameter, ParameterInfo>>({
    {RunParameter::learning_rate,
     open(real("learning_rate", "1", 1e-30, most_number, "peak learning rate"), "the law's optimum")},
    {RunParameter::law,
     open(entry_of("law", "laws", "law of the optimal learning rate and batch, and of the loss"), no_law)},
    {RunParameter::batch_law, open(entry_of("batch_law", "batch_laws",
                                            "law of the samples to a target against the batch, or a file of fit batch"),
                                   "none: the target is one of the loss law")},
    {RunParameter::train_tokens,
     open(real("train_tokens", "1", 1.0, most_number, "tokens trained on, for times and energy of the whole run"),
          "unknown: metrics of the whole run do not apply")},
    {RunParameter::device_hours,
     open(real("device_hours", "1", 1e-6, most_number,
               "budget of device hours, with spare devices and lost time: train_tokens is what they buy"),
          "no budget")},
    {RunParameter::target_loss, open(real("target_loss", "1", 1e-6, 1e6, "the loss to be reached"), "the batch law's")},
    {RunParameter::first_evaluation,
     open(real("first_evaluation", "1", 1.0, 1e15, "sequences before the first evaluation"),
          "evaluation_interval where that is given, else the batch law's")},
    {RunParameter::evaluation_interval,
     open(real("evaluation_interval", "1", 0.0, 1e15, "sequences between evaluations; 0: the target is seen at once"),
          "the batch law's, or 0")},
    {RunParameter::evaluation_samples,
     open(real("evaluation_samples", "1", 0.0, 1e15, "sequences of an evaluation"), "the batch law's, or 0")},
    {RunParameter::device_hour_price,
     open(real("device_hour_price", "USD", 0.0, most_number, "of a device for an hour, with its share of the rest"),
          "share of cost_of_ownership where service_years is given; else metrics of cost do not apply")},
    {RunParameter::device_hours_per_interruption,
     open(real("device_hours_per_interruption", "1", 1e-6, most_number,
               "device hours for each interruption of the run: 8000 to 80000 in published runs"),
          "unknown: no time is lost")},
    {RunParameter::save_time,
     or_else(real("save_time", "s", 0.0, 1e9, "time of a save that the run waits for"), "10 s")},
    {RunParameter::save_interval,
     open(real("save_interval", "s", 1e-6, 1e12, "useful time between two saves"), "the best one")},
    {RunParameter::restart_time,
     or_else(real("restart_time", "s", 0.0, 1e9, "from an interruption to the first new step"), "600 s")},
    {RunParameter::spare_share,
     open(real("spare_share", "1", 0.0, 100.0, "spare devices over devices that compute; they cost as much"),
          "none are paid")},
});
static_assert(is_in_order(parameter_rows, RunParameter::learning_rate, RunParameter::ownership));

[[nodiscard]] constexpr MetricInfo figure(std::string_view name, std::string_view unit, Better better,
                                          std::string_view meaning) {
  return if_known(metric_of(name, unit, better, meaning));
}

inline constexpr std::string_view low_end = "lower end of the law's interval";
inline constexpr std::string_view high_end = "upper end of the law's interval";

inline constexpr auto metric_rows = std::to_array<Row<RunMetric, MetricInfo>>({
    {RunMetric::time_to_train,
     figure("time_to_train", "s", Better::lower, "run_tokens over token_rate and useful_share")},
    {RunMetric::train_days, figure("train_days", "d", Better::lower, "time_to_train in days")},
    {RunMetric::train_energy,
     figure("train_energy", "J", Better::lower,
            "system_average_power, or system_power where that is not known, over time_to_train")},
    {RunMetric::train_cost,
     figure("train_cost", "USD", Better::lower,
            "of all devices, spare ones too, over time_to_train; needs device_hour_price or service_years")},
    {RunMetric::run_tokens,
     figure("run_tokens", "1", Better::neither, "train_tokens, or the tokens that device_hours buy")},
    {RunMetric::useful_share,
     figure("useful_share", "1", Better::higher,
            "share of time that becomes progress; needs device_hours_per_interruption or save_interval")},
    {RunMetric::best_save_interval,
     figure("best_save_interval", "s", Better::neither, "useful time between two saves that loses least")},
    {RunMetric::optimal_learning_rate, figure("optimal_learning_rate", "1", Better::neither, "of the law")},
    {RunMetric::optimal_batch_tokens,
     figure("optimal_batch_tokens", "1", Better::neither, "of the law, tokens of a step")},
    {RunMetric::loss_excess, figure("loss_excess", "1", Better::lower, "of the law: relative loss above its optimum")},
    {RunMetric::loss_excess_low, figure("loss_excess_low", "1", Better::lower, low_end)},
    {RunMetric::loss_excess_high, figure("loss_excess_high", "1", Better::lower, high_end)},
    {RunMetric::loss, figure("loss", "1", Better::lower, "of the law, after run_tokens with this batch and rate")},
    {RunMetric::loss_low, figure("loss_low", "1", Better::lower, "95 % of such runs have more; needs loss_spread")},
    {RunMetric::loss_high, figure("loss_high", "1", Better::lower, "95 % of such runs have less")},
    {RunMetric::samples_to_target,
     figure("samples_to_target", "1", Better::lower, "sequences at the first evaluation that reaches the target")},
    {RunMetric::samples_to_target_low, figure("samples_to_target_low", "1", Better::lower, low_end)},
    {RunMetric::samples_to_target_high, figure("samples_to_target_high", "1", Better::lower, high_end)},
    {RunMetric::steps_to_target, figure("steps_to_target", "1", Better::lower, "training steps until then")},
    {RunMetric::steps_to_target_low, figure("steps_to_target_low", "1", Better::lower, low_end)},
    {RunMetric::steps_to_target_high, figure("steps_to_target_high", "1", Better::lower, high_end)},
    {RunMetric::time_to_target,
     figure("time_to_target", "s", Better::lower, "of these steps and the evaluations, over useful_share")},
    {RunMetric::time_to_target_low, figure("time_to_target_low", "s", Better::lower, low_end)},
    {RunMetric::time_to_target_high, figure("time_to_target_high", "s", Better::lower, high_end)},
    {RunMetric::cost_to_target, figure("cost_to_target", "USD", Better::lower,
                                       "of all devices over time_to_target; needs device_hour_price or service_years")},
    {RunMetric::cost_to_target_low, figure("cost_to_target_low", "USD", Better::lower, low_end)},
    {RunMetric::cost_to_target_high, figure("cost_to_target_high", "USD", Better::lower, high_end)},
    {RunMetric::energy_to_target,
     figure("energy_to_target", "J", Better::lower,
            "system_average_power, or system_power where that is not known, over time_to_target")},
    {RunMetric::energy_to_target_low, figure("energy_to_target_low", "J", Better::lower, low_end)},
    {RunMetric::energy_to_target_high, figure("energy_to_target_high", "J", Better::lower, high_end)},
    {RunMetric::extrapolation,
     figure("extrapolation", "1", Better::lower,
            "decades by which N, D, batch or learning rate are outside the runs of the laws; 0 inside, not applicable "
            "to laws that do not state their runs")},
});
static_assert(is_in_order(metric_rows, RunMetric::time_to_train, RunMetric::ownership));

inline constexpr auto status_rows = std::to_array<Row<RunStatus, StatusInfo>>({
    {RunStatus::target_out_of_reach,
     {"target_out_of_reach", "target_loss is below the least loss of the law with this model, batch and rate"}},
    {RunStatus::target_unknown,
     {"target_unknown",
      "neither the law nor the batch law says what target_loss takes, or the batch law not at this "
      "number format"}},
    {RunStatus::never_completes,
     {"never_completes", "interruptions come so much faster than restarts that no time is useful"}},
});
static_assert(is_in_order(status_rows));

}  // namespace tables

inline constexpr RunParameterTable run_parameters =
    published::joined(published::infos_of(tables::parameter_rows), cost::ownership_parameters);
inline constexpr RunMetricTable run_metrics =
    published::joined(published::infos_of(tables::metric_rows), cost::ownership_metrics);
inline constexpr RunStatusTable run_statuses = published::infos_of(tables::status_rows);

}  // namespace dfsweep::whole_run
