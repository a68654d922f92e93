/// Laws of the catalogue, and a line through a plateau.
#include "models/hyperparameters/points/law_entry.hpp"

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
  return fields;
}

EntryLaw entry_law(const ScalingLaw& law, std::optional<Hessian> curvature) {
  return {RateScale::logarithm, log_linear(law.learning_rate), log_linear(law.batch_tokens), curvature};
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
