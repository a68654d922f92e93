#include "models/kernels/capabilities.hpp"

#include <array>
#include <string_view>

namespace dfsweep {

namespace {

constexpr std::array<std::string_view, 4> order_names{"one_forward_one_backward", "interleaved", "zero_bubble",
                                                      "dual_pipe"};
constexpr std::array<std::string_view, 4> sharding_names{"none", "optimizer", "gradients", "parameters"};
constexpr std::array<std::string_view, 3> overlap_names{"none", "ring", "pipe"};
constexpr std::array<std::string_view, 3> chunk_names{"equal", "lighter_ends", "uneven"};

template <class Enumerator>
bool allows(const NameSet<Enumerator>& set, const std::optional<Enumerator>& asked) {
  return !asked || set.has(*asked);
}

template <class Enumerator, std::size_t size>
void add_lacking(std::string& text, std::string_view what, const NameSet<Enumerator>& set,
                 const std::optional<Enumerator>& asked, const std::array<std::string_view, size>& names) {
  if (allows(set, asked)) return;
  text += (text.empty() ? "" : ", ") + std::string(what) + " " + std::string(names[index_of(*asked)]);
}

}  // namespace

bool can_run(const Capabilities& stack, const StackDemand& demand) {
  return allows(stack.schedules, demand.schedule) && allows(stack.shardings, demand.sharding) &&
         allows(stack.overlaps, demand.overlap) && allows(stack.formats, demand.format) &&
         allows(stack.chunks, demand.chunks);
}

std::string lacking(const Capabilities& stack, const StackDemand& demand) {
  std::string text;
  add_lacking(text, "schedule", stack.schedules, demand.schedule, order_names);
  add_lacking(text, "sharding", stack.shardings, demand.sharding, sharding_names);
  add_lacking(text, "tensor overlap", stack.overlaps, demand.overlap, overlap_names);
  add_lacking(text, "number format", stack.formats, demand.format, number_format_names);
  add_lacking(text, "chunks of layers that are", stack.chunks, demand.chunks, chunk_names);
  return text;
}

Decoded<Capabilities> decode_capabilities(const Entry& entry) {
  Decoded<Capabilities> decoded;
  Capabilities& c = decoded.value;
  std::vector<EntryProblem>& problems = decoded.problems;
  c.schedules = names_or<PipelineOrder>(entry, "schedules", order_names, c.schedules, problems);
  c.shardings = names_or<ShardedStates>(entry, "shardings", sharding_names, c.shardings, problems);
  c.overlaps = names_or<TileOverlap>(entry, "tensor_overlaps", overlap_names, c.overlaps, problems);
  c.formats = names_or<NumberFormat>(entry, "number_formats", number_format_names, c.formats, problems);
  c.chunks = names_or<ChunkLayers>(entry, "chunk_layers", chunk_names, c.chunks, problems);
  return decoded;
}

}  // namespace dfsweep
