/// The law of the loss over N and D, and the models that spend a budget best.
#include <fmt/format.h>

#include "engine/fit/output/text.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

/// "L = 1.69 + 406.4 N^-0.34 + 410.7 D^-0.28".
std::string equation_of(const LossLaw& law) {
  return fmt::format("L = {:.4g} + {:.4g} N^-{:.4f} + {:.4g} D^-{:.4f}", law.irreducible, std::exp(law.ln_a), law.alpha,
                     std::exp(law.ln_b), law.beta);
}

}  // namespace

std::string loss_law_text(const FitReport& report, const Terminal& terminal) {
  const LossLawResult* law = report.fitted.frontier_law();
  if (law == nullptr) return {};
  std::string text =
      wrapped(fmt::format("  {} (dense groups, {}; at most {:.2f} % from an observed loss)", equation_of(law->fit.law),
                          law->target == "quad1_min" ? "minima of their surfaces" : "their least losses",
                          100.0 * law->fit.max_residual),
              terminal, 2);
  if (!law->fit.identifiable)
    text += wrapped(
        "  E, A and alpha are not determined by these runs; trust losses within the range of the runs, not "
        "the constants",
        terminal, 2);
  const ShownColumn view[] = {{"flops", "FLOP", 2},
                              {"parameters", "N", 3},
                              {"train_tokens", "D", 3},
                              {"tokens_per_parameter", "D/N", 4, significant(3)},
                              {"loss", "loss", 3, decimals(4)},
                              {"remark", "", 1}};
  text += "  least loss for a budget of 6 N D:\n" + view_text(frontier_table(report), view, terminal);
  return section(terminal, "loss law and compute-optimal models", text);
}

}  // namespace dfsweep::fit
