/// Decoding of topologies and shapes.
#include "models/network/topology.hpp"

#include <charconv>

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

DecodedTopology decode_topology(const Entry& entry) {
  const auto found = entry.text_lists.find("dimensions");
  if (found == entry.text_lists.end()) return {std::nullopt, "has no list 'dimensions'"};
  const std::vector<std::string>& names = found->second;
  if (names.empty() || names.size() > most_dimensions) return {std::nullopt, "needs one to three dimensions"};
  Topology topology{.kinds = {}, .count = names.size()};
  for (std::size_t d = 0; d < names.size(); ++d) {
    if (names[d] == "ring")
      topology.kinds[d] = DimensionKind::ring;
    else if (names[d] == "fully_connected")
      topology.kinds[d] = DimensionKind::fully_connected;
    else if (names[d] == "switch")
      topology.kinds[d] = DimensionKind::switched;
    else
      return {std::nullopt, "has the unknown dimension '" + names[d] + "'"};
  }
  return {topology, ""};
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
