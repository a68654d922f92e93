/// Checksum: XXH3-128 of bytes, the one checksum of journals, datasets and input files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dfsweep {

struct Checksum {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  bool operator==(const Checksum&) const = default;
};

[[nodiscard]] Checksum xxh3_128(std::span<const std::byte> bytes);
[[nodiscard]] std::string to_hex(const Checksum& checksum);  ///< 32 digits, high half first
/// Parses 32 hexadecimal digits; nothing if the text is not exactly that.
[[nodiscard]] std::optional<Checksum> from_hex(std::string_view digits);
[[nodiscard]] std::string xxh3_128_hex(std::span<const std::byte> bytes);
[[nodiscard]] std::string xxh3_128_hex(std::string_view text);

/// XXH3-64 with seed 0 of each number, as eight little-endian bytes. Pre: hashes.size() == numbers.size().
void xxh3_64(std::span<const std::uint64_t> numbers, std::span<std::uint64_t> hashes);

/// XXH3-128 of bytes that arrive in pieces.
class ChecksumStream {
 public:
  ChecksumStream();
  ~ChecksumStream();
  ChecksumStream(ChecksumStream&&) noexcept;
  ChecksumStream& operator=(ChecksumStream&&) noexcept;
  void update(std::span<const std::byte> bytes);
  [[nodiscard]] Checksum digest() const;
  void reset();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dfsweep
