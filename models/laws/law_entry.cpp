/// Laws of the catalogue, and a line through a plateau.
#include "models/laws/law_entry.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "models/absent.hpp"
#include "models/field_reader.hpp"

namespace dfsweep::hyperparameters {

namespace {

constexpr std::array<std::string_view, scale_log_count> log_names = {"lnN", "lnNa", "lnD", "lnC", "lnL"};
constexpr std::string_view intercept_name = "intercept";
constexpr std::string_view curvature_fields[] = {"curvature_xx", "curvature_xy", "curvature_yy"};
constexpr std::string_view kinds[] = {"power", "plain_rate"};
constexpr RateScale rate_scales[] = {RateScale::logarithm, RateScale::plain};

constexpr std::string_view range_fields[] = {"range_N", "range_Na", "range_D"};
constexpr Interval ScaleRange::*ranges[] = {&ScaleRange::parameters, &ScaleRange::activated_parameters,
                                            &ScaleRange::train_tokens};
constexpr std::string_view interval_lists[] = {"lr_covariance", "batch_covariance"};
constexpr std::string_view interval_numbers[] = {"interval_confidence", "lr_quantile", "batch_quantile"};

std::string field(std::string_view target, std::string_view part) {
  return std::string(target) + "_" + std::string(part);
}

LogLinear log_linear(const Entry& entry, std::string_view target) {
  LogLinear law;
  law.intercept = entry.number_or(field(target, intercept_name), absent);
  for (std::size_t i = 0; i < scale_log_count; ++i) law.slope[i] = entry.number_or(field(target, log_names[i]), 0.0);
  return law;
}

void append(std::vector<std::pair<std::string, double>>& fields, const LogLinear& law, std::string_view target) {
  fields.emplace_back(field(target, intercept_name), law.intercept);
  for (std::size_t i = 0; i < scale_log_count; ++i)
    if (law.slope[i] != 0.0) fields.emplace_back(field(target, log_names[i]), law.slope[i]);
}

LogLinear log_linear(const PowerLaw& law) {
  LogLinear same;
  same.intercept = law.intercept;
  for (std::size_t f = 0; f < law_feature_count; ++f) same.slope[f] = law.exponent[f];
  return same;
}

/// (1, ln quantities with a slope).
std::vector<double> design_row(const LogLinear& target, const ScaleLogs& logs) {
  std::vector<double> row{1.0};
  for (std::size_t i = 0; i < scale_log_count; ++i)
    if (target.slope[i] != 0.0) row.push_back(logs[i]);
  return row;
}

std::optional<ScaleRange> range_of(const Entry& entry, FieldReader& fields) {
  ScaleRange range;
  std::size_t given = 0;
  for (std::size_t i = 0; i < std::size(range_fields); ++i) {
    const auto found = entry.lists.find(range_fields[i]);
    if (found == entry.lists.end()) continue;
    ++given;
    const std::vector<double>& pair = found->second;
    if (pair.size() != 2 || !(pair[0] > 0.0 && pair[0] <= pair[1]))
      fields.complain(range_fields[i], " is no range", "a range is [least, greatest], both above 0");
    else
      range.*ranges[i] = {pair[0], pair[1]};
  }
  if (given == 0) return std::nullopt;
  for (const std::string_view name : range_fields)
    if (entry.lists.find(name) == entry.lists.end())
      fields.complain(name, " is missing", "a law has the ranges of N, Na and D, or none");
  return range;
}

TargetUncertainty uncertainty_of(const Entry& entry, std::string_view target, const LogLinear& law,
                                 FieldReader& fields) {
  const std::string covariance = field(target, "covariance");
  const auto found = entry.lists.find(covariance);
  const std::size_t size = design_row(law, {}).size();
  if (found != entry.lists.end() && found->second.size() != size * (size + 1) / 2)
    fields.complain(covariance, " has another size than the law",
                    std::to_string(size) + " coefficients have " + std::to_string(size * (size + 1) / 2) + " of them");
  return {fields.positive(field(target, "quantile")),
          found == entry.lists.end() ? std::vector<double>() : found->second};
}

std::optional<LawUncertainty> uncertainty_of(const Entry& entry, const EntryLaw& law, FieldReader& fields) {
  std::size_t given = 0;
  for (const std::string_view name : interval_numbers) given += entry.has_number(name) ? 1 : 0;
  for (const std::string_view name : interval_lists) given += entry.lists.find(name) != entry.lists.end() ? 1 : 0;
  if (given == 0) return std::nullopt;
  for (const std::string_view name : interval_lists)
    if (entry.lists.find(name) == entry.lists.end())
      fields.complain(name, " is missing", "a law has all fields of an interval, or none");
  return LawUncertainty{fields.positive("interval_confidence"), uncertainty_of(entry, "lr", law.learning_rate, fields),
                        uncertainty_of(entry, "batch", law.batch_tokens, fields)};
}

}  // namespace

Decoded<EntryLaw> law_of(const Entry& entry) {
  Decoded<EntryLaw> decoded;
  EntryLaw& law = decoded.value;
  FieldReader fields(entry, decoded.problems);
  law.rate_scale = rate_scales[fields.choice_or("kind", kinds, 0)];
  for (const std::string_view target : {"lr", "batch"})
    if (const std::string name = field(target, intercept_name); !entry.has_number(name))
      fields.complain(name, " is missing", "a law gives learning rate and batch");
  law.learning_rate = log_linear(entry, "lr");
  law.batch_tokens = log_linear(entry, "batch");
  law.range = range_of(entry, fields);
  law.uncertainty = uncertainty_of(entry, law, fields);
  std::size_t given = 0;
  for (const std::string_view name : curvature_fields) given += entry.has_number(name) ? 1 : 0;
  if (given == 0) return decoded;
  const Hessian hessian{entry.number_or("curvature_xx", 0.0), entry.number_or("curvature_xy", 0.0),
                        entry.number_or("curvature_yy", 0.0)};
  if (given < std::size(curvature_fields)) {
    for (const std::string_view name : curvature_fields)
      if (!entry.has_number(name)) fields.complain(name, " is missing", "a law has all three of a curvature, or none");
  } else if (!hessian.positive_definite()) {
    decoded.problems.push_back({"the curvature has no minimum",
                                "curvature_xx, curvature_xy and curvature_yy form a positive definite matrix",
                                {std::begin(curvature_fields), std::end(curvature_fields)}});
  }
  law.curvature = hessian;
  return decoded;
}

std::vector<std::pair<std::string, double>> fields_of(const EntryLaw& law) {
  std::vector<std::pair<std::string, double>> fields;
  append(fields, law.learning_rate, "lr");
  append(fields, law.batch_tokens, "batch");
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
  if (law.range)
    for (std::size_t i = 0; i < std::size(range_fields); ++i) {
      const Interval& range = (*law.range).*ranges[i];
      lists.push_back({std::string(range_fields[i]), {range.low, range.high}});
    }
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
  return {RateScale::logarithm, log_linear(law.learning_rate), log_linear(law.batch_tokens), curvature, std::nullopt,
          std::nullopt};
}

RateRange plateau_rates(const Hessian& hessian, LogPoint optimum, double y, double excess) {
  // h_xx u^2 + 2 h_xy u v + h_yy v^2 = 2 ln(1 + d), solved for u
  const double v = y - optimum.y;
  const double middle = -hessian.xy * v;
  const double discriminant = middle * middle - hessian.xx * (hessian.yy * v * v - 2.0 * std::log1p(excess));
  const double root = std::sqrt(discriminant);  // NaN where the line misses the ellipse
  return {optimum.x + (middle - root) / hessian.xx, optimum.x + (middle + root) / hessian.xx};
}

}  // namespace dfsweep::hyperparameters
