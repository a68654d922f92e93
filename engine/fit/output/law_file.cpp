/// Writing laws.
#include "engine/fit/output/law_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/console/usage_error.hpp"
#include "engine/fit/output/text.hpp"
#include "io/json.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/toml.hpp"

namespace dfsweep::fit {

using namespace hyperparameters;

namespace {

std::optional<Hessian> curvature_of(const FitReport& report, std::size_t subset) {
  for (const SubsetSurface& each : report.joint_surfaces)
    if (each.subset == subset && each.surface.defect == FitDefect::none && each.surface.hessian.positive_definite())
      return each.surface.hessian;
  return std::nullopt;
}

}  // namespace

std::string law_toml(const LawFile& file) {
  std::string text = fmt::format("name = {}\ndescription = {}\nsource = {}\nkind = \"power\"\n\n",
                                 toml_quoted(file.name), toml_quoted(file.description), toml_quoted(file.source));
  for (const auto& [field, value] : fields_of(file.law)) text += fmt::format("{} = {}\n", field, shortest(value));
  return text;
}

std::string law_json(const LawFile& file) {
  JsonObject json{{"name", file.name}, {"description", file.description}, {"source", file.source}, {"kind", "power"}};
  for (const auto& [field, value] : fields_of(file.law)) json.emplace_back(field, value);
  return to_text(json);
}

const SubsetFit& find_named(const FitReport& report, const std::string& law) {
  std::vector<std::string> names;
  for (const SubsetFit& each : report.fits) names.push_back(each.name(report.subsets));
  const auto found = std::find(names.begin(), names.end(), law);
  if (found == names.end())
    throw UsageError(fmt::format("--law: no law '{}' was fitted. {}", law,
                                 did_you_mean(law, names, "Laws: " + listed(names, 6) + ".")));
  return report.fits[static_cast<std::size_t>(found - names.begin())];
}

const SubsetFit& fit_named(const FitReport& report, const std::string& law) {
  const SubsetFit& each = find_named(report, law);
  if (each.fit.defect != FitDefect::none)
    throw UsageError(fmt::format("--law: '{}' could not be fitted ({}).", law, describe(each.fit.defect)));
  return each;
}

LawFile law_file_of(const FitReport& report, const std::string& law, const std::string& name,
                    const std::string& source) {
  const SubsetFit& each = fit_named(report, law);
  return {name,
          fmt::format("{}; {}", law_text("lr", each.fit.learning_rate.law, each.fit.form.learning_rate),
                      law_text("B", each.fit.batch_tokens.law, each.fit.form.batch_tokens)),
          fmt::format("{}, law {}", source, law), entry_law(each.fit.law(), curvature_of(report, each.subset))};
}

}  // namespace dfsweep::fit
