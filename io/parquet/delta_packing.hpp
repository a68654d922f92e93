/// Whole numbers of a Parquet page as differences of neighbours (DELTA_BINARY_PACKED). Source: [parquet]
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep {

/// Appends the numbers of a page. Numbers that differ from the one before by the same amount take five bytes for 128.
void append_differences(std::vector<std::byte>& bytes, std::span<const std::uint64_t> numbers);

}  // namespace dfsweep
