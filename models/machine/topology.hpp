/// Topologies: an ordered list of at most three basic dimensions (ring, fully connected, switch) and their sizes.
/// Source: docs/models/dataflow.md, layout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "models/decoded.hpp"
#include "models/entry.hpp"

namespace dfsweep {

enum class DimensionKind : std::uint8_t { ring, fully_connected, switched };

inline constexpr std::size_t most_dimensions = 3;

/// Kinds of the dimensions, innermost (fastest) first.
struct Topology {
  std::array<DimensionKind, most_dimensions> kinds{};
  std::size_t count = 0;
  bool operator==(const Topology&) const = default;
};

/// Sizes of the dimensions in the order of Topology::kinds; `count` 0 means not given. Sizes are whole and >= 1.
struct Shape {
  std::array<double, most_dimensions> sizes{1.0, 1.0, 1.0};
  std::size_t count = 0;
  bool operator==(const Shape&) const = default;
};

/// Number of chips: the product of the sizes.
[[nodiscard]] double chips_of(const Shape& shape);

/// Product of the sizes of the dimensions before `dimension`: the chips of one group joined by that dimension.
[[nodiscard]] double chips_inside(const Shape& shape, std::size_t dimension);

/// Product of the sizes of the dimensions after `dimension`: the number of copies of that dimension's network.
[[nodiscard]] double copies_outside(const Shape& shape, std::size_t dimension);

/// Whether some dimension after the first joins groups through one port each (fully connected or switched), as in a
/// dragonfly or a DGX; false for meshes of rings, where every chip has links in every dimension.
[[nodiscard]] bool is_hierarchical(const Topology& topology);

/// The topology of a catalogue entry: text list `dimensions`, each "ring", "fully_connected" or "switch".
[[nodiscard]] Decoded<Topology> decode_topology(const Entry& entry);

/// Parses "8x128" into sizes 8 and 128; empty where the text is not one to three whole numbers from 1 to 10^9 joined by
/// 'x'.
[[nodiscard]] std::optional<Shape> parse_shape(std::string_view text);

}  // namespace dfsweep
