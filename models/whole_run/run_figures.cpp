#include "models/whole_run/run_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/cost/ownership_columns.hpp"
#include "models/transformer/model_flop.hpp"
#include "models/whole_run/interruptions.hpp"
#include "models/whole_run/run_law.hpp"

namespace dfsweep::whole_run {

namespace {

constexpr double seconds_per_day = 86400.0;
/// Quantile of both tails of 2.5 %, of the intervals of a loss law.
constexpr double tail_quantile = 1.959963984540054;
/// Losses that differ by less are one target.
constexpr double same_loss = 1e-6;

/// Samples to the target, and how a run observes them.
struct Target {
  Samples samples;
  EvaluationSchedule evaluations;
  double ln_tokens = absent;  ///< of the target by the loss law
};

/// One point: its step, its choices and what both give.
class Run {
 public:
  Run(const RunStep& step, const RunChoices& choices, const RunDemand& demand)
      : step_(step), choices_(choices), demand_(demand) {
    values().elements.fill(absent);
  }

  RunFigures figures() {
    write_ownership();
    find_useful_share();
    if (figures_.status) return figures_;
    scale_ = scale();
    write_whole_run();
    const std::optional<Target> target = target_of_run();
    if (figures_.status) return figures_;
    if (demand_.target && target) write_target(*target);
    const double tokens = get(RunMetric::run_tokens);
    if (demand_.law) write_law(is_given(tokens) || !target ? std::log(tokens) : target->ln_tokens);
    return figures_;
  }

 private:
  EnumArray<RunMetric, double>& values() { return figures_.values; }
  void set(RunMetric metric, double value) { values()[metric] = value; }
  [[nodiscard]] double get(RunMetric metric) const { return figures_.values[metric]; }

  /// Devices that are paid.
  [[nodiscard]] double paid_devices() const {
    return step_.devices * (1.0 + (is_given(choices_.spare_share) ? choices_.spare_share : 0.0));
  }
  [[nodiscard]] double useful() const {
    return is_given(get(RunMetric::useful_share)) ? get(RunMetric::useful_share) : 1.0;
  }
  [[nodiscard]] double cost_of(double seconds) const {
    return paid_devices() * hour_price_ / seconds_per_hour * seconds;
  }

  void write_ownership() {
    const cost::OwnedSystem system{step_.price, step_.power};
    hour_price_ = cost::device_hour_price(choices_.device_hour_price, system, choices_.ownership, step_.devices);
    cost::write_ownership<RunMetric>([&](RunMetric metric, double value) { set(metric, value); }, system,
                                     choices_.ownership);
  }

  void find_useful_share() {
    const bool fails = is_given(choices_.device_hours_per_interruption);
    if (!fails && !is_given(choices_.save_interval)) return;
    const Seconds between = fails ? time_between(choices_.device_hours_per_interruption, step_.devices)
                                  : Seconds{std::numeric_limits<double>::infinity()};
    const Interruptions in{between, Seconds{choices_.save_time}, Seconds{choices_.restart_time}};
    const Seconds best = best_interval(in);
    const Seconds interval = is_given(choices_.save_interval) ? Seconds{choices_.save_interval} : best;
    if (fails) set(RunMetric::best_save_interval, best.value());
    set(RunMetric::useful_share, useful_share(in, interval));
    if (get(RunMetric::useful_share) < least_useful_share) figures_.status = RunStatus::never_completes;
  }

  void write_whole_run() {
    const double token_rate = step_.batch * step_.sequence_length / step_.time.value();
    double time = absent;
    if (is_given(choices_.device_hours)) {
      time = choices_.device_hours * seconds_per_hour / paid_devices();
      set(RunMetric::run_tokens, token_rate * useful() * time);
    } else {
      time = choices_.train_tokens / token_rate / useful();
      set(RunMetric::run_tokens, choices_.train_tokens);
    }
    set(RunMetric::time_to_train, time);
    set(RunMetric::train_days, time / seconds_per_day);
    set(RunMetric::train_energy, step_.power.value() * time);
    set(RunMetric::train_cost, cost_of(time));
  }

