#include "io/dataset.hpp"

#include <algorithm>
#include <cstring>

namespace dfsweep {

namespace {

struct Range {
  std::uint64_t first;
  std::uint64_t end;
};

/// Size of one read.
constexpr std::uint64_t frame_piece_bytes = std::uint64_t{1} << 20;

/// The ranges of [seal_bytes, size) outside all columns, in order, each at most frame_piece_bytes long.
std::vector<Range> frame_ranges(const std::vector<ColumnPlace>& places, std::uint64_t size) {
  std::vector<Range> columns;
  for (const ColumnPlace& place : places)
    if (place.offset != 0) columns.push_back({place.offset, place.offset + place.bytes()});
  std::sort(columns.begin(), columns.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<Range> frame;
  std::uint64_t at = seal_bytes;
  const auto add = [&](std::uint64_t end) {
    for (; at < end; at += std::min(frame_piece_bytes, end - at))
      frame.push_back({at, at + std::min(frame_piece_bytes, end - at)});
  };
  for (const Range& column : columns) {
    add(std::min(column.first, size));
    at = std::max(at, column.end);
  }
  add(size);
  return frame;
}

/// Bytes [range.first, range.end) of the frame of an image.
std::vector<std::byte> bytes_of(const DatasetImage& image, const Range& range) {
  std::vector<std::byte> bytes(range.end - range.first);
  auto piece = image.pieces.upper_bound(range.first);
  if (piece != image.pieces.begin()) --piece;
  for (; piece != image.pieces.end() && piece->first < range.end; ++piece) {
    const std::uint64_t first = std::max(range.first, piece->first);
    const std::uint64_t end = std::min(range.end, piece->first + piece->second.size());
    if (first < end)
      std::memcpy(bytes.data() + (first - range.first), piece->second.data() + (first - piece->first), end - first);
  }
  return bytes;
}

}  // namespace

Checksum frame_checksum(const File& file, const std::vector<ColumnPlace>& places, std::uint64_t size) {
  ChecksumStream stream;
  for (const Range& range : frame_ranges(places, size)) {
    std::vector<std::byte> bytes(range.end - range.first);
    bytes.resize(file.read_some(range.first, bytes));
    stream.update(bytes);
  }
  return stream.digest();
}

Checksum frame_checksum(const DatasetImage& image) {
  ChecksumStream stream;
  for (const Range& range : frame_ranges(image.places, image.size)) stream.update(bytes_of(image, range));
  return stream.digest();
}

DatasetImage read_frame(const File& file, const std::vector<ColumnPlace>& places, std::uint64_t size) {
  DatasetImage image{.places = places, .pieces = {}, .size = size};
  for (const Range& range : frame_ranges(places, size)) {
    std::vector<std::byte>& bytes = image.pieces[range.first];
    bytes.resize(range.end - range.first);
    bytes.resize(file.read_some(range.first, bytes));
  }
  return image;
}

std::uint64_t frame_bytes(const std::vector<ColumnPlace>& places, std::uint64_t size) {
  std::uint64_t columns = seal_bytes;
  for (const ColumnPlace& place : places)
    if (place.offset != 0) columns += place.bytes();
  return size > columns ? size - columns : 0;
}

void write_frame(File& file, const DatasetImage& image) {
  for (const Range& range : frame_ranges(image.places, image.size)) file.write_at(range.first, bytes_of(image, range));
}

void copy_frame(const File& from, File& to, const std::vector<ColumnPlace>& places, std::uint64_t size) {
  for (const Range& range : frame_ranges(places, size)) {
    std::vector<std::byte> bytes(range.end - range.first);
    from.read_at(range.first, bytes);
    to.write_at(range.first, bytes);
  }
}

}  // namespace dfsweep
