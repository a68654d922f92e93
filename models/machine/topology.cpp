/// Decoding of topologies and shapes.
#include "models/machine/topology.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "models/declared_fields.hpp"

namespace dfsweep {

double chips_of(const Shape& shape) {
  return shape.sizes[0] * shape.sizes[1] * shape.sizes[2];
}

double chips_inside(const Shape& shape, std::size_t dimension) {
  double chips = 1.0;
  for (std::size_t d = 0; d < dimension; ++d) chips *= shape.sizes[d];
  return chips;
}

double copies_outside(const Shape& shape, std::size_t dimension) {
  double copies = 1.0;
  for (std::size_t d = dimension + 1; d < shape.count; ++d) copies *= shape.sizes[d];
  return copies;
}

bool is_hierarchical(const Topology& topology) {
  for (std::size_t d = 1; d < topology.count; ++d)
    if (topology.kinds[d] != DimensionKind::ring) return true;
  return false;
}

Decoded<Topology> decode_topology(const Entry& entry) {
  constexpr std::pair<std::string_view, DimensionKind> kinds[] = {{"ring", DimensionKind::ring},
                                                                  {"fully_connected", DimensionKind::fully_connected},
                                                                  {"switch", DimensionKind::switched}};
  Decoded<Topology> decoded;
  const auto found = entry.text_lists.find(TopologyField("dimensions").name());
  const std::size_t count = found == entry.text_lists.end() ? 0 : found->second.size();
  if (count == 0 || count > most_dimensions)
    decoded.problems.push_back({"'dimensions' " + std::string(count == 0 ? "is missing" : "has too many elements"),
                                "a topology has one to three dimensions of ring, fully_connected, switch",
                                {"dimensions"}});
  decoded.value.count = std::min(count, most_dimensions);
  for (std::size_t d = 0; d < decoded.value.count; ++d) {
    const std::string& name = found->second[d];
    const auto known = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return k.first == name; });
    if (known != std::end(kinds))
      decoded.value.kinds[d] = known->second;
    else
      decoded.problems.push_back({"'dimensions' holds '" + name + "'",
                                  "choices: ring, fully_connected, switch",
                                  {"dimensions[" + std::to_string(d) + "]"}});
  }
  return decoded;
}

std::optional<Shape> parse_shape(std::string_view text) {
  constexpr std::uint64_t largest = 1'000'000'000;
  Shape shape;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (shape.count < most_dimensions) {
    std::uint64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size == 0 || size > largest) return std::nullopt;
    shape.sizes[shape.count++] = static_cast<double>(size);
    if (next == end) return shape;
    if (*next != 'x') return std::nullopt;
    at = next + 1;
  }
  return std::nullopt;
}

}  // namespace dfsweep
