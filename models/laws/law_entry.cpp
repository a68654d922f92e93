/// Decoding of laws, their intervals, and the range of learning rates on a plateau.
#include "models/laws/law_entry.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "models/absent.hpp"
#include "models/declared_fields.hpp"

namespace dfsweep {

namespace {

using LawFields = FieldsOf<LawField>;

/// The fields of one target of a law.
struct TargetFields {
  LawField intercept;
  LawField slopes[scale_log_count];  ///< [ScaleLog]
  LawField quantile;
  LawField covariance;
};
constexpr TargetFields rate_fields = {
    "lr_intercept", {"lr_lnN", "lr_lnNa", "lr_lnD", "lr_lnC", "lr_lnL"}, "lr_quantile", "lr_covariance"};
constexpr TargetFields batch_fields = {"batch_intercept",
                                       {"batch_lnN", "batch_lnNa", "batch_lnD", "batch_lnC", "batch_lnL"},
                                       "batch_quantile",
                                       "batch_covariance"};
constexpr LawField curvature_fields[] = {"curvature_xx", "curvature_xy", "curvature_yy"};
constexpr std::string_view kinds[] = {"power", "plain_rate"};
constexpr RateScale rate_scales[] = {RateScale::logarithm, RateScale::plain};

constexpr LawField range_fields[] = {"range_N", "range_Na", "range_D"};
constexpr Interval ScaleRange::*ranges[] = {&ScaleRange::parameters, &ScaleRange::activated_parameters,
                                            &ScaleRange::train_tokens};
constexpr LawField choice_range_fields[] = {"range_lr", "range_batch"};
constexpr Interval ChoiceRange::*choice_ranges[] = {&ChoiceRange::learning_rate, &ChoiceRange::batch_tokens};

/// A constant of the loss law and its field.
struct LossField {
  LawField field;
  double LossLaw::*member;
};
constexpr LossField loss_fields[] = {{"loss_floor", &LossLaw::irreducible},
                                     {"loss_lnA", &LossLaw::ln_a},
                                     {"loss_alpha", &LossLaw::alpha},
                                     {"loss_lnB", &LossLaw::ln_b},
                                     {"loss_beta", &LossLaw::beta}};
constexpr LawField loss_spread_field = "loss_spread";
constexpr LawField interval_lists[] = {"lr_covariance", "batch_covariance"};
constexpr LawField interval_numbers[] = {"interval_confidence", "lr_quantile", "batch_quantile"};

LogLinear log_linear(const LawFields& fields, const TargetFields& target) {
  LogLinear law;
  law.intercept = fields.number_or(target.intercept, absent);
  for (std::size_t i = 0; i < scale_log_count; ++i) law.slope[i] = fields.number_or(target.slopes[i], 0.0);
  return law;
}

void append(std::vector<std::pair<std::string, double>>& fields, const LogLinear& law, const TargetFields& target) {
  fields.emplace_back(target.intercept.name(), law.intercept);
  for (std::size_t i = 0; i < scale_log_count; ++i)
    if (law.slope[i] != 0.0) fields.emplace_back(target.slopes[i].name(), law.slope[i]);
}

LogLinear log_linear(const PowerLaw& law) {
  LogLinear same;
  same.intercept = law.intercept;
  for (std::size_t f = 0; f < law_feature_count; ++f) same.slope[f] = law.exponent[f];
  return same;
}

/// The row f of the design matrix: 1 and the logarithms that have a slope.
std::vector<double> design_row(const LogLinear& target, const ScaleLogs& logs) {
  std::vector<double> row{1.0};
  for (std::size_t i = 0; i < scale_log_count; ++i)
    if (target.slope[i] != 0.0) row.push_back(logs[i]);
  return row;
}

/// Pairs of minimum and maximum, all of `names` or none. `rule` says so to the user.
template <class Range, std::size_t count>
std::optional<Range> range_of(const Entry& entry, LawFields& fields, const LawField (&names)[count],
                              Interval Range::*const (&members)[count], const char* rule) {
  Range range;
  std::size_t given = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = entry.lists.find(names[i].name());
    if (found == entry.lists.end()) continue;
    ++given;
    const std::vector<double>& pair = found->second;
    if (pair.size() != 2 || !(pair[0] > 0.0 && pair[0] <= pair[1]))
      fields.complain(names[i], " is not a range", "a range is [minimum, maximum], both above 0");
    else
      range.*members[i] = {pair[0], pair[1]};
  }
  if (given == 0) return std::nullopt;
  for (const LawField name : names)
    if (entry.lists.find(name.name()) == entry.lists.end()) fields.complain(name, " is missing", rule);
  return range;
}

std::optional<SpreadLossLaw> loss_law_of(LawFields& fields) {
  std::size_t given = 0;
  for (const LossField& each : loss_fields) given += fields.has_number(each.field) ? 1 : 0;
  if (given == 0) return std::nullopt;
  SpreadLossLaw loss;
  for (const LossField& each : loss_fields) {
    if (!fields.has_number(each.field))
      fields.complain(each.field, " is missing", "a law has all five constants of the loss, or none");
    loss.law.*each.member = fields.number_or(each.field, 1.0);
  }
  for (const LossField& each : loss_fields) {
    const bool is_exponent = each.member == &LossLaw::alpha || each.member == &LossLaw::beta;
    const double value = loss.law.*each.member;
    if (is_exponent && !(value > 0.0)) fields.complain(each.field, " is not above 0", "the loss falls with N and D");
    if (each.member == &LossLaw::irreducible && value < 0.0) fields.complain(each.field, " is negative", "");
  }
  if (fields.has_number(loss_spread_field)) loss.spread = fields.positive(loss_spread_field);
  return loss;
}

TargetUncertainty uncertainty_of(const Entry& entry, const TargetFields& target, const LogLinear& law,
                                 LawFields& fields) {
  const auto found = entry.lists.find(target.covariance.name());
  const std::size_t size = design_row(law, {}).size();
  if (found != entry.lists.end() && found->second.size() != size * (size + 1) / 2)
    fields.complain(target.covariance, " has another size than the law",
                    std::to_string(size) + " coefficients have " + std::to_string(size * (size + 1) / 2) + " of them");
  return {fields.positive(target.quantile), found == entry.lists.end() ? std::vector<double>() : found->second};
}

std::optional<LawUncertainty> uncertainty_of(const Entry& entry, const EntryLaw& law, LawFields& fields) {
  std::size_t given = 0;
  for (const LawField name : interval_numbers) given += fields.has_number(name) ? 1 : 0;
  for (const LawField name : interval_lists) given += entry.lists.find(name.name()) != entry.lists.end() ? 1 : 0;
  if (given == 0) return std::nullopt;
  for (const LawField name : interval_lists)
    if (entry.lists.find(name.name()) == entry.lists.end())
      fields.complain(name, " is missing", "a law has all fields of an interval, or none");
  return LawUncertainty{fields.positive("interval_confidence"),
                        uncertainty_of(entry, rate_fields, law.learning_rate, fields),
                        uncertainty_of(entry, batch_fields, law.batch_tokens, fields)};
}

}  // namespace

