#include "io/dataset.hpp"

#include <algorithm>
#include <cstring>

namespace dfsweep {

namespace {

struct Range {
  std::uint64_t first;
  std::uint64_t end;
};

/// The parts of [0, size) that belong to no column, in order.
std::vector<Range> frame_ranges(const std::vector<ColumnPlace>& places, std::uint64_t size) {
  std::vector<Range> columns;
  for (const ColumnPlace& place : places) columns.push_back({place.offset, place.offset + place.bytes()});
  std::sort(columns.begin(), columns.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<Range> frame;
  std::uint64_t at = 0;
  for (const Range& column : columns) {
    if (column.first > at) frame.push_back({at, std::min(column.first, size)});
    at = std::max(at, column.end);
  }
  if (at < size) frame.push_back({at, size});
  return frame;
}

/// Bytes [range.first, range.end) of the frame of an image.
std::vector<std::byte> frame_bytes(const DatasetImage& image, const Range& range) {
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
  for (const Range& range : frame_ranges(image.places, image.size)) stream.update(frame_bytes(image, range));
  return stream.digest();
}

void write_frame(File& file, const DatasetImage& image) {
  for (const Range& range : frame_ranges(image.places, image.size))
    file.write_at(range.first, frame_bytes(image, range));
}

void copy_frame(const File& from, File& to, const std::vector<ColumnPlace>& places, std::uint64_t size) {
  for (const Range& range : frame_ranges(places, size)) {
    std::vector<std::byte> bytes(range.end - range.first);
    from.read_at(range.first, bytes);
    to.write_at(range.first, bytes);
  }
}

}  // namespace dfsweep
