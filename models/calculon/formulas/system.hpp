/// System of the Calculon model: compute engines, two memory tiers and network tiers, each with its efficiency.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/units.hpp"

namespace dfsweep::calculon {

/// Number formats that the model knows.
enum class Datatype : std::uint8_t { float8, float16, bfloat16, float32, unknown };
inline constexpr std::size_t datatype_count = 4;

/// Bytes of a number: 1, 2, 2, 4. Pre: `datatype` is known.
[[nodiscard]] constexpr std::int64_t bytes_of(Datatype datatype) {
  constexpr std::array<std::int64_t, datatype_count> bytes{1, 2, 2, 4};
  return bytes[static_cast<std::size_t>(datatype)];
}

/// Efficiency as a step function of the size of an operation.
struct EfficiencyCurve {
  struct Step {
    double from = 0.0;  ///< FLOP or bytes
    double efficiency = 1.0;
  };
  std::vector<Step> steps;  ///< strictly falling in `from`; the last is from 0

  /// Efficiency of the first step with size >= from. Pre: size >= 0.
  [[nodiscard]] double at(double size) const {
    std::size_t i = 0;
    while (i + 1 < steps.size() && size < steps[i].from) ++i;
    return steps[i].efficiency;
  }
};

/// An engine in one number format.
struct EngineRate {
  double peak = 0.0;  ///< FLOP/s
  EfficiencyCurve efficiency;
  /// flops / (peak eff(flops)), in s.
  [[nodiscard]] double seconds(double flops) const { return flops / (peak * efficiency.at(flops)); }
};

/// Rates by format; a format without a table cannot run.
using Engine = std::array<std::optional<EngineRate>, datatype_count>;

struct MemoryTier {
  double capacity = 0.0;   ///< B
  double bandwidth = 0.0;  ///< B/s
  EfficiencyCurve efficiency;
  /// bytes / (bandwidth eff(bytes)), in s.
  [[nodiscard]] double seconds(double bytes) const { return bytes / (bandwidth * efficiency.at(bytes)); }
};

enum class NetworkOperation : std::uint8_t { p2p, reduce_scatter, all_gather, all_reduce };
inline constexpr std::size_t network_operation_count = 4;

/// Bytes on the wire of an operation on S bytes by P peers: S1 = scalar S, S2 = S1 + (1/P S1) offset.
struct OperationVolume {
  double scalar = 1.0;
  double offset = 0.0;
};

struct NetworkTier {
  double bandwidth = 0.0;  ///< B/s of a processor
  double efficiency = 1.0;
  std::int64_t size = 1;  ///< processors
  double latency = 0.0;   ///< s, once per operation
  bool must_be_filled = false;
  double processor_usage = 0.0;  ///< share of compute that drives the network while both overlap, in [0, 1)
  std::array<OperationVolume, network_operation_count> volumes{};

  /// latency + S2 / (bandwidth efficiency), in s; also for 0 bytes.
  [[nodiscard]] double seconds(NetworkOperation operation, double peers, double bytes) const {
    const OperationVolume& volume = volumes[static_cast<std::size_t>(operation)];
    const double scaled = bytes * volume.scalar;
    const double moved = scaled + 1.0 / peers * scaled * volume.offset;
    return latency + moved / (bandwidth * efficiency);
  }
};

/// How times of computing and of memory traffic make one.
enum class ProcessingMode : std::uint8_t { roofline, no_overlap };

struct System {
  Engine matrix;
  Engine vector;
  MemoryTier memory;   ///< tier 1
  MemoryTier offload;  ///< tier 2; capacity 0: none
  ProcessingMode mode = ProcessingMode::no_overlap;
  std::vector<NetworkTier> networks;

  /// max(compute, traffic) under roofline, else their sum.
  [[nodiscard]] double combined(double compute, double traffic) const {
    if (mode == ProcessingMode::no_overlap) return compute + traffic;
    return compute < traffic ? traffic : compute;
  }
  [[nodiscard]] bool has(Datatype datatype) const {
    const auto format = static_cast<std::size_t>(datatype);
    return format < datatype_count && matrix[format] && vector[format];
  }
};

}  // namespace dfsweep::calculon
