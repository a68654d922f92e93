/// StepPrices: times of the parts of a step of one replica from measured tables, over what varies from step to step.
/// Source: docs/models/serving.md, measured operators.
#pragma once

#include <cstdint>
#include <optional>

#include "models/operators/log_surface.hpp"
#include "models/units.hpp"

namespace dfsweep::serving {

/// What of a step tables can price.
enum class StepPart : std::uint8_t {
  attention_products,  ///< products with the matrices of attention
  dense_products,      ///< with those of dense networks, shared experts and routers
  experts,             ///< routed experts
  output,              ///< the output layer
  prompts,             ///< attention of prompts
  decoding,            ///< attention of sequences that decode
  exchanges,           ///< all-reduces of the tensor group
};
inline constexpr std::size_t step_part_count = 7;

/// Seconds over keys, and the relative error that half of such predictions stay below.
template <std::size_t Axes>
struct PricedSurface {
  operators::LogSurface<Axes> seconds;
  operators::LogSurface<Axes> errors;
};

/// Every time is of all layers of a pass, a device's share. A part without prices keeps its closed form.
struct StepPrices {
  std::optional<PricedSurface<1>> rank_tokens;  ///< tokens of a rank: products of attention and networks, all-reduces
  std::optional<PricedSurface<1>> exchanges;    ///< of these, all-reduces alone
  std::optional<PricedSurface<1>> experts;      ///< tokens of all ranks
  std::optional<PricedSurface<1>> output;       ///< tokens that are sampled
  std::optional<PricedSurface<2>> decoding;     ///< sequences, mean context
  std::optional<PricedSurface<3>> prompts;      ///< prompts, tokens of each, mean tokens before these
  Seconds launches;                             ///< of the kernels of a decode step whose times have them inside
  std::uint8_t priced = 0;                      ///< bit p: StepPart p
  std::uint8_t far = 0;                         ///< bit p: StepPart p has tables, but no near rows in them

  [[nodiscard]] constexpr bool has(StepPart part) const { return (priced >> static_cast<unsigned>(part) & 1U) != 0; }
};

/// A time from tables, and time x relative error.
struct PricedTime {
  Seconds time;
  Seconds error;
};
[[nodiscard]] inline PricedTime operator+(const PricedTime& a, const PricedTime& b) {
  return {a.time + b.time, a.error + b.error};
}
[[nodiscard]] inline PricedTime operator*(double times, const PricedTime& a) {
  return {times * a.time, times * a.error};
}

}  // namespace dfsweep::serving
