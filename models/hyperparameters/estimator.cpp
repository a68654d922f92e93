/// Evaluation of blocks of points by a law: logarithms are computed once per value, points are sums of them.
#include "models/hyperparameters/estimator.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/absent.hpp"
#include "models/hyperparameters/points/published.hpp"
#include "models/laws/law_entry.hpp"
#include "models/prepared/code_columns.hpp"
#include "models/prepared/value_decoder.hpp"
#include "models/short_number.hpp"

namespace dfsweep::hyperparameters {

namespace {

constexpr double ln_six = 1.791759469228055;

/// The logarithms of a parameter's values, by code; absent values are NaN.
std::vector<double> logs_of(const SweepValues& values, Parameter parameter) {
  std::vector<double> logs;
  for (const ParameterValue& value : values[parameter].values) logs.push_back(std::log(value.number));
  return logs;
}

/// One point in logarithms; parameters that were not given are NaN.
struct Question {
  double parameters;
  double activated;
  double tokens;
  double learning_rate;
  double batch_tokens;
  double sequence_length;
  double flops_per_token;
  double loss;
  double plateau_excess;  ///< ln
  const EntryLaw* law;
  const std::optional<ScaleRange>* range;  ///< range of the law, as logarithms
};

/// Quantile of both tails of 2.5 %.
constexpr double tail_quantile = 1.959963984540054;

struct Answer {
  Status status = Status::ok;
  LogPoint optimum{absent, absent};
  double loss_excess = absent;
  RateRange plateau{absent, absent};  ///< ln lr
  double rate_at_batch = absent;      ///< ln lr
  double extrapolation = absent;      ///< 1 or 0
};

/// Scale of a point in logarithms: C = M D, with M = 6 Na where M is not given.
ScaleLogs scale_logs(const Question& point, double activated) {
  const double flops = !is_given(point.flops_per_token) ? ln_six + activated : point.flops_per_token;
  return {point.parameters, activated, point.tokens, flops + point.tokens, point.loss};
}

std::optional<ScaleRange> logarithms(const std::optional<ScaleRange>& range) {
  if (!range) return std::nullopt;
  const auto ln = [](const Interval& interval) { return Interval{std::log(interval.low), std::log(interval.high)}; };
  return ScaleRange{ln(range->parameters), ln(range->activated_parameters), ln(range->train_tokens)};
}

/// Decades by which a logarithm lies outside an interval of logarithms.
double decades_outside(const Interval& interval, double ln_value) {
  return std::max({interval.low - ln_value, ln_value - interval.high, 0.0}) / std::numbers::ln10;
}

/// The most decades by which N, Na or D is outside the range, 0 inside, NaN where the range is unknown.
double extrapolation_of(const std::optional<ScaleRange>& range, const ScaleLogs& logs) {
  if (!range) return absent;
  const auto ln = [&](ScaleLog quantity) { return logs[static_cast<std::size_t>(quantity)]; };
  return std::max({decades_outside(range->parameters, ln(ScaleLog::parameters)),
                   decades_outside(range->activated_parameters, ln(ScaleLog::activated)),
                   decades_outside(range->train_tokens, ln(ScaleLog::tokens))});
}

Answer answer_to(const Question& point) {
  Answer answer;
  const double activated = !is_given(point.activated) ? point.parameters : point.activated;
  if (activated > point.parameters) {
    answer.status = Status::invalid;
    return answer;
  }
  const ScaleLogs logs = scale_logs(point, activated);
  if (!point.law->has_recipe()) {
    answer.extrapolation = extrapolation_of(*point.range, logs);
    return answer;
  }
  answer.optimum = point.law->at(logs);
  if (!std::isfinite(answer.optimum.x) || !std::isfinite(answer.optimum.y)) {
    answer.status = Status::no_law;
    return answer;
  }
  answer.extrapolation = extrapolation_of(*point.range, logs);
  if (!point.law->curvature) return answer;
  const Hessian& hessian = *point.law->curvature;
  const LogPoint chosen{!is_given(point.learning_rate) ? answer.optimum.x : point.learning_rate,
                        !is_given(point.batch_tokens) ? answer.optimum.y : point.batch_tokens};
  answer.loss_excess = loss_excess(hessian, answer.optimum, chosen);
  answer.plateau = plateau_rates(hessian, answer.optimum, chosen.y, std::exp(point.plateau_excess));
  answer.rate_at_batch = answer.optimum.x - hessian.xy / hessian.xx * (chosen.y - answer.optimum.y);
  return answer;
}

/// Loss at the point, and of the model and tokens with the least loss for its compute; NaN without a law of the loss.
struct Losses {
  double loss = absent;
  double low = absent;
  double high = absent;
  LossPoint optimum{absent, absent, absent};
};

Losses losses_of(const Question& point, const Answer& answer) {
  Losses losses;
  if (answer.status != Status::ok || !point.law->loss) return losses;
  const SpreadLossLaw& law = *point.law->loss;
  const double least = law.law.at(std::exp(point.parameters), std::exp(point.tokens));
  losses.loss = is_given(answer.loss_excess) ? least * (1.0 + answer.loss_excess) : least;
  const double spread = std::exp(tail_quantile * law.spread);
  losses.low = losses.loss / spread;
  losses.high = losses.loss * spread;
  const LossPoint optimum = compute_optimum(law.law, std::exp(ln_six + point.parameters + point.tokens));
  // Exponents near 0 give a best model beyond all numbers.
  if (std::isfinite(optimum.parameters) && std::isfinite(optimum.train_tokens) && optimum.parameters > 0.0 &&
      optimum.train_tokens > 0.0)
    losses.optimum = optimum;
  return losses;
}

void write(EstimateColumns& out, std::size_t i, const Losses& losses) {
  out[Metric::loss][i] = losses.loss;
  out[Metric::loss_low][i] = losses.low;
  out[Metric::loss_high][i] = losses.high;
  out[Metric::compute_optimal_parameters][i] = losses.optimum.parameters;
  out[Metric::compute_optimal_tokens][i] = losses.optimum.train_tokens;
  out[Metric::compute_optimal_loss][i] = losses.optimum.loss;
}

/// Why there is no optimum. Pre: the status is not ok.
std::string reason_against(const Question& point, const Answer& answer) {
  if (answer.status == Status::invalid)
    return "activated_parameters " + short_number(std::exp(point.activated)) + " exceed parameters " +
           short_number(std::exp(point.parameters));
  if (!is_given(point.loss) && point.law->uses(ScaleLog::loss))
    return "the law depends on the final loss, but final_loss is not given";
  return "the learning rate of the law is not positive at this scale";
}

void write(EstimateColumns& out, std::size_t i, const Answer& answer, double ln_sequence_length) {
  out.status[i] = index_of(answer.status);
  if (answer.status != Status::ok) {
    for (const std::span<double>& column : out.metrics) column[i] = absent;
    return;
  }
  const double tokens = std::exp(answer.optimum.y);
  out[Metric::optimal_learning_rate][i] = std::exp(answer.optimum.x);
  out[Metric::optimal_batch_tokens][i] = tokens;
  out[Metric::optimal_batch_sequences][i] = std::exp(answer.optimum.y - ln_sequence_length);
  out[Metric::loss_excess][i] = answer.loss_excess;
  out[Metric::plateau_low][i] = std::exp(answer.plateau.low);
  out[Metric::plateau_high][i] = std::exp(answer.plateau.high);
  out[Metric::learning_rate_at_batch][i] = std::exp(answer.rate_at_batch);
  out[Metric::extrapolation][i] = answer.extrapolation;
}

/// The section of an explanation on the loss. Pre: the law has constants of the loss.
Explanation loss_section(const Losses& losses) {
  Explanation section{.title = "loss", .facts = {}, .table = {}, .sections = {}};
  section.facts.push_back({"loss", losses.loss, "1"});
  if (is_given(losses.low)) {
    section.facts.push_back({"95 % of runs, from", losses.low, "1"});
    section.facts.push_back({"95 % of runs, to", losses.high, "1"});
  }
  section.facts.push_back({"best parameters for the same compute", losses.optimum.parameters, "1"});
  section.facts.push_back({"best tokens for the same compute", losses.optimum.train_tokens, "1"});
  section.facts.push_back({"loss of these", losses.optimum.loss, "1"});
  return section;
}

/// The intervals of the law. Pre: the law has intervals.
Explanation interval_of(const Question& point) {
  const LawUncertainty& known = *point.law->uncertainty;
  const double activated = !is_given(point.activated) ? point.parameters : point.activated;
  const ScaleLogs logs = scale_logs(point, activated);
  const Interval rate = interval_at(point.law->learning_rate, known.learning_rate, logs);
  const Interval batch = interval_at(point.law->batch_tokens, known.batch_tokens, logs);
  Explanation section{.title = "interval", .facts = {}, .table = {}, .sections = {}};
  section.facts.push_back({"confidence", known.confidence, "1"});
  section.facts.push_back({"learning rate, from", std::exp(rate.low), "1"});
  section.facts.push_back({"learning rate, to", std::exp(rate.high), "1"});
  section.facts.push_back({"batch in tokens, from", std::exp(batch.low), "1"});
  section.facts.push_back({"batch in tokens, to", std::exp(batch.high), "1"});
  return section;
}

/// The laws by code; problems go to the decoder.
std::vector<EntryLaw> decoded_laws(ValueDecoder& decoder) {
  return decoder.each<EntryLaw>(Parameter::law,
                                [&](const ParameterValue& value) { return decoder.checked(law_of(*value.entry)); });
}

std::vector<ValueProblem> problems_of_laws(const SweepValues& values) {
  ValueDecoder decoder(values, estimator_name);
  static_cast<void>(decoded_laws(decoder));
  return decoder.take();
}

class PreparedHyperparameters final : public PreparedSweep {
 public:
  explicit PreparedHyperparameters(const SweepValues& values) : values_(values) {
    for (const Parameter p : all_of<Parameter>)
      if (p != Parameter::law) logs_[p] = logs_of(values, p);
    ValueDecoder decoder(values, estimator_name);
    laws_ = decoded_laws(decoder);
    for (const EntryLaw& each : laws_) ranges_.push_back(logarithms(each.range));
    if (std::vector<ValueProblem> problems = decoder.take(); !problems.empty())
      throw InvalidValues(std::move(problems));
  }

