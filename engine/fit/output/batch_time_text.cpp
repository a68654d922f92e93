/// The batch with the least loss beside the one that reaches that loss first, by measured steps.
#include <fmt/format.h>

#include "engine/fit/output/text.hpp"

namespace dfsweep::fit {

std::string batch_time_text(const FitReport& report, const Terminal& terminal) {
  if (report.fitted.batch_times.empty()) return {};
  const ShownColumn view[] = {{"group", "group", 1},
                              {"least_loss_batch", "least loss: tokens", 2, decimals(0)},
                              {"least_loss_step_time", "s/step", 4, significant(3)},
                              {"fastest_batch", "fastest: tokens", 2, decimals(0)},
                              {"fastest_step_time", "s/step", 4, significant(3)},
                              {"tokens_time", "time of D", 5, decimals(3)},
                              {"loss_time", "time to loss", 2, decimals(3)},
                              {"equal_time_loss", "loss at time", 3, decimals(4)}};
  std::string text = view_text(fastest_batches_table(report), view, terminal);
  text += wrapped(
      "  fastest: the batch that reaches the least loss of its group first; its time for D tokens, its time to that "
      "loss and its loss "
      "at equal time are shares of those of the batch with the least loss. More tokens lower the loss as between the "
      "groups of the same "
      "model with other D; without such groups the fastest for D tokens is shown",
      terminal, 2);
  return section(terminal, "batches by measured time", text);
}

}  // namespace dfsweep::fit
