/// Tables of the hyperparameters estimator.
#include "models/hyperparameters/points/published.hpp"

#include <array>

namespace dfsweep::hyperparameters::points {

namespace {

constexpr double most = 1e30;

constexpr ParameterInfo number(std::string_view name, double lowest, double highest, std::string_view meaning) {
  return {.name = name, .kind = ParameterKind::real, .lowest = lowest, .highest = highest, .meaning = meaning};
}

constexpr ParameterInfo open(ParameterInfo info, std::string_view instead) {
  info.absence = Absence::from_entry;
  info.fallback = instead;
  return info;
}

constexpr ParameterInfo otherwise(ParameterInfo info, std::string_view fallback) {
  info.absence = Absence::fallback;
  info.fallback = fallback;
  return info;
}

constexpr std::array parameter_table{
    number("parameters", 1.0, most, "N: parameters without embeddings, of all experts"),
    open(number("activated_parameters", 1.0, most, "Na: parameters that a token uses"), "parameters"),
    number("train_tokens", 1.0, most, "D: tokens trained on"),
    open(number("learning_rate", 1e-12, 1e3, "peak learning rate"), "the law's optimum"),
    open(number("batch_tokens", 1.0, most, "B: tokens of a step"), "the law's optimum"),
    otherwise(number("sequence_length", 1.0, 1e12, "tokens of a sequence"), "2048"),
    ParameterInfo{.name = "law",
                  .kind = ParameterKind::entry,
                  .catalogue = "laws",
                  .absence = Absence::fallback,
                  .fallback = "step-law",
                  .meaning = "which law; a file is one that `dfsweep fit steplaw -o` wrote"},
    open(number("flops_per_token", 1.0, most, "M: training FLOP per token, for laws of the compute C = M D"),
         "6 activated_parameters"),
    open(number("final_loss", 1e-12, 1e3, "final training loss, for laws of the loss"),
         "unknown: laws of the loss give status no_law"),
    otherwise(number("plateau_excess", 1e-9, 10.0, "loss excess that plateau_low and plateau_high stay within"),
              "0.0025"),
};
static_assert(parameter_table.size() == parameter_count);

constexpr MetricInfo metric(std::string_view name, Better better, std::string_view meaning) {
  return {.name = name, .unit = "1", .better = better, .meaning = meaning};
}

constexpr MetricInfo if_known(MetricInfo info) {
  info.may_not_apply = true;
  return info;
}

constexpr std::array metric_table{
    metric("optimal_learning_rate", Better::neither, "peak learning rate where the loss is least"),
    metric("optimal_batch_tokens", Better::neither, "tokens of a step where the loss is least"),
    metric("optimal_batch_sequences", Better::neither, "optimal_batch_tokens over sequence_length"),
    if_known(metric("loss_excess", Better::lower,
                    "loss at learning_rate and batch_tokens over the least loss, minus 1; needs the law's curvature")),
    if_known(metric("plateau_low", Better::neither,
                    "least learning rate within plateau_excess at batch_tokens; none where the batch costs more")),
    if_known(metric("plateau_high", Better::neither, "greatest learning rate within plateau_excess at batch_tokens")),
    if_known(metric("learning_rate_at_batch", Better::neither,
                    "best learning rate at batch_tokens: along the ridge, not at the optimum")),
};
static_assert(metric_table.size() == metric_count);

constexpr std::array<StatusInfo, 4> status_table{{
    {"ok", "the law gives an optimum"},
    {"failed", "a defect of dfsweep"},
    {"invalid", "more activated parameters than parameters"},
    {"no_law", "the law gives no optimum here: it needs the loss, or its learning rate is not positive"},
}};

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}
std::span<const MetricInfo> metrics() {
  return metric_table;
}
std::span<const StatusInfo> statuses() {
  return status_table;
}

}  // namespace dfsweep::hyperparameters::points
