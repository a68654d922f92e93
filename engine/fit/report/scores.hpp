/// Parts of a fit's report that judge laws: by the runs they were fitted to, by groups left out, by the loss itself.
#pragma once

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

/// Published laws, each group's own optimum ("oracle_quad1") and all fitted laws, at every group. Pre: runs in memory.
void score_laws(FitReport& report);

/// Leave one group out for every law; dense to MoE and extrapolation in N, D and compute. Pre: runs in memory.
void cross_validate_laws(FitReport& report);

/// L(N, D) through the least losses of the dense groups and through the minima of their surfaces, with all of them and
/// without those of the largest N.
void fit_loss_laws(FitReport& report);

}  // namespace dfsweep::fit
