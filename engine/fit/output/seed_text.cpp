/// The noise between seeds, and how much of the errors of the recommended law it explains.
#include <fmt/format.h>

#include "engine/fit/output/text.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr double significance = 0.05;

std::string comparison_text(const SeedComparison& found, const ScatteredLaw& law, const Terminal& terminal) {
  const bool is_lacking = found.p_value < significance;
  const std::array<double, 2> between = {law.learning_rate.between_sd, law.batch_tokens.between_sd};
  const bool seeds_matter = found.optimum_sd[0] > between[0] || found.optimum_sd[1] > between[1];
  return wrapped(fmt::format("  losses scatter about the surface of the recommended law by {}; seeds alone would give "
                             "{}: ratio of variances {:.3g}, p = {:.2g}. {}",
                             per_cent(found.residual_sd), per_cent(found.seed_sd), found.variance_ratio, found.p_value,
                             is_lacking ? "The errors of the surface exceed the noise between seeds"
                                        : "Seeds can explain the residuals"),
                 terminal, 2) +
         wrapped(
             fmt::format("  seeds move the optimum of a group by {:.2g} in ln lr and {:.2g} in ln B; groups scatter "
                         "about the law by {:.2g} and {:.2g}: {}",
                         found.optimum_sd[0], found.optimum_sd[1], between[0], between[1],
                         seeds_matter ? "more seeds or settings near the optimum narrow the interval, and so do "
                                        "more groups"
                                      : "more groups narrow the interval, more seeds hardly change it"),
             terminal, 2);
}

}  // namespace

std::string seed_text(const FitReport& report, const Terminal& terminal) {
  const auto& seeds = report.predicted.seeds;
  if (!seeds) return {};
  const NumberText share = [](double sd) { return per_cent(sd); };
  const ShownColumn view[] = {{"settings_are", "settings", 5},
                              {"settings", "repeated", 4},
                              {"runs", "runs", 4},
                              {"diverged", "diverged", 3},
                              {"degrees_of_freedom", "degrees", 3, decimals(0)},
                              {"sd_ln_loss", "sd of ln loss", 5, share},
                              {"sd_ln_loss_interval", "95 %", 4, share}};
  std::string text = view_text(seed_noise_table(report), view, terminal);
  if (seeds->comparison) text += comparison_text(*seeds->comparison, report.predicted.recommended->scattered, terminal);
  return section(terminal, "seeds", text);
}

}  // namespace dfsweep::fit