  [[nodiscard]] RunScale scale() const {
    RunScale scale;
    scale.ln_batch = std::log(step_.batch * step_.sequence_length);
    if (is_given(choices_.learning_rate)) scale.ln_rate = std::log(choices_.learning_rate);
    if (choices_.model == nullptr || choices_.law == nullptr) return scale;
    const Architecture& a = *choices_.model;
    scale.ln_parameters = std::log(total_parameters(a) - embedding_parameters(a));
    scale.ln_activated = std::log(active_parameters(a) - a.vocabulary * a.hidden);
    scale.ln_flop = std::log(training_flop_per_token(a, step_.sequence_length, AttentionCount::causal).value());
    return scale;
  }

  [[nodiscard]] bool has_loss_law() const {
    return choices_.law != nullptr && choices_.law->loss && is_given(scale_.ln_parameters);
  }

  /// Whether the target is that of the batch law.
  [[nodiscard]] bool is_of_batch_law() const {
    if (choices_.batch_law == nullptr) return false;
    const double theirs = choices_.batch_law->target_loss;
    return !is_given(choices_.target_loss) || std::abs(choices_.target_loss - theirs) <= same_loss * theirs;
  }

  std::optional<Target> target_of_run() {
    std::optional<Target> target;
    if (is_of_batch_law())
      target = target_of_batch_law();
    else if (is_given(choices_.target_loss) && has_loss_law())
      target = target_of_loss_law();
    if (!target && is_given(choices_.target_loss) && !figures_.status) figures_.status = RunStatus::target_unknown;
    return target;
  }

  /// The batch law counts tokens: sequences of other lengths count by their tokens.
  [[nodiscard]] std::optional<Target> target_of_batch_law() const {
    const BatchLaw& law = *choices_.batch_law;
    const double length = is_given(law.sequence_length) ? step_.sequence_length / law.sequence_length : 1.0;
    const Samples theirs = samples_at(law, step_.batch * length, step_.format);
    if (!is_given(theirs.median)) return std::nullopt;
    return Target{
        {theirs.median / length, {theirs.interval.low / length, theirs.interval.high / length}}, evaluations(), absent};
  }

  std::optional<Target> target_of_loss_law() {
    const EntryLaw& law = *choices_.law;
    const std::optional<double> tokens = ln_tokens_to(law, scale_, choices_.target_loss);
    if (!tokens) {
      figures_.status = RunStatus::target_out_of_reach;
      figures_.least_loss = least_loss(law, scale_);
      return std::nullopt;
    }
    const auto samples = [&](double ln_tokens) { return std::exp(ln_tokens) / step_.sequence_length; };
    Target target{{samples(*tokens), {absent, absent}}, evaluations(), *tokens};
    if (!demand_.intervals || !is_given(law.loss->spread)) return target;
    const double spread = tail_quantile * law.loss->spread;
    const auto end = [&](double factor) { return ln_tokens_to(law, scale_, choices_.target_loss * factor); };
    if (const auto fewer = end(std::exp(spread))) target.samples.interval.low = samples(*fewer);
    if (const auto more = end(std::exp(-spread))) target.samples.interval.high = samples(*more);
    return target;
  }

  [[nodiscard]] EvaluationSchedule evaluations() const {
    EvaluationSchedule schedule;
    if (choices_.batch_law != nullptr) schedule = choices_.batch_law->evaluations;
    if (is_given(choices_.evaluation_interval)) schedule.first = schedule.interval = choices_.evaluation_interval;
    if (is_given(choices_.first_evaluation)) schedule.first = choices_.first_evaluation;
    if (is_given(choices_.evaluation_samples)) schedule.samples = choices_.evaluation_samples;
    if (schedule.share == 0.0) schedule.share = usual_evaluation_share;
    return schedule;
  }

  void write_target(const Target& target) {
    write_target_at(target, target.samples.median, RunMetric::samples_to_target, RunMetric::steps_to_target,
                    RunMetric::time_to_target, RunMetric::cost_to_target, RunMetric::energy_to_target);
    if (!demand_.intervals) return;
    write_target_at(target, target.samples.interval.low, RunMetric::samples_to_target_low,
                    RunMetric::steps_to_target_low, RunMetric::time_to_target_low, RunMetric::cost_to_target_low,
                    RunMetric::energy_to_target_low);
    write_target_at(target, target.samples.interval.high, RunMetric::samples_to_target_high,
                    RunMetric::steps_to_target_high, RunMetric::time_to_target_high, RunMetric::cost_to_target_high,
                    RunMetric::energy_to_target_high);
    widen(step_.error.below, RunMetric::time_to_target_low, RunMetric::cost_to_target_low,
          RunMetric::energy_to_target_low);
    widen(step_.error.above, RunMetric::time_to_target_high, RunMetric::cost_to_target_high,
          RunMetric::energy_to_target_high);
  }

