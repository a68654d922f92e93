#include "engine/dataset/candidates.hpp"

#include <algorithm>
#include <cstring>

#include "engine/evaluation/estimates.hpp"
#include "io/packing.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

void pack(Packer& packer, const RowBytes& row) {
  packer.number<std::uint64_t>(row.size());
  for (const std::vector<std::byte>& element : row) packer.numbers(std::span<const std::byte>(element));
}

RowBytes unpack_row(Unpacker& unpacker) {
  constexpr std::uint64_t max_columns = 100'000;
  const auto count = unpacker.number<std::uint64_t>();
  DFSWEEP_EXPECT(count <= max_columns);
  RowBytes row;
  for (std::uint64_t i = 0; i < count; ++i) row.push_back(unpacker.numbers<std::byte>());
  return row;
}

/// Adds arrays of uint64 elementwise.
void add_counts(std::vector<std::byte>& sum, const std::vector<std::byte>& more) {
  DFSWEEP_EXPECT(sum.size() == more.size());
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= sum.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::memcpy(&a, sum.data() + at, sizeof a);
    std::memcpy(&b, more.data() + at, sizeof b);
    a += b;
    std::memcpy(sum.data() + at, &a, sizeof a);
  }
}

}  // namespace

std::vector<std::byte> encode_slice(const SliceCandidates& slice) {
  Packer packer;
  packer.number(slice.first_point);
  packer.number(static_cast<std::uint8_t>(slice.extent));
  pack(packer, slice.group);
  pack(packer, slice.no_feasible);
  packer.number<std::uint64_t>(slice.best.size());
  for (const SliceCandidates::Best& best : slice.best) {
    packer.number(best.value);
    packer.number(best.point);
    pack(packer, best.row);
  }
  return packer.take();
}

SliceCandidates decode_slice(std::span<const std::byte> bytes) {
  Unpacker unpacker(bytes);
  SliceCandidates slice;
  slice.first_point = unpacker.number<std::uint64_t>();
  slice.extent = static_cast<SliceExtent>(unpacker.number<std::uint8_t>());
  slice.group = unpack_row(unpacker);
  slice.no_feasible = unpack_row(unpacker);
  const auto count = unpacker.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) {
    SliceCandidates::Best best;
    best.value = unpacker.number<double>();
    best.point = unpacker.number<std::uint64_t>();
    best.row = unpack_row(unpacker);
    slice.best.push_back(std::move(best));
  }
  return slice;
}

namespace {

/// Best first, of ties the best one if so asked.
void sort_best(std::vector<const SliceCandidates::Best*>& best, const SearchOrder& order) {
  std::sort(best.begin(), best.end(), [&order](const SliceCandidates::Best* a, const SliceCandidates::Best* b) {
    return order.comes_before(a->value, a->point, b->value, b->point);
  });
  const auto tied = [&order](const SliceCandidates::Best* a, const SliceCandidates::Best* b) {
    return order.are_tied(a->value, b->value);
  };
  best.erase(std::unique(best.begin(), best.end(), tied), best.end());
}

}  // namespace

std::vector<std::vector<std::byte>> reduce_slices(std::span<const SliceCandidates> slices,
                                                  const CandidateOrder& order) {
  const auto whole = std::find_if(slices.begin(), slices.end(),
                                  [](const SliceCandidates& slice) { return slice.extent == SliceExtent::group; });
  const bool is_whole = whole != slices.end();
  if (is_whole) slices = slices.subspan(static_cast<std::size_t>(whole - slices.begin()), 1);
  const SliceCandidates* first = nullptr;
  std::vector<const SliceCandidates::Best*> best;
  for (const SliceCandidates& slice : slices) {
    if (slice.first_point == no_point) continue;
    if (first == nullptr || slice.first_point < first->first_point) first = &slice;
    for (const SliceCandidates::Best& candidate : slice.best) best.push_back(&candidate);
  }
  DFSWEEP_EXPECT(first != nullptr && first->group.size() == 2);
  if (!is_whole) sort_best(best, {.direction = order.better, .ties = order.ties});

  std::vector<std::vector<std::byte>> columns(first->no_feasible.size());
  for (std::uint32_t index = 0; index < order.top; ++index) {
    RowBytes row = index < best.size() ? best[index]->row : first->no_feasible;
    DFSWEEP_EXPECT(row.size() == columns.size());
    const auto rank = static_cast<std::int32_t>(index + 1);
    DFSWEEP_EXPECT(row[order.rank_column].size() == sizeof rank);
    std::memcpy(row[order.rank_column].data(), &rank, sizeof rank);
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].insert(columns[c].end(), row[c].begin(), row[c].end());
  }
  columns.push_back(first->group[0]);
  columns.push_back(std::vector<std::byte>(first->group[1].size()));
  for (const SliceCandidates& slice : slices)
    if (slice.first_point != no_point) add_counts(columns.back(), slice.group[1]);
  return columns;
}

}  // namespace dfsweep
