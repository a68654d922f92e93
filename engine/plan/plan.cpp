/// Partition of a sweep into blocks, and its fingerprint.
#include "engine/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "engine/console/build_info.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "io/checksum.hpp"
#include "models/expect.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t page_rows = 4096;          ///< rows per page in the narrowest column (one byte per row)
constexpr std::uint64_t target_rows = 131'072;     ///< 1 MiB of doubles: efficient to write, small enough for the cache
constexpr std::uint64_t min_target_rows = 65'536;  ///< 0.5 MiB of doubles
/// Of 10^10 points, 10 000 ranks get some 80 blocks each. With fewer, ranks wait too long for the last ones.
constexpr std::uint64_t max_blocks = 1'048'576;
/// Rank 0 alone writes small blocks; where there would be more of them, blocks fill pages.
constexpr std::uint64_t max_small_blocks = 65'536;
constexpr std::uint64_t max_rows = std::uint64_t{1} << 53;  ///< petabytes: larger than any disk
/// At least 512 blocks keep the idle time of two ranks at the end below 0.4 %, and are enough for many ranks.
constexpr std::uint64_t target_blocks = 512;
constexpr std::uint64_t short_sweep_blocks = 16;  ///< the same if the whole sweep takes about a second
constexpr double seconds_per_block = 1.0;
constexpr double short_sweep_seconds = 1.0;
/// From this time on an item is expensive. Declared costs are orders of magnitude and items of one sweep vary even
/// more, so blocks of expensive items are much shorter than a second. The overhead of a block is below a tenth of this
/// time.
constexpr double expensive_seconds = 1e-4;
constexpr double seconds_per_fine_block = 1e-3;
constexpr std::uint64_t target_fine_blocks = 4096;
/// The search space of one reported point is one block up to this declared time; larger ones are split into slices.
constexpr double max_seconds_per_group = 4.0;
/// The same with fewer reported points than `few_groups`, which cannot occupy many ranks.
constexpr double max_seconds_of_few_groups = 0.8;
constexpr std::uint64_t few_groups = 64;
/// A slice is not shorter, so that its candidates cost little beside it.
constexpr double min_seconds_per_slice = 20e-3;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// Number of points in a second of work, at least one.
std::uint64_t points_of_a_block(double seconds_per_point) {
  const double points = seconds_per_block / std::max(seconds_per_point, 1e-9);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(points));
}

/// Points per slice of a search with few reported points: at most a second of work, and enough slices to share.
std::uint64_t points_of_a_slice(double points, double seconds_per_point) {
  const double shared = points * seconds_per_point / static_cast<double>(target_blocks);
  const double seconds = std::clamp(shared, min_seconds_per_slice, seconds_per_block);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(seconds / std::max(seconds_per_point, 1e-9)));
}

/// Number of blocks for load balance, before alignment to pages.
std::uint64_t blocks_to_share(double items, double seconds_per_item) {
  const double seconds = items * seconds_per_item;
  if (seconds_per_item < expensive_seconds) return seconds < short_sweep_seconds ? short_sweep_blocks : target_blocks;
  const double fine = std::min(seconds / seconds_per_fine_block, static_cast<double>(target_fine_blocks));
  return std::max(short_sweep_blocks, static_cast<std::uint64_t>(fine));
}

/// Items (rows or groups) per block: at most a second of work, enough blocks for load balance, at most max_blocks
/// blocks. Blocks of 4096 or more rows end at page boundaries: `page_items` items fill whole pages of every column.
std::uint64_t items_per_block(std::uint64_t items, double seconds_per_item, std::uint64_t page_items,
                              std::uint64_t rows_per_item) {
  const auto items_of = [&](std::uint64_t rows) { return std::max<std::uint64_t>(1, rows / rows_per_item); };
  const std::uint64_t shared = ceil_div(items, blocks_to_share(static_cast<double>(items), seconds_per_item));
  const std::uint64_t in_a_second = points_of_a_block(seconds_per_item);
  std::uint64_t wanted = std::min({in_a_second, shared, items_of(target_rows)});
  // Cheap points: prefer columns of 0.5 MiB to more blocks.
  if (wanted >= items_of(min_target_rows / 4) && in_a_second >= items_of(min_target_rows))
    wanted = std::max(wanted, items_of(min_target_rows));
  const std::uint64_t least = ceil_div(items, max_blocks);
  if (std::max(wanted, least) >= page_items)
    return std::max(wanted / page_items, ceil_div(least, page_items)) * page_items;
  const std::uint64_t most_small = items_of(page_rows - 1);
  const std::uint64_t least_small = ceil_div(items, max_small_blocks);
  return least_small <= most_small ? std::clamp(wanted, least_small, most_small) : page_items;
}

}  // namespace

