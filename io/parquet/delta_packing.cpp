#include "io/parquet/delta_packing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "io/parquet/thrift_writer.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t block_size = 128;  ///< numbers
constexpr std::size_t parts_of_block = 4;
constexpr std::size_t part_size = block_size / parts_of_block;

/// Signed numbers as unsigned ones, so that those near zero are small.
std::uint64_t zigzag(std::uint64_t number) {
  return (number << 1) ^ (std::uint64_t{0} - (number >> 63));
}

/// Packs numbers of `width` bits, the lowest bits first. Pre: they fit.
void append_bits_of(std::vector<std::byte>& bytes, std::span<const std::uint64_t> numbers, int width) {
  std::uint64_t pending = 0;
  int used = 0;  // bits of `pending`
  const auto append_word = [&] {
    std::array<std::byte, sizeof pending> raw{};
    std::memcpy(raw.data(), &pending, sizeof pending);
    bytes.insert(bytes.end(), raw.begin(), raw.begin() + (used + 7) / 8);
  };
  for (const std::uint64_t number : numbers) {
    pending |= number << used;
    if (used + width < 64) {
      used += width;
      continue;
    }
    const int left = used + width - 64;  // bits of the number that the word has no room for
    used = 64;
    append_word();
    pending = left == 0 ? 0 : number >> (width - left);
    used = left;
  }
  append_word();
}

/// Appends the differences of one block, from their least one on.
void append_block(std::vector<std::byte>& bytes, std::span<std::uint64_t> differences) {
  const auto is_less = [](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  };
  const std::uint64_t least = *std::min_element(differences.begin(), differences.end(), is_less);
  append_varint(bytes, zigzag(least));
  for (std::uint64_t& one : differences) one -= least;
  std::array<std::uint64_t, block_size> filled{};  // a part is whole, with zeros at its end
  std::copy(differences.begin(), differences.end(), filled.begin());
  std::array<int, parts_of_block> widths{};
  for (std::size_t part = 0; part < parts_of_block; ++part) {
    const auto begin = filled.begin() + part * part_size;
    widths[part] = static_cast<int>(std::bit_width(*std::max_element(begin, begin + part_size)));
    bytes.push_back(static_cast<std::byte>(widths[part]));
  }
  for (std::size_t part = 0; part < parts_of_block; ++part)
    if (widths[part] != 0) append_bits_of(bytes, std::span(filled).subspan(part * part_size, part_size), widths[part]);
}

}  // namespace

void append_differences(std::vector<std::byte>& bytes, std::span<const std::uint64_t> numbers) {
  append_varint(bytes, block_size);
  append_varint(bytes, parts_of_block);
  append_varint(bytes, numbers.size());
  append_varint(bytes, zigzag(numbers.empty() ? 0 : numbers.front()));
  std::array<std::uint64_t, block_size> differences{};
  for (std::size_t first = 1; first < numbers.size(); first += block_size) {
    const std::size_t count = std::min(block_size, numbers.size() - first);
    for (std::size_t i = 0; i < count; ++i) differences[i] = numbers[first + i] - numbers[first + i - 1];
    append_block(bytes, std::span(differences).first(count));
  }
}

}  // namespace dfsweep
