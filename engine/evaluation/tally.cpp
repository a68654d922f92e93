/// Sums and serialization of tallies.
#include "engine/evaluation/tally.hpp"

#include <algorithm>

#include "io/packing.hpp"
#include "models/expect.hpp"

namespace dfsweep {

void FailureLog::add(std::string_view message, std::uint64_t first_point, std::uint64_t count) {
  auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Failure& f) { return f.message == message; });
  if (entry == entries_.end() && entries_.size() >= limit && message != others) return add(others, first_point, count);
  if (entry == entries_.end()) {
    entries_.push_back({std::string(message), first_point, count});
    return;
  }
  entry->first_point = std::min(entry->first_point, first_point);
  entry->count += count;
}

void FailureLog::add(const FailureLog& other) {
  for (const Failure& failure : other.entries_) add(failure.message, failure.first_point, failure.count);
}

std::uint64_t FailureLog::count() const {
  std::uint64_t sum = 0;
  for (const Failure& failure : entries_) sum += failure.count;
  return sum;
}

void Tally::add(const Tally& other) {
  points += other.points;
  taken += other.taken;
  blocks += other.blocks;
  in_progress += other.in_progress;
  statuses.resize(std::max(statuses.size(), other.statuses.size()));
  for (std::size_t s = 0; s < other.statuses.size(); ++s) statuses[s] += other.statuses[s];
  failures.add(other.failures);
}

void Tally::add_points(std::span<const std::uint8_t> status) {
  points += status.size();
  if (status.empty()) return;
  const std::size_t most = *std::max_element(status.begin(), status.end());
  if (most >= statuses.size()) statuses.resize(most + 1);
  std::uint64_t* const counts = statuses.data();
  for (const std::uint8_t code : status) ++counts[code];
}

void Tally::change(std::uint8_t from, std::uint8_t to, std::uint64_t count) {
  if (count == 0) return;
  DFSWEEP_EXPECT(from < statuses.size() && statuses[from] >= count);
  if (to >= statuses.size()) statuses.resize(std::size_t{to} + 1);
  statuses[from] -= count;
  statuses[to] += count;
}

std::vector<std::byte> pack(const Tally& tally) {
  Packer packer;
  packer.number(tally.points);
  packer.number(tally.taken);
  packer.number(tally.blocks);
  packer.number(tally.in_progress);
  packer.numbers(std::span<const std::uint64_t>(tally.statuses));
  packer.number<std::uint64_t>(tally.failures.entries().size());
  for (const Failure& failure : tally.failures.entries()) {
    packer.text(failure.message);
    packer.number(failure.first_point);
    packer.number(failure.count);
  }
  return packer.take();
}

Tally unpack_tally(std::span<const std::byte> bytes) {
  Unpacker unpacker(bytes);
  Tally tally;
  tally.points = unpacker.number<std::uint64_t>();
  tally.taken = unpacker.number<std::uint64_t>();
  tally.blocks = unpacker.number<std::uint64_t>();
  tally.in_progress = unpacker.number<std::int64_t>();
  tally.statuses = unpacker.numbers<std::uint64_t>();
  for (auto left = unpacker.number<std::uint64_t>(); left > 0; --left) {
    const std::string message = unpacker.text();
    const auto first_point = unpacker.number<std::uint64_t>();
    tally.failures.add(message, first_point, unpacker.number<std::uint64_t>());
  }
  return tally;
}

}  // namespace dfsweep
