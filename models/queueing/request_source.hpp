/// Requests that come at given times, pulled block by block, so that long traces need little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/units.hpp"

namespace dfsweep::queueing {

/// A request of a trace. Requests come in the order of their arrivals.
struct TracedRequest {
  Seconds arrival;
  std::uint32_t prompt_tokens = 1;
  std::uint32_t output_tokens = 1;
};

class RequestSource {
 public:
  virtual ~RequestSource() = default;
  /// Fills the front of `block` with the next requests; how many they are, 0 at the end.
  virtual std::size_t next(std::span<TracedRequest> block) = 0;
  /// Tokens of the longest answer of the whole trace, for engines that reserve it.
  [[nodiscard]] virtual std::uint32_t largest_output() const = 0;
};

}  // namespace dfsweep::queueing
