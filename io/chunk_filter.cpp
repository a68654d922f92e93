#include "io/chunk_filter.hpp"

#include <zlib.h>

#include <new>
#include <stdexcept>

namespace dfsweep {

namespace {

void restore_order(std::span<const std::byte> shuffled, std::size_t number_bytes, std::span<std::byte> values) {
  const std::size_t count = values.size() / number_bytes;
  for (std::size_t byte = 0; byte < number_bytes; ++byte)
    for (std::size_t i = 0; i < count; ++i) values[i * number_bytes + byte] = shuffled[byte * count + i];
}

Bytef* bytes_of(std::span<std::byte> bytes) {
  return reinterpret_cast<Bytef*>(bytes.data());
}
const Bytef* bytes_of(std::span<const std::byte> bytes) {
  return reinterpret_cast<const Bytef*>(bytes.data());
}

}  // namespace

void shuffle(std::span<const std::byte> values, std::size_t number_bytes, std::span<std::byte> shuffled) {
  const std::size_t count = values.size() / number_bytes;
  for (std::size_t byte = 0; byte < number_bytes; ++byte)
    for (std::size_t i = 0; i < count; ++i) shuffled[byte * count + i] = values[i * number_bytes + byte];
}

std::uint64_t max_compressed_bytes(std::uint64_t bytes) {
  return compressBound(bytes);
}

std::vector<std::byte> compressed_chunk(std::span<const std::byte> values, std::size_t number_bytes, int level) {
  if (values.size() % number_bytes != 0) throw std::logic_error("a chunk holds whole numbers");
  std::vector<std::byte> shuffled(values.size());
  shuffle(values, number_bytes, shuffled);
  std::vector<std::byte> stored(max_compressed_bytes(values.size()));
  uLongf size = stored.size();
  const int result = compress2(bytes_of(std::span(stored)), &size, bytes_of(std::span<const std::byte>(shuffled)),
                               shuffled.size(), level);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result != Z_OK) throw std::logic_error("zlib cannot compress a chunk");
  stored.resize(size);
  return stored;
}

bool expand_chunk(std::span<const std::byte> stored, std::size_t number_bytes, std::span<std::byte> values) {
  std::vector<std::byte> shuffled(values.size());
  uLongf size = shuffled.size();
  uLong used = stored.size();
  const int result = uncompress2(bytes_of(std::span(shuffled)), &size, bytes_of(stored), &used);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result != Z_OK || size != values.size() || used != stored.size()) return false;
  restore_order(shuffled, number_bytes, values);
  return true;
}

}  // namespace dfsweep
