/// A system of the Calculon model whose times can be computed by hand: round rates, full efficiency, no latency.
#pragma once

#include "models/calculon/formulas/execution.hpp"

namespace dfsweep::testing {

/// Matrix engine 1000 FLOP/s, vector engine 100 FLOP/s, memory 50 B/s and 10^6 B, offload 10 B/s and 10^6 B; one
/// network tier of 64 processors and 5 B/s, whose operations put their bytes on the wire once. fp16 only; times add up.
[[nodiscard]] inline calculon::System small_system() {
  using calculon::Datatype;
  using calculon::EfficiencyCurve;
  using calculon::EngineRate;
  using calculon::NetworkTier;
  using calculon::System;
  const EfficiencyCurve full{{{0.0, 1.0}}};
  System system;
  const auto format = static_cast<std::size_t>(Datatype::float16);
  system.matrix[format] = EngineRate{1000.0, full};
  system.vector[format] = EngineRate{100.0, full};
  system.memory = {1e6, 50.0, full};
  system.offload = {1e6, 10.0, full};
  NetworkTier tier;
  tier.bandwidth = 5.0;
  tier.size = 64;
  system.networks.push_back(tier);
  return system;
}

}  // namespace dfsweep::testing