Plan::Plan(const SweepSpec& spec, const RowSource& rows) : spec_(&spec), rows_(&rows) {
  const double seconds = spec.estimator->seconds_per_point(spec.values);
  const std::uint64_t groups = rows.groups();
  if (groups > max_rows / rows_per_group())
    throw UserError(
        {{{spec.source, 1, 1},
          "the result is too large",
          fmt::format("{} reported points, {} rows each; at most {} rows", groups, rows_per_group(), max_rows),
          "Filter, or search over some axes"}});
  if (!spec.search) {
    points_per_block_ = items_per_block(groups, seconds, page_rows, 1);
    groups_per_block_ = points_per_block_;
  } else {
    const double group_seconds = static_cast<double>(rows.largest_group()) * seconds;
    const double most = groups < few_groups ? max_seconds_of_few_groups : max_seconds_per_group;
    if (group_seconds <= most || groups > max_blocks / 2) {
      const double mean = static_cast<double>(rows.kept()) / static_cast<double>(groups);
      groups_per_block_ = items_per_block(
          groups, mean * seconds, page_rows / std::gcd(page_rows, std::uint64_t{spec.search->top}), spec.search->top);
      points_per_block_ = groups_per_block_ * rows.largest_group();
    } else {
      kind_ = BlockKind::candidates;
      groups_per_block_ = 1;
      points_per_block_ = std::max(points_of_a_slice(static_cast<double>(rows.kept()), seconds),
                                   ceil_div(rows.largest_group(), max_blocks / groups));
      slices_per_group_ = static_cast<std::uint32_t>(ceil_div(rows.largest_group(), points_per_block_));
    }
  }
  if (kind_ != BlockKind::candidates)
    kind_ = groups_per_block_ * rows_per_group() % page_rows == 0 ? BlockKind::aligned : BlockKind::small;
  block_count_ = static_cast<std::uint32_t>(ceil_div(groups, groups_per_block_) * slices_per_group_);

  std::string text = resolved_text(spec);
  text += fmt::format("# dfsweep {} format {} blocks {} {} {}\n", program_version(), dataset_format_version,
                      groups_per_block_, points_per_block_, slices_per_group_);
  fingerprint_ = xxh3_128_hex(std::as_bytes(std::span(text)));
}

std::uint32_t Plan::rows_per_group() const {
  return spec_->search ? spec_->search->top : 1;
}

std::uint64_t Plan::row_count() const {
  return rows_->groups() * rows_per_group();
}

Block Plan::block(BlockId id) const {
  DFSWEEP_EXPECT(id < block_count_);
  Block block;
  block.id = id;
  block.first_group = id / slices_per_group_ * groups_per_block_;
  block.group_count = std::min(groups_per_block_, rows_->groups() - block.first_group);
  block.first_row = block.first_group * rows_per_group();
  block.row_count = block.group_count * rows_per_group();
  const std::uint64_t begin = rows_->group_begin(block.first_group);
  const std::uint64_t end = rows_->group_begin(block.first_group + block.group_count);
  block.first_kept = begin;
  block.kept_count = end - begin;
  if (kind_ == BlockKind::candidates) {
    const std::uint64_t skipped = std::min(id % slices_per_group_ * points_per_block_, end - begin);
    block.first_kept = begin + skipped;
    block.kept_count = std::min(points_per_block_, end - begin - skipped);
  }
  return block;
}

}  // namespace dfsweep
