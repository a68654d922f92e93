/// The least and the greatest value of a column in a row group, by which readers skip row groups. Source: [parquet]
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/exported_type.hpp"

namespace dfsweep {

/// Values as the format has them in statistics: the bytes of a number, little-endian, or a text.
struct ValueBounds {
  std::string least;
  std::string greatest;
};

/// Of numbers of a type, little-endian; NaN is skipped. Zero has the sign that readers expect: -0 as the least, +0
/// as the greatest. Nothing if no number is left.
[[nodiscard]] std::optional<ValueBounds> bounds_of_numbers(ExportedType type, std::span<const std::byte> plain);

/// Of the labels with these codes, in the order of their bytes. Nothing without codes. Pre: codes < labels.size().
[[nodiscard]] std::optional<ValueBounds> bounds_of_labels(const std::vector<std::string>& labels,
                                                          std::span<const std::uint32_t> codes);

}  // namespace dfsweep
