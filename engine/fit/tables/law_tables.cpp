/// Tables of the fitted laws.
#include <fmt/format.h>

#include "engine/fit/tables/fit_tables.hpp"
#include "engine/fit/tables/table_rendering.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

using Target = TargetFit LawFit::*;
using Features = FeatureSet LawForm::*;

/// A coefficient of a target and its standard error. A feature that the form has not is absent from its law: its
/// exponent is 0.
void add_law_coefficients(TableOf<SubsetFit>& table, const std::string& target, Target fit, Features features) {
  const auto exponents = [fit, features](PowerLaw TargetFit::*of, std::size_t f) {
    return [=](const SubsetFit& each) {
      const bool is_used = (each.fit.form.*features).has(static_cast<LawFeature>(f));
      return is_used ? std::optional((each.fit.*fit.*of).exponent[f]) : std::nullopt;
    };
  };
  const auto intercept = [fit](PowerLaw TargetFit::*of) {
    return [=](const SubsetFit& each) { return (each.fit.*fit.*of).intercept; };
  };
  const auto add_law = [&](const std::string& suffix, const std::string& group, PowerLaw TargetFit::*of,
                           double absent) {
    const std::string object = target + group;
    table.add({target + "_intercept" + suffix, "1", object + "intercept"}, intercept(of));
    for (std::size_t f = 0; f < law_feature_count; ++f) {
      const std::string feature(law_feature_names[f]);
      table.add({fmt::format("{}_{}{}", target, feature, suffix), "1", object + feature, absent}, exponents(of, f));
    }
  };
  add_law("", "/coefficients/", &TargetFit::law, 0.0);
  add_law("_se", "/standard_errors/", &TargetFit::standard_error, NAN);
}

void add_target(TableOf<SubsetFit>& table, const std::string& target, Target fit, Features features) {
  table.add({target + "_rows", "1", target + "/n"}, [fit](const SubsetFit& each) { return (each.fit.*fit).n; })
      .add({target + "_residual_sd", "1", target + "/residual_sd"},
           [fit](const SubsetFit& each) { return (each.fit.*fit).residual_sd; });
  add_law_coefficients(table, target, fit, features);
}

/// "0.013, 0.021": standard errors of the exponents.
std::string errors_text(const TargetFit& fit, FeatureSet features) {
  std::string text;
  if (!std::isfinite(fit.standard_error.intercept)) return text;
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f)))
      text += (text.empty() ? "" : ", ") + significant(2)(fit.standard_error.exponent[f]);
  return text;
}

}  // namespace

std::string law_text(std::string_view target, const PowerLaw& law, FeatureSet features) {
  constexpr std::string_view symbols[] = {"N", "Na", "D", "C"};
  if (!std::isfinite(law.intercept)) return fmt::format("{} = -", target);
  std::string text = fmt::format("{} = {:.4g}", target, std::exp(law.intercept));
  for (std::size_t f = 0; f < law_feature_count; ++f)
    if (features.has(static_cast<LawFeature>(f))) text += fmt::format(" {}^{:.4f}", symbols[f], law.exponent[f]);
  return text;
}

FitTable fits_table(const FitReport& report, std::vector<SubsetFit> fits) {
  TableOf<SubsetFit> table("fits", "laws of both targets by every estimator", std::move(fits));
  table.add({"law"}, [&](const SubsetFit& each) { return each.name(report.fitted.subsets); })
      .add({"family"}, [&](const SubsetFit& each) { return report.fitted.subsets[each.subset].name; })
      .add({"form"}, [](const SubsetFit& each) { return each.fit.form.name; })
      .add({"method"}, [](const SubsetFit& each) { return method_name(each.fit.method); })
      .add({"defect"}, [](const SubsetFit& each) { return describe(each.fit.defect); });
  add_target(table, "learning_rate", &LawFit::learning_rate, &LawForm::learning_rate);
  add_target(table, "batch_tokens", &LawFit::batch_tokens, &LawForm::batch_tokens);
  const auto equation = [](const char* name, Target fit, Features features) {
    return [=](const SubsetFit& each) { return law_text(name, (each.fit.*fit).law, each.fit.form.*features); };
  };
  const auto errors = [](Target fit, Features features) {
    return [=](const SubsetFit& each) { return errors_text(each.fit.*fit, each.fit.form.*features); };
  };
  const auto if_good = [](auto text, auto otherwise) {
    return [=](const SubsetFit& each) {
      return each.fit.defect == FitDefect::none ? text(each) : std::string(otherwise(each.fit.defect));
    };
  };
  const auto nothing = [](FitDefect) { return ""; };
  table.view("learning_rate_law", if_good(equation("lr", &LawFit::learning_rate, &LawForm::learning_rate), describe))
      .view("learning_rate_errors", errors(&LawFit::learning_rate, &LawForm::learning_rate))
      .view("batch_tokens_law", if_good(equation("B", &LawFit::batch_tokens, &LawForm::batch_tokens), nothing))
      .view("batch_tokens_errors", errors(&LawFit::batch_tokens, &LawForm::batch_tokens));
  return table.take();
}

}  // namespace dfsweep::fit
