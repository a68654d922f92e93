/// Numbers of groups: combinations of codes, numbered in the order of their first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace dfsweep {

class GroupNumbers {
 public:
  /// `sizes`: [code] how many values it has.
  explicit GroupNumbers(std::span<const std::uint64_t> sizes);

  /// The number of the group with these codes. Pre: each is below its size; there is at least one.
  [[nodiscard]] std::uint32_t number(std::span<const std::uint32_t> codes);

 private:
  [[nodiscard]] std::uint32_t number_by_table(std::span<const std::uint32_t> codes);
  [[nodiscard]] std::uint32_t number_by_chain(std::span<const std::uint32_t> codes);

  std::vector<std::uint64_t> sizes_;
  std::vector<std::uint32_t> dense_;  ///< [mixed-radix number of the codes]; empty: too many possible groups
  /// [code] number of a prefix by the number of the prefix before it and the next code.
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> chains_;
  std::uint32_t count_ = 0;
};

}  // namespace dfsweep