Decoded<EntryLaw> law_of(const Entry& entry) {
  Decoded<EntryLaw> decoded;
  EntryLaw& law = decoded.value;
  LawFields fields(entry, decoded.problems);
  law.rate_scale = rate_scales[fields.choice_or("kind", kinds, 0)];
  law.loss = loss_law_of(fields);
  const bool has_optimum = fields.has_number(rate_fields.intercept) || fields.has_number(batch_fields.intercept);
  for (const LawField name : {rate_fields.intercept, batch_fields.intercept})
    if (!fields.has_number(name) && (has_optimum || !law.loss))
      fields.complain(name, " is missing", "a law gives learning rate and batch, or else the loss");
  law.learning_rate = log_linear(fields, rate_fields);
  law.batch_tokens = log_linear(fields, batch_fields);
  law.range = range_of(entry, fields, range_fields, ranges, "a law has the ranges of N, Na and D, or none");
  law.choices = range_of(entry, fields, choice_range_fields, choice_ranges,
                         "a law has the ranges of learning rate and batch, or none");
  if (law.loss && !law.range)
    fields.complain(range_fields[0], " is missing", "a law of the loss says for which N and D it was fitted");
  law.uncertainty = uncertainty_of(entry, law, fields);
  std::size_t given = 0;
  for (const LawField name : curvature_fields) given += fields.has_number(name) ? 1 : 0;
  if (given == 0) return decoded;
  const Hessian hessian{fields.number_or("curvature_xx", 0.0), fields.number_or("curvature_xy", 0.0),
                        fields.number_or("curvature_yy", 0.0)};
  if (given < std::size(curvature_fields)) {
    for (const LawField name : curvature_fields)
      if (!fields.has_number(name)) fields.complain(name, " is missing", "a law has all three of a curvature, or none");
  } else if (!hessian.positive_definite()) {
    decoded.problems.push_back({"the curvature has no minimum",
                                "curvature_xx, curvature_xy and curvature_yy form a positive definite matrix",
                                {"curvature_xx", "curvature_xy", "curvature_yy"}});
  }
  law.curvature = hessian;
  return decoded;
}

