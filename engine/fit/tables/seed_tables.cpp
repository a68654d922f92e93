/// The noise between seeds, and what it explains.
#include <fmt/format.h>

#include "engine/fit/tables/fit_tables.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

struct NoiseRow {
  std::string settings;
  SeedNoise noise;
};

}  // namespace

DataTable seed_noise_table(const FitReport& report) {
  std::vector<NoiseRow> rows;
  if (const auto& seeds = report.predicted.seeds) {
    rows.push_back({fmt::format("within {:g} %", 100.0 * seeds->window), seeds->near});
    if (seeds->all) rows.push_back({"all", *seeds->all});
  }
  TableOf<NoiseRow> table("seed_noise", "standard deviation of ln loss between seeds of a setting", std::move(rows));
  const auto of = [](auto member) { return along(&NoiseRow::noise, member); };
  table.add({"settings_are"}, &NoiseRow::settings)
      .add({"settings"}, of(&SeedNoise::settings))
      .add({"runs"}, of(&SeedNoise::runs))
      .add({"diverged"}, of(&SeedNoise::diverged))
      .add({"degrees_of_freedom"}, of(&SeedNoise::degrees))
      .add({"sd_ln_loss"}, of(&SeedNoise::sd))
      .add({"sd_ln_loss_interval"}, of(&SeedNoise::interval));
  return table.take();
}

DataTable seed_comparison_table(const FitReport& report) {
  std::vector<SeedComparison> rows;
  const auto& seeds = report.predicted.seeds;
  if (seeds && seeds->comparison) rows.push_back(*seeds->comparison);
  const auto of = [](auto member, std::size_t target) {
    return [=](const SeedComparison& row) { return (row.*member)[target]; };
  };
  const auto between = [&report](auto law) {
    return [=, &report](const SeedComparison&) { return (report.predicted.recommended->scattered.*law).between_sd; };
  };
  TableOf<SeedComparison> table("seed_comparison", "errors of the recommended law beside the noise between seeds",
                                std::move(rows));
  table.add({"residual_sd_ln_loss"}, &SeedComparison::residual_sd)
      .add({"residual_degrees_of_freedom"}, &SeedComparison::residual_degrees)
      .add({"seed_sd_ln_loss"}, &SeedComparison::seed_sd)
      .add({"seed_degrees_of_freedom"}, &SeedComparison::seed_degrees)
      .add({"variance_ratio"}, &SeedComparison::variance_ratio)
      .add({"p_value"}, &SeedComparison::p_value)
      .add({"seed_sd_ln_learning_rate"}, of(&SeedComparison::optimum_sd, 0))
      .add({"seed_sd_ln_batch_tokens"}, of(&SeedComparison::optimum_sd, 1))
      .add({"between_groups_sd_ln_learning_rate"}, between(&ScatteredLaw::learning_rate))
      .add({"between_groups_sd_ln_batch_tokens"}, between(&ScatteredLaw::batch_tokens));
  return table.take();
}

}  // namespace dfsweep::fit