  /// Adds the error of the step to one end of the intervals: samples and steps err independently, so that the squares
  /// of the logarithms add up.
  void widen(double step_error, RunMetric of_time, RunMetric of_cost, RunMetric of_energy) {
    if (!is_given(get(of_time)) || !(step_error > 0.0)) return;
    const double of_samples = std::log(get(of_time) / get(RunMetric::time_to_target));
    const double factor = std::exp(std::copysign(std::hypot(of_samples, step_error) - std::abs(of_samples),
                                                 of_time == RunMetric::time_to_target_low ? -1.0 : 1.0));
    for (const RunMetric metric : {of_time, of_cost, of_energy}) set(metric, factor * get(metric));
  }

  void write_target_at(const Target& target, double samples, RunMetric of_samples, RunMetric of_steps,
                       RunMetric of_time, RunMetric of_cost, RunMetric of_energy) {
    if (!is_given(samples)) return;
    const ObservedEnd end = observed_end(samples, step_.batch, target.evaluations);
    const double time = steps_of_run(end, step_.batch, target.evaluations) * step_.time.value() / useful();
    set(of_samples, end.samples);
    set(of_steps, end.samples / step_.batch);
    set(of_time, time);
    set(of_cost, cost_of(time));
    set(of_energy, step_.power.value() * time);
  }

  /// `ln_tokens`: of the run, or to its target; NaN where neither is known.
  void write_law(double ln_tokens) {
    double outside = absent;
    if (choices_.law != nullptr && choices_.model != nullptr) {
      const EntryLaw& law = *choices_.law;
      const LogPoint best = optimum_at(law, scale_, ln_tokens);
      set(RunMetric::optimal_learning_rate, std::exp(best.x));
      set(RunMetric::optimal_batch_tokens, std::exp(best.y));
      set(RunMetric::loss_excess, std::expm1(ln_excess(law, scale_, ln_tokens)));
      set(RunMetric::loss, std::exp(ln_loss(law, scale_, ln_tokens)));
      if (demand_.intervals) write_law_intervals(law, ln_tokens);
      outside = extrapolation_of(law, scale_, ln_tokens);
    }
    if (is_of_batch_law()) outside = std::max(of_batch_law(), is_given(outside) ? outside : 0.0);
    set(RunMetric::extrapolation, outside);
  }

  void write_law_intervals(const EntryLaw& law, double ln_tokens) {
    const Interval excess = excess_interval(law, scale_, ln_tokens);
    set(RunMetric::loss_excess_low, excess.low);
    set(RunMetric::loss_excess_high, excess.high);
    if (!law.loss || !is_given(law.loss->spread)) return;
    set(RunMetric::loss_low, get(RunMetric::loss) * std::exp(-tail_quantile * law.loss->spread));
    set(RunMetric::loss_high, get(RunMetric::loss) * std::exp(tail_quantile * law.loss->spread));
  }

  /// Decades by which batch and rate are outside the runs of the batch law.
  [[nodiscard]] double of_batch_law() const {
    const BatchLaw& law = *choices_.batch_law;
    const double length = is_given(law.sequence_length) ? step_.sequence_length / law.sequence_length : 1.0;
    const double batch = decades_outside(law.batches, step_.batch * length);
    if (!law.learning_rates || !is_given(choices_.learning_rate)) return batch;
    return std::max(batch, decades_outside(*law.learning_rates, choices_.learning_rate));
  }

  const RunStep& step_;
  const RunChoices& choices_;
  const RunDemand& demand_;
  double hour_price_ = absent;  ///< USD, of a device
  RunScale scale_;
  RunFigures figures_;
};

}  // namespace

RunFigures run_figures_of(const RunStep& step, const RunChoices& choices, const RunDemand& demand) {
  return Run(step, choices, demand).figures();
}

}  // namespace dfsweep::whole_run