std::vector<std::pair<std::string, double>> fields_of(const EntryLaw& law) {
  std::vector<std::pair<std::string, double>> fields;
  append(fields, law.learning_rate, rate_fields);
  append(fields, law.batch_tokens, batch_fields);
  if (law.loss) {
    for (const LossField& each : loss_fields) fields.emplace_back(each.field.name(), law.loss->law.*each.member);
    if (is_given(law.loss->spread)) fields.emplace_back(loss_spread_field.name(), law.loss->spread);
  }
  if (law.curvature) {
    fields.emplace_back("curvature_xx", law.curvature->xx);
    fields.emplace_back("curvature_xy", law.curvature->xy);
    fields.emplace_back("curvature_yy", law.curvature->yy);
  }
  if (law.uncertainty) {
    fields.emplace_back("interval_confidence", law.uncertainty->confidence);
    fields.emplace_back("lr_quantile", law.uncertainty->learning_rate.quantile);
    fields.emplace_back("batch_quantile", law.uncertainty->batch_tokens.quantile);
  }
  return fields;
}

std::vector<std::pair<std::string, std::vector<double>>> lists_of(const EntryLaw& law) {
  std::vector<std::pair<std::string, std::vector<double>>> lists;
  const auto add = [&lists](LawField field, const Interval& range) {
    lists.push_back({std::string(field.name()), {range.low, range.high}});
  };
  if (law.range)
    for (std::size_t i = 0; i < std::size(range_fields); ++i) add(range_fields[i], (*law.range).*ranges[i]);
  if (law.choices)
    for (std::size_t i = 0; i < std::size(choice_range_fields); ++i)
      add(choice_range_fields[i], (*law.choices).*choice_ranges[i]);
  if (law.uncertainty) {
    lists.emplace_back("lr_covariance", law.uncertainty->learning_rate.covariance);
    lists.emplace_back("batch_covariance", law.uncertainty->batch_tokens.covariance);
  }
  return lists;
}

Interval interval_at(const LogLinear& target, const TargetUncertainty& uncertainty, const ScaleLogs& logs) {
  const std::vector<double> row = design_row(target, logs);
  double variance = 0.0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      variance += (i == j ? 1.0 : 2.0) * row[i] * uncertainty.covariance[next++] * row[j];
  const double half = uncertainty.quantile * std::sqrt(variance);
  const double value = target.at(logs);
  return {value - half, value + half};
}

EntryLaw entry_law(const ScalingLaw& law, std::optional<Hessian> curvature) {
  EntryLaw entry;
  entry.learning_rate = log_linear(law.learning_rate);
  entry.batch_tokens = log_linear(law.batch_tokens);
  entry.curvature = curvature;
  return entry;
}

RateRange plateau_rates(const Hessian& hessian, LogPoint optimum, double y, double excess) {
  // h_xx u^2 + 2 h_xy u v + h_yy v^2 = 2 ln(1 + d), solved for u
  const double v = y - optimum.y;
  const double middle = -hessian.xy * v;
  const double discriminant = middle * middle - hessian.xx * (hessian.yy * v * v - 2.0 * std::log1p(excess));
  const double root = std::sqrt(discriminant);  // NaN where the line misses the ellipse
  return {optimum.x + (middle - root) / hessian.xx, optimum.x + (middle + root) / hessian.xx};
}

}  // namespace dfsweep
