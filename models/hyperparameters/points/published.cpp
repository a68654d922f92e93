/// Tables of the hyperparameters estimator.
#include "models/hyperparameters/points/published.hpp"

#include <array>

#include "models/published_rows.hpp"

namespace dfsweep::hyperparameters {

namespace {

using namespace published;

constexpr double most = 1e30;

constexpr ParameterInfo number(std::string_view name, double lowest, double highest, std::string_view meaning) {
  return real(name, "1", lowest, highest, meaning);
}

constexpr auto parameter_rows = std::to_array<Row<Parameter, ParameterInfo>>({
    {Parameter::size_parameters, number("parameters", 1.0, most, "N: parameters without embeddings, of all experts")},
    {Parameter::activated_parameters,
     open(number("activated_parameters", 1.0, most, "Na: parameters activated by a token"), "parameters")},
    {Parameter::train_tokens, number("train_tokens", 1.0, most, "D: tokens trained on")},
    {Parameter::learning_rate, open(number("learning_rate", 1e-12, 1e3, "peak learning rate"), "the law's optimum")},
    {Parameter::batch_tokens, open(number("batch_tokens", 1.0, most, "B: tokens per step"), "the law's optimum")},
    {Parameter::sequence_length, or_else(number("sequence_length", 1.0, 1e12, "tokens per sequence"), "2048")},
    {Parameter::law,
     or_else(entry_of("law", "laws", "scaling law, or a file written by `dfsweep fit steplaw -o`"), "step-law")},
    {Parameter::flops_per_token,
     open(number("flops_per_token", 1.0, most, "M: training FLOP per token, for laws of the compute C = M D"),
          "6 activated_parameters")},
    {Parameter::final_loss, open(number("final_loss", 1e-12, 1e3, "final training loss, for laws of the loss"),
                                 "unknown: laws of the loss give status no_law")},
    {Parameter::plateau_excess,
     or_else(number("plateau_excess", 1e-9, 10.0, "loss excess that bounds plateau_low and plateau_high"), "0.0025")},
});
static_assert(is_in_order(parameter_rows));
constexpr auto parameter_table = infos_of(parameter_rows);

constexpr MetricInfo metric(std::string_view name, Better better, std::string_view meaning) {
  return metric_of(name, "1", better, meaning);
}

constexpr auto metric_rows = std::to_array<Row<Metric, MetricInfo>>({
    {Metric::optimal_learning_rate,
     if_known(metric("optimal_learning_rate", Better::neither,
                     "peak learning rate of minimum loss; absent where the law is of the loss alone"))},
    {Metric::optimal_batch_tokens,
     if_known(metric("optimal_batch_tokens", Better::neither, "tokens per step of minimum loss"))},
    {Metric::optimal_batch_sequences,
     if_known(metric("optimal_batch_sequences", Better::neither, "optimal_batch_tokens over sequence_length"))},
    {Metric::loss_excess,
     if_known(
         metric("loss_excess", Better::lower,
                "loss at learning_rate and batch_tokens over the minimum loss, minus 1; needs the law's curvature"))},
    {Metric::plateau_low,
     if_known(metric(
         "plateau_low", Better::neither,
         "lowest learning rate within plateau_excess at batch_tokens; absent where the batch alone exceeds it"))},
    {Metric::plateau_high,
     if_known(metric("plateau_high", Better::neither, "highest learning rate within plateau_excess at batch_tokens"))},
    {Metric::learning_rate_at_batch,
     if_known(metric("learning_rate_at_batch", Better::neither,
                     "best learning rate at batch_tokens: along the ridge, not at the optimum"))},
    {Metric::extrapolation, if_known(metric("extrapolation", Better::neither,
                                            "decades by which N, Na or D is outside the runs that the law was fitted "
                                            "to; 0 inside, needs the law's range"))},
    {Metric::loss, if_known(metric("loss", Better::lower,
                                   "L(N, D) of the law, times 1 + loss_excess where that is known; needs the law's "
                                   "constants of the loss"))},
    {Metric::loss_low, if_known(metric("loss_low", Better::neither,
                                       "loss below which 2.5 % of the runs of the law's fit end; needs their spread"))},
    {Metric::loss_high,
     if_known(metric("loss_high", Better::neither,
                     "loss above which 2.5 % of the runs of the law's fit end; needs their spread"))},
    {Metric::compute_optimal_parameters,
     if_known(metric("compute_optimal_parameters", Better::neither,
                     "parameters of the model with the least loss for the compute 6 N D of the point"))},
    {Metric::compute_optimal_tokens,
     if_known(metric("compute_optimal_tokens", Better::neither, "tokens that compute_optimal_parameters train on"))},
    {Metric::compute_optimal_loss,
     if_known(metric("compute_optimal_loss", Better::lower, "loss of that model and these tokens"))},
});
static_assert(is_in_order(metric_rows));
constexpr auto metric_table = infos_of(metric_rows);

constexpr auto status_rows = std::to_array<Row<Status, StatusInfo>>({
    {Status::ok, {"ok", "the law gives an optimum, or it is of the loss alone"}},
    {Status::failed, {"failed", "a defect of dfsweep"}},
    {Status::invalid, {"invalid", "more activated parameters than parameters"}},
    {Status::no_law,
     {"no_law", "the law gives no optimum here: it needs the loss, or its learning rate is not positive"}},
});
static_assert(is_in_order(status_rows));
constexpr auto status_table = infos_of(status_rows);

constexpr std::string_view headline[] = {"loss_excess"};
constexpr ResultViews result_views = {.headline = headline};

}  // namespace

std::span<const ParameterInfo> parameters() {
  return parameter_table;
}
ResultViews views() {
  return result_views;
}
std::span<const MetricInfo> metrics() {
  return metric_table;
}
std::span<const StatusInfo> statuses() {
  return status_table;
}

}  // namespace dfsweep::hyperparameters
