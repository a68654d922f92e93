/// Figures of a whole run from one training step: time, cost and energy of its tokens and to its target.
/// Source: docs/models/whole-run.md.
#pragma once

#include <optional>

#include "models/cost/ownership.hpp"
#include "models/laws/law_entry.hpp"
#include "models/transformer/architecture.hpp"
#include "models/units.hpp"
#include "models/whole_run/batch_law.hpp"
#include "models/whole_run/run_tables.hpp"

namespace dfsweep::whole_run {

/// Interval of 95 % of the measured times of a step, in logarithms below and above the predicted one; 0: unknown.
struct StepError {
  double below = 0.0;
  double above = 0.0;
};

/// One training step, as an estimator knows it.
struct RunStep {
  Seconds time;
  double batch = 0.0;            ///< sequences
  double sequence_length = 0.0;  ///< tokens
  double devices = 0.0;          ///< that compute
  Watts power{absent};           ///< of the whole system, on average; NaN: unknown
  NumberFormat format = NumberFormat::bf16;
  Dollars price{absent};  ///< of the whole system; NaN: unknown
  StepError error{};
};

/// What the sweep says of the run; NaN or null where it says nothing.
struct RunChoices {
  double learning_rate = absent;
  double train_tokens = absent;
  double device_hours = absent;
  double target_loss = absent;
  double first_evaluation = absent;
  double evaluation_interval = absent;
  double evaluation_samples = absent;
  double device_hour_price = absent;
  double device_hours_per_interruption = absent;
  double save_time = 0.0;
  double save_interval = absent;
  double restart_time = 0.0;
  double spare_share = absent;
  cost::OwnershipChoices ownership;
  const EntryLaw* law = nullptr;
  const BatchLaw* batch_law = nullptr;
  const Architecture* model = nullptr;  ///< null: laws of N do not apply
};

/// The run that a point describes; figures that do not apply are NaN.
struct RunFigures {
  std::optional<RunStatus> status;  ///< why there is no such run
  EnumArray<RunMetric, double> values{};
  double least_loss = absent;  ///< with status target_out_of_reach: what the law reaches at best
};

/// Which figures are computed besides those of status and time.
struct RunDemand {
  bool law = true;        ///< optimum, loss and extrapolation
  bool target = true;     ///< samples, steps, time, cost and energy to the target
  bool intervals = true;  ///< ends of intervals
};

/// Pre: the step has a positive time, batch, sequence length and number of devices.
[[nodiscard]] RunFigures run_figures_of(const RunStep& step, const RunChoices& choices, const RunDemand& demand);

/// Whether a point can have a status of the run at all: a target or interruptions are given.
[[nodiscard]] inline bool may_have_no_run(const RunChoices& c) {
  return is_given(c.target_loss) || is_given(c.device_hours_per_interruption);
}

}  // namespace dfsweep::whole_run