  void evaluate(const PointColumns& points, EstimateColumns& out) const override {
    const CodeColumns<Parameter> codes(values_, points);
    for (std::size_t i = 0; i < points.count(); ++i) {
      const Question point = question(codes, i);
      const Answer answer = answer_to(point);
      write(out, i, answer, point.sequence_length);
      write(out, i, losses_of(point, answer));
    }
  }

  Explanation explain(const PointColumns& points) const override {
    const CodeColumns<Parameter> codes(values_, points);
    const Question point = question(codes, 0);
    const Answer answer = answer_to(point);
    const std::string status(statuses()[index_of(answer.status)].name);
    Explanation all{.title = "law " + values_[Parameter::law].values[codes.code(Parameter::law, 0)].text,
                    .facts = {{"status", status, ""}},
                    .table = {},
                    .sections = {}};
    if (answer.status != Status::ok) {
      all.facts.push_back({"reason", reason_against(point, answer), ""});
      return all;
    }
    if (point.law->loss) all.sections.push_back(loss_section(losses_of(point, answer)));
    if (!point.law->has_recipe()) return all;
    all.facts.push_back({"optimal learning rate", std::exp(answer.optimum.x), "1"});
    all.facts.push_back({"optimal batch, tokens", std::exp(answer.optimum.y), "1"});
    all.facts.push_back({"optimal batch, sequences", std::exp(answer.optimum.y - point.sequence_length), "1"});
    if (point.law->range)
      all.facts.push_back({"decades outside the runs that the law was fitted to", answer.extrapolation, "1"});
    if (point.law->uncertainty) all.sections.push_back(interval_of(point));
    if (!point.law->curvature) return all;
    all.facts.push_back({"loss excess", answer.loss_excess, "1"});
    all.facts.push_back({"best learning rate at this batch", std::exp(answer.rate_at_batch), "1"});
    const Plateau whole = plateau(*point.law->curvature, std::exp(point.plateau_excess));
    Explanation flat{.title = "plateau", .facts = {}, .table = {}, .sections = {}};
    flat.facts.push_back({"loss excess within it", std::exp(point.plateau_excess), "1"});
    flat.facts.push_back({"least learning rate at this batch", std::exp(answer.plateau.low), "1"});
    flat.facts.push_back({"greatest learning rate at this batch", std::exp(answer.plateau.high), "1"});
    flat.facts.push_back({"learning rate, factor up and down", std::exp(whole.half_width_x), "1"});
    flat.facts.push_back({"batch, factor up and down", std::exp(whole.half_width_y), "1"});
    flat.facts.push_back({"ridge, d ln batch / d ln learning rate", ridge_slope(*point.law->curvature), "1"});
    all.sections.push_back(std::move(flat));
    return all;
  }

