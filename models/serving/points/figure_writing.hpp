/// Writing of figures: metrics of a point from its service, its deployment and its simulation.
#pragma once

#include "models/queueing/simulation/simulate.hpp"
#include "models/serving/points/batch_work.hpp"
#include "models/serving/points/figures.hpp"
#include "models/serving/points/service.hpp"

namespace dfsweep::serving {

/// Until prompts are read by the target and by the draft model, where there is one, if they are alone.
[[nodiscard]] Seconds lone_prompts_time(const Deployment& deployment, const Prompts& prompts);

/// Passes of the draft model, then one of the target over the window and the token before it.
[[nodiscard]] SpeculationWindow window_of(const Deployment& deployment, const Request& request, double batch);

/// What the times of a deployment follow from. `prices`: null without measured operators.
[[nodiscard]] TimeSource time_source_of(const PoolPrices* prices);

void write_times(Figures& figures, const Service& service, const OperatingPoint& o);
void write_quantiles(Figures& figures, const queueing::SimulatedLoad& load, double within_limits);
void write_memory(Figures& figures, const Deployment& deployment, const Demand& demand, const OperatingPoint& o);

/// How exact the closed form is for such servers. Pre: prompts and answers share them.
void write_queueing_errors(Figures& figures, const Deployment& deployment, const Demand& demand,
                           const Service& service);

/// `average`: of a device; NaN: not wanted.
void write_costs(Figures& figures, const Deployment& deployment, const Demand& demand, double devices, Watts average);
/// The share of the phase's time that is from measured operators, and the error that is expected then. Pre: the
/// deployment has prices.
void write_coverage(Figures& figures, const Deployment& deployment, const OperatingPoint& o, Phase phase,
                    const Service& service);
/// `sequences`: decoded at once, of all replicas.
void write_speculation(Figures& figures, const Deployment& deployment, const OperatingPoint& o, double batch,
                       double sequences);

}  // namespace dfsweep::serving
