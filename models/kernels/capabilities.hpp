/// Capabilities: the executions that a software stack can run, as its entry lists them.
///
/// A list that an entry lacks is unknown, and then every choice is allowed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/decoded.hpp"
#include "models/entry.hpp"
#include "models/entry_fields.hpp"
#include "models/machine/number_format.hpp"
#include "models/name_set.hpp"

namespace dfsweep {

/// Order of micro-batches; interleaved: one_forward_one_backward with several chunks per stage.
enum class PipelineOrder : std::uint8_t { one_forward_one_backward, interleaved, zero_bubble, dual_pipe, count };
/// What the replicas divide, in the order of the values of `optimizer_sharding`.
enum class ShardedStates : std::uint8_t { none, optimizer, gradients, parameters, count };
/// Overlap of products with the exchanges of a tensor group, in the order of the choices of `tensor_overlap`.
enum class TileOverlap : std::uint8_t { none, ring, pipe, count };
/// Layers of the chunks of an interleaved pipeline; lighter_ends: equal where embedding and output layer count as a
/// layer each.
enum class ChunkLayers : std::uint8_t { equal, lighter_ends, uneven, count };

struct Capabilities {
  NameSet<PipelineOrder> schedules = NameSet<PipelineOrder>::all();
  NameSet<ShardedStates> shardings = NameSet<ShardedStates>::all();
  NameSet<TileOverlap> overlaps = NameSet<TileOverlap>::all();
  NumberFormats formats = NumberFormats::all();
  NameSet<ChunkLayers> chunks = NameSet<ChunkLayers>::all();
};

/// What an execution asks of a stack; nothing where it does not matter: the schedule of one stage, the sharding of one
/// replica, the overlap of one device, the layers of one chunk.
struct StackDemand {
  std::optional<PipelineOrder> schedule;
  std::optional<ShardedStates> sharding;
  std::optional<TileOverlap> overlap;
  std::optional<NumberFormat> format;
  std::optional<ChunkLayers> chunks = {};
};

[[nodiscard]] bool can_run(const Capabilities& stack, const StackDemand& demand);
/// What `stack` lacks: "schedule dual_pipe, number format fp4". Empty where it can run the demand.
[[nodiscard]] std::string lacking(const Capabilities& stack, const StackDemand& demand);

/// The lists of an entry of "software".
[[nodiscard]] Decoded<Capabilities> decode_capabilities(const Entry& entry);

inline constexpr std::array<FieldInfo, 5> capability_fields{{
    {"schedules", FieldType::texts, "1",
     "orders of micro-batches that it can run: one_forward_one_backward, interleaved, zero_bubble, dual_pipe; an empty "
     "list: no pipelines; default: unknown, all allowed",
     "training"},
    {"shardings", FieldType::texts, "1",
     "states that replicas can divide: none, optimizer, gradients, parameters; default: unknown, all allowed",
     "training"},
    {"tensor_overlaps", FieldType::texts, "1",
     "overlaps of a tensor group that it can run: none, ring, pipe; default: unknown, all allowed", "training"},
    {"number_formats", FieldType::texts, "1",
     "formats of its matrix products: fp16, bf16, fp8, int8, fp4, int4; default: unknown, all allowed", "training"},
    {"chunk_layers", FieldType::texts, "1",
     "layers of the chunks of an interleaved pipeline that it can run: equal, lighter_ends (equal where embedding and "
     "output layer count as a layer each), uneven; default: unknown, all allowed",
     "training"},
}};

}  // namespace dfsweep