 private:
  [[nodiscard]] Question question(const CodeColumns<Parameter>& codes, std::size_t i) const {
    const auto ln = [&](Parameter p) { return logs_[p][codes.code(p, i)]; };
    return {ln(Parameter::size_parameters),
            ln(Parameter::activated_parameters),
            ln(Parameter::train_tokens),
            ln(Parameter::learning_rate),
            ln(Parameter::batch_tokens),
            ln(Parameter::sequence_length),
            ln(Parameter::flops_per_token),
            ln(Parameter::final_loss),
            ln(Parameter::plateau_excess),
            &laws_[codes.code(Parameter::law, i)],
            &ranges_[codes.code(Parameter::law, i)]};
  }

  const SweepValues& values_;
  EnumArray<Parameter, std::vector<double>> logs_;  ///< [parameter][code], only for numeric parameters
  std::vector<EntryLaw> laws_;
  std::vector<std::optional<ScaleRange>> ranges_;  ///< ranges of the laws, as logarithms
};

class HyperparametersEstimator final : public Estimator {
 public:
  std::string_view name() const override { return estimator_name; }
  std::string_view meaning() const override {
    return "optimal learning rate and batch size by scaling laws, and the excess loss away from the optimum";
  }
  std::uint32_t version() const override { return 4; }
  std::span<const ParameterInfo> parameters() const override { return hyperparameters::parameters(); }
  std::span<const MetricInfo> metrics() const override { return hyperparameters::metrics(); }
  ResultViews views() const override { return hyperparameters::views(); }
  std::span<const StatusInfo> statuses() const override { return hyperparameters::statuses(); }
  double seconds_per_point(const SweepValues&) const override { return 1e-7; }
  std::vector<ValueProblem> problems_of(const SweepValues& values) const override { return problems_of_laws(values); }
  std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const override {
    return std::make_unique<PreparedHyperparameters>(values);
  }
};

}  // namespace

std::unique_ptr<Estimator> make_hyperparameters_estimator() {
  return std::make_unique<HyperparametersEstimator>();
}

}  // namespace dfsweep::hyperparameters
