#include "engine/results/group_numbers.hpp"

namespace dfsweep {

namespace {

/// Above this number of possible groups a hash map replaces the table.
constexpr std::uint64_t dense_limit = std::uint64_t{1} << 22;
constexpr std::uint32_t no_group = 0xFFFFFFFF;

}  // namespace

GroupNumbers::GroupNumbers(std::span<const std::uint64_t> sizes)
    : sizes_(sizes.begin(), sizes.end()), chains_(sizes.size()) {
  std::uint64_t product = 1;
  for (const std::uint64_t size : sizes_)
    product = size == 0 || product > dense_limit / size ? dense_limit + 1 : product * size;
  if (product <= dense_limit) dense_.assign(product, no_group);
}

std::uint32_t GroupNumbers::number(std::span<const std::uint32_t> codes) {
  return dense_.empty() ? number_by_chain(codes) : number_by_table(codes);
}

std::uint32_t GroupNumbers::number_by_table(std::span<const std::uint32_t> codes) {
  std::uint64_t key = 0;
  for (std::size_t c = 0; c < codes.size(); ++c) key = key * sizes_[c] + codes[c];
  if (dense_[key] == no_group) dense_[key] = count_++;
  return dense_[key];
}

std::uint32_t GroupNumbers::number_by_chain(std::span<const std::uint32_t> codes) {
  // The key of a chain is (number of the prefix, next code), so it fits into 64 bits.
  std::uint32_t prefix = 0;
  for (std::size_t c = 0; c < codes.size(); ++c) {
    const std::uint64_t key = std::uint64_t{prefix} << 32 | codes[c];
    prefix = chains_[c].try_emplace(key, static_cast<std::uint32_t>(chains_[c].size())).first->second;
  }
  return prefix;
}

}  // namespace dfsweep
