/// Evaluation of blocks of points by a law: logarithms are computed once per value, points are sums of them.
#include "models/hyperparameters/estimator.hpp"

#include <algorithm>
#include <cmath>

#include "models/absent.hpp"
#include "models/hyperparameters/points/answer.hpp"
#include "models/hyperparameters/points/published.hpp"
#include "models/laws/law_entry.hpp"
#include "models/prepared/code_columns.hpp"
#include "models/prepared/value_decoder.hpp"
#include "models/prepared/wanted_columns.hpp"

namespace dfsweep::hyperparameters {

namespace {

/// The logarithms of a parameter's values, by code; absent values are NaN.
std::vector<double> logs_of(const SweepValues& values, Parameter parameter) {
  std::vector<double> logs;
  for (const ParameterValue& value : values[parameter].values) logs.push_back(std::log(value.number));
  return logs;
}

/// Computes and stores a metric of point `i` if the caller reads it.
template <class Value>
void put_computed(const EstimateColumns& out, Metric metric, std::size_t i, Value value) {
  if (out.wants(metric)) out[metric][i] = value();
}

/// Metrics that need the law of the loss.
constexpr Metric loss_metrics[] = {Metric::loss,
                                   Metric::loss_low,
                                   Metric::loss_high,
                                   Metric::compute_optimal_parameters,
                                   Metric::compute_optimal_tokens,
                                   Metric::compute_optimal_loss};

bool wants_losses(const EstimateColumns& out) {
  return std::ranges::any_of(loss_metrics, [&](Metric metric) { return out.wants(metric); });
}

void write(const EstimateColumns& out, std::size_t i, const Losses& losses) {
  put(out, Metric::loss, i, losses.loss);
  put(out, Metric::loss_low, i, losses.low);
  put(out, Metric::loss_high, i, losses.high);
  put(out, Metric::compute_optimal_parameters, i, losses.optimum.parameters);
  put(out, Metric::compute_optimal_tokens, i, losses.optimum.train_tokens);
  put(out, Metric::compute_optimal_loss, i, losses.optimum.loss);
}

void write(const EstimateColumns& out, std::size_t i, const Answer& answer, double ln_sequence_length) {
  out.status[i] = index_of(answer.status);
  if (answer.status != Status::ok) {
    put_nothing(out, i);
    return;
  }
  put_computed(out, Metric::optimal_learning_rate, i, [&] { return std::exp(answer.optimum.x); });
  put_computed(out, Metric::optimal_batch_tokens, i, [&] { return std::exp(answer.optimum.y); });
  put_computed(out, Metric::optimal_batch_sequences, i,
               [&] { return std::exp(answer.optimum.y - ln_sequence_length); });
  put(out, Metric::loss_excess, i, answer.loss_excess);
  put_computed(out, Metric::plateau_low, i, [&] { return std::exp(answer.plateau.low); });
  put_computed(out, Metric::plateau_high, i, [&] { return std::exp(answer.plateau.high); });
  put_computed(out, Metric::learning_rate_at_batch, i, [&] { return std::exp(answer.rate_at_batch); });
  put(out, Metric::extrapolation, i, answer.extrapolation);
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
    const bool with_losses = wants_losses(out);
    for (std::size_t i = 0; i < points.count(); ++i) {
      const Question point = question(codes, i);
      const Answer answer = answer_to(point);
      write(out, i, answer, point.sequence_length);
      if (with_losses) write(out, i, losses_of(point, answer));
    }
  }

  bool leaves_out_unwanted() const override { return true; }

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
