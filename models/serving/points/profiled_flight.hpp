/// ProfiledFlight: prompts and decode steps of a point from measured tables instead of rooflines.
#pragma once

#include <optional>

#include "models/measured_tables/step_times.hpp"
#include "models/queueing/step_load.hpp"
#include "models/serving/batching/batching.hpp"

namespace dfsweep::serving {

/// Tables at one point of a sweep.
struct ProfiledPlace {
  const StepTimes& steps;
  const PointColumns& points;
  std::size_t i = 0;
};

/// n requests in flight from tables: whole requests and prompts of a chunk, as many chunks as the tokens fill. The work
/// for each sequence, which tables do not have, is added from `costs`. Steps do not share prompts and answers. Nothing
/// where an operator has no table.
[[nodiscard]] std::optional<BatchTimes> profiled_flight(const ProfiledPlace& place, const Costs& costs,
                                                        const Request& request, double count);

/// The same requests in a static batch.
[[nodiscard]] std::optional<BatchTimes> profiled_static_batch(const ProfiledPlace& place, const Costs& costs,
                                                              const Request& request, double count);

/// Lone prompts through all stages, likewise.
[[nodiscard]] std::optional<Seconds> profiled_prompt(const ProfiledPlace& place, const Request& request, double count);

/// Steps of a point from tables, for the queueing of requests: the prompts of a step take their share of a chunk of
/// `request`, and decode steps between whole numbers of sequences are interpolated. NaN where an operator has no table.
class ProfiledSteps {
 public:
  ProfiledSteps(const ProfiledPlace& place, const Costs& costs, const Request& request);
  [[nodiscard]] bool is_complete() const;
  [[nodiscard]] Seconds rank_time(const queueing::StepLoad& rank) const;
  [[nodiscard]] Seconds step_time(Seconds slowest_rank, const queueing::StepLoad&) const { return slowest_rank; }

 private:
  [[nodiscard]] Seconds decode(double sequences, double context) const;
  const ProfiledPlace& place_;
  const Costs& costs_;
  Seconds prompt_token_;
};

}  // namespace dfsweep::serving
