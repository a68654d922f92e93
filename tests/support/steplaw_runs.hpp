/// Training runs for tests and benchmarks: the released tables, and synthetic surfaces of any size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/law_fits/runs/runs.hpp"
#include "models/law_fits/surfaces/surface.hpp"

namespace dfsweep::testing {

/// The dense table, then the MoE table, from a folder with the files of step-law/steplaw. Throws where one is missing.
[[nodiscard]] law_fits::TrainingRuns released_runs(const std::string& folder);
/// The dense table alone.
[[nodiscard]] law_fits::TrainingRuns released_dense_runs(const std::string& folder);

/// Groups of 120 runs each on known surfaces: ln N, ln Na, ln D uniform, lr and B on a grid of 12 x 10,
///     x* = 2.3 - 0.68 ln N + 0.21 ln D,  y* = 4.3 - 0.25 ln Na + 0.575 ln D,
///     ln L = ln(1.7 + exp(6 - 0.34 ln N) + exp(6.4 - 0.30 ln D)) + 0.5 (z - z*)' H (z - z*) + 6e-4 e,
/// H = (0.0115, -0.0045, 0.0115), e nearly normal (twelve uniform numbers minus 6).
[[nodiscard]] law_fits::TrainingRuns synthetic_runs(std::uint64_t seed, std::size_t groups);

/// Groups without noise: ln L = 1 + 0.5 (z - z*)' H (z - z*), z* by a law.
struct ExactGroups {
  ScalingLaw law;
  Hessian hessian;
  std::vector<TrainingScale> scales;  ///< one group each, all dense and of one recipe
  double step = 0.35;  ///< between runs in ln lr and ln B; the grid of 9 x 9 is centred half a step off z*
};
[[nodiscard]] law_fits::TrainingRuns exact_runs(const ExactGroups& groups);

/// Nine scales: N, Na and D vary independently. M = 6 Na.
[[nodiscard]] std::vector<TrainingScale> nine_scales();

}  // namespace dfsweep::testing
