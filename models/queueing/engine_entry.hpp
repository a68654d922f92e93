/// Entries of "engines": the rules and defaults of a serving engine.
#pragma once

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/machine/platform.hpp"
#include "models/queueing/engine_rules.hpp"

namespace dfsweep::queueing {

/// Steps between a prompt and its first token are a number of the software, not of the engine: `rules.lag_steps` keeps
/// its default.
struct EngineEntry {
  EngineRules rules;
  double cache_share = 0.9;  ///< of the memory that `rules.memory_base` names
  Platforms platforms = Platforms::all();
};

/// Missing fields have the defaults of EngineRules.
[[nodiscard]] Decoded<EngineEntry> decode_engine(const Entry& entry);

}  // namespace dfsweep::queueing
