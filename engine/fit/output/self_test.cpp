#include "engine/fit/output/self_test.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "engine/tables/rendering.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

std::string percent_text(double percents) {
  return fmt::format("{:.1f} %", percents);
}

std::string table_text(const SelfTest& test, const KnownTruth& truth, const CoverageTable& table,
                       const Terminal& terminal) {
  const std::string recommended = table.methods[recommended_coverage_method()].method;
  const auto covered = [&](std::size_t target) {
    return [&table, target](const MethodCoverage& row) { return 100.0 * row.covered[target] / table.sets; };
  };
  const auto half_width = [](std::size_t target) {
    return [target](const MethodCoverage& row) { return row.half_width[target]; };
  };
  const NumberText four_decimals = [](double value) { return fmt::format("{:.4f}", value); };
  TableOf<MethodCoverage> rows(table.methods);
  rows.show({.heading = "interval", .weight = 9, .narrowest = 12},
            [&](const MethodCoverage& row) { return row.method + (row.method == recommended ? " *" : ""); })
      .show({"lr", 8, percent_text, "", "covered"}, covered(0))
      .show({"B", 7, percent_text, "", "covered"}, covered(1))
      .show({"lr", 6, four_decimals, "", "half-width"}, half_width(0))
      .show({"B", 5, four_decimals, "", "half-width"}, half_width(1));
  const double nominal = test.coverage.confidence;
  std::string text = wrapped(
      fmt::format(
          "{:.0f} sets of simulated runs, noise {:.2g} %, groups scatter by {:.2g} in ln lr and ln B, {} basins. "
          "Nominal {:.0f} %; standard error of a share {:.1f} %.",
          table.sets, 100.0 * truth.noise, truth.group_effect, truth.skew == KnownTruth{}.skew ? "even" : "skewed",
          100.0 * nominal, 100.0 * share_error(nominal, table.sets)),
      terminal, 0);
  text += table_with_note(text_columns(rows.take()), terminal, 2);
  text += wrapped(
      fmt::format("  * recommended: bias {:+.4f}, {:+.4f}; scatter of its values {:.4f}, {:.4f}; sets without a "
                  "law {:.0f}.",
                  table.bias[0], table.bias[1], table.sd[0], table.sd[1], table.defects),
      terminal, 4);
  return text + "\n";
}

Json pair_json(const std::array<double, 2>& values) {
  return JsonArray{values[0], values[1]};
}

Json table_json(const KnownTruth& truth, const CoverageTable& table) {
  JsonArray methods;
  for (const MethodCoverage& row : table.methods)
    methods.push_back(JsonObject{{"method", row.method},
                                 {"coverage", JsonArray{row.covered[0] / table.sets, row.covered[1] / table.sets}},
                                 {"covered", pair_json(row.covered)},
                                 {"mean_half_width", pair_json(row.half_width)}});
  return JsonObject{{"group_effect", truth.group_effect},
                    {"noise", truth.noise},
                    {"curvature", JsonArray{truth.curvature.xx, truth.curvature.xy, truth.curvature.yy}},
                    {"skew", JsonArray{truth.skew[0], truth.skew[1], truth.skew[2], truth.skew[3]}},
                    {"sets", table.sets},
                    {"sets_without_law", table.defects},
                    {"bias", pair_json(table.bias)},
                    {"sd", pair_json(table.sd)},
                    {"mean_between_sd", pair_json(table.mean_between_sd)},
                    {"mean_located_groups", table.mean_located_groups},
                    {"methods", std::move(methods)}};
}

}  // namespace

std::string self_test_text(const SelfTest& test, const Terminal& terminal) {
  const TrainingScale& target = test.coverage.target;
  std::string text =
      wrapped(fmt::format("How often {:.0f} % intervals of ln lr* and ln B* at N = {:.3g}, D = {:.3g} contain "
                          "the truth of simulated runs.",
                          100.0 * test.coverage.confidence, target.parameters, target.train_tokens),
              terminal, 0) +
      "\n";
  for (const auto& [truth, table] : test.tables) text += table_text(test, truth, table, terminal);
  return text;
}

Json self_test_json(const SelfTest& test) {
  JsonArray tables;
  for (const auto& [truth, table] : test.tables) tables.push_back(table_json(truth, table));
  const TrainingScale& target = test.coverage.target;
  return JsonObject{{"confidence", test.coverage.confidence},
                    {"seed", test.settings.seed},
                    {"replicates", test.coverage.replicates},
                    {"target", JsonObject{{"parameters", target.parameters}, {"train_tokens", target.train_tokens}}},
                    {"recommended", std::string(coverage_methods()[recommended_coverage_method()])},
                    {"tables", std::move(tables)}};
}

}  // namespace dfsweep::fit
