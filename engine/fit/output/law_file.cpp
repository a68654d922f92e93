/// Writing laws.
#include "engine/fit/output/law_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/console/usage_error.hpp"
#include "engine/fit/output/text.hpp"
#include "engine/fit/report/make_report.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/toml.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

std::optional<Hessian> curvature_of(const FitReport& report, std::size_t subset) {
  const CommonCurvature& common = report.fitted.curvatures[subset].common;
  return common.is_known() ? std::optional(common.surface.hessian()) : std::nullopt;
}

/// "lr = ...; B = ...".
std::string description_of(const ScalingLaw& law, const LawForm& form) {
  return fmt::format("{}; {}", law_text("lr", law.learning_rate, form.learning_rate),
                     law_text("B", law.batch_tokens, form.batch_tokens));
}

}  // namespace

std::string law_toml(const LawFile& file) {
  std::string text = fmt::format("name = {}\ndescription = {}\nsource = {}\nkind = \"power\"\n\n",
                                 toml_quoted(file.name), toml_quoted(file.description), toml_quoted(file.source));
  for (const auto& [field, value] : fields_of(file.law)) text += fmt::format("{} = {}\n", field, shortest(value));
  for (const auto& [field, values] : lists_of(file.law)) {
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : ", ") + shortest(value);
    text += fmt::format("{} = [{}]\n", field, list);
  }
  return text;
}

std::string law_json(const LawFile& file) {
  JsonObject json{{"name", file.name}, {"description", file.description}, {"source", file.source}, {"kind", "power"}};
  for (const auto& [field, value] : fields_of(file.law)) json.emplace_back(field, value);
  for (const auto& [field, values] : lists_of(file.law))
    json.emplace_back(field, JsonArray(values.begin(), values.end()));
  return to_text(json);
}

bool is_law_with_interval(const FitReport& report, const std::string& law) {
  return report.predicted.recommended && report.predicted.recommended->has_interval() &&
         report.predicted.recommended->name(report.fitted.subsets) == law;
}

NamedLaw law_named(const FitReport& report, const std::string& law) {
  if (is_law_with_interval(report, law)) {
    const RecommendedLaw& recommended = *report.predicted.recommended;
    return {recommended.subset, find_law_form(recommended.candidate.form.name), recommended.law(), true};
  }
  const SubsetFit& each = fit_named(report, law);
  return {each.subset, &each.fit.form, each.fit.law(), false};
}

const SubsetFit& find_named(const FitReport& report, const std::string& law) {
  std::vector<std::string> names;
  for (const SubsetFit& each : report.fitted.fits) names.push_back(each.name(report.fitted.subsets));
  const auto found = std::find(names.begin(), names.end(), law);
  if (found == names.end())
    throw UsageError(fmt::format("--law: no law '{}' was fitted. {}", law,
                                 did_you_mean(law, names, "Laws: " + listed(names, 6) + ".")));
  return report.fitted.fits[static_cast<std::size_t>(found - names.begin())];
}

const SubsetFit& fit_named(const FitReport& report, const std::string& law) {
  const SubsetFit& each = find_named(report, law);
  if (each.fit.defect != FitDefect::none)
    throw UsageError(fmt::format("--law: '{}' could not be fitted ({}).", law, describe(each.fit.defect)));
  return each;
}

LawFile law_file_of(const FitReport& report, const std::string& law, const std::string& name,
                    const std::string& source) {
  const NamedLaw named = law_named(report, law);
  LawFile file{name, description_of(named.law, *named.form), fmt::format("{}, law {}", source, law),
               entry_law(named.law, curvature_of(report, named.subset))};
  file.law.range = range_of_groups(report, report.fitted.subsets[named.subset].groups);
  if (const LossLawResult* loss = report.fitted.frontier_law()) file.law.loss = {loss->fit.law, loss->fit.rms_residual};
  if (named.has_interval) {
    const ScatteredLaw& scattered = report.predicted.recommended->scattered;
    file.law.uncertainty = {interval_confidence, uncertainty(scattered.learning_rate, interval_confidence),
                            uncertainty(scattered.batch_tokens, interval_confidence)};
  }
  return file;
}

}  // namespace dfsweep::fit
