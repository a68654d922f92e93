/// Laws of the catalogue, and a line through a plateau.
#include "models/hyperparameters/law_entry.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace dfsweep {

namespace {

constexpr std::array<std::string_view, scale_log_count> log_names = {"lnN", "lnNa", "lnD", "lnC", "lnL"};
constexpr std::string_view intercept_name = "intercept";

std::string field(std::string_view target, std::string_view part) {
  return std::string(target) + "_" + std::string(part);
}

LogLinear log_linear(const Entry& entry, std::string_view target) {
  LogLinear law;
  law.intercept = entry.number_or(field(target, intercept_name), std::numeric_limits<double>::quiet_NaN());
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

std::variant<EntryLaw, LawProblem> law_of(const Entry& entry) {
  EntryLaw law;
  const std::string kind = entry.text_or("kind", "power");
  if (kind != "power" && kind != "plain_rate")
    return LawProblem{"law '" + entry.name + "' is of kind '" + kind + "'", "kinds: power, plain_rate"};
  law.rate_scale = kind == "power" ? RateScale::logarithm : RateScale::plain;
  law.learning_rate = log_linear(entry, "lr");
  law.batch_tokens = log_linear(entry, "batch");
  if (std::isnan(law.learning_rate.intercept) || std::isnan(law.batch_tokens.intercept))
    return LawProblem{"law '" + entry.name + "' has no lr_intercept or no batch_intercept", "a law gives both targets"};
  std::size_t given = 0;
  for (const std::string_view part : {"xx", "xy", "yy"}) given += entry.has_number(field("curvature", part)) ? 1 : 0;
  if (given == 0) return law;
  const Hessian hessian{entry.number_or("curvature_xx", 0.0), entry.number_or("curvature_xy", 0.0),
                        entry.number_or("curvature_yy", 0.0)};
  if (given < 3 || !hessian.positive_definite())
    return LawProblem{"the curvature of law '" + entry.name + "' has no minimum",
                      "curvature_xx, curvature_xy and curvature_yy form a positive definite matrix"};
  law.curvature = hessian;
  return law;
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

}  // namespace dfsweep
