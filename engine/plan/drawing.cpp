#include "engine/plan/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/number_format.hpp"
#include "models/expect.hpp"
#include "models/statistics/permutation.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

namespace {

/// Ranks from `begin` on that belong together, and how many of them are drawn. Ranks here leave out the last axis if it
/// holds the numbers of continuous ranges.
struct Stratum {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::uint64_t rows = 0;
};

/// Shares `rows` equally: every stratum gets the same number, or its whole size where that is less; the first ones get
/// the rest.
void share_rows(std::vector<Stratum>& strata, std::uint64_t rows, bool may_repeat) {
  std::vector<std::size_t> order(strata.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto capacity = [&](std::size_t s) { return may_repeat ? rows : strata[s].size; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return capacity(a) < capacity(b); });
  std::size_t left = strata.size();
  std::vector<std::size_t> open;
  for (const std::size_t s : order) {
    if (capacity(s) <= rows / left) {
      strata[s].rows = capacity(s);
      rows -= strata[s].rows;
      --left;
    } else {
      open.push_back(s);
    }
  }
  std::sort(open.begin(), open.end());
  for (const std::size_t s : open) {
    strata[s].rows = rows / left + (rows % left != 0 ? 1 : 0);
    rows -= strata[s].rows;
    --left;
  }
}

class RankDrawing {
 public:
  RankDrawing(const GridRows& rows, Unit unit, const Sample& sample)
      : rows_(rows),
        unit_(unit),
        sample_(sample),
        units_(unit == Unit::groups ? rows.groups() : rows.kept()),
        row_values_(sample.ranges.empty() ? 1 : *sample.count) {}

  std::vector<std::uint64_t> ranks() {
    std::vector<Stratum> strata = strata_of_rows();
    share_rows(strata, *sample_.count, may_repeat());
    std::vector<std::uint64_t> ranks;
    ranks.reserve(*sample_.count);
    const CounterRandom keys(key_of(sample_, SampleStream::points));
    for (std::size_t s = 0; s < strata.size(); ++s) {
      if (strata[s].rows == 0) continue;
      const std::size_t first = ranks.size();
      if (sample_.method == DesignMethod::random)
        draw_at_random(strata[s], keys.at(s), ranks);
      else
        draw_by_design(strata[s], keys.at(s), ranks);
      for (std::size_t i = first; may_repeat() && i < ranks.size(); ++i) ranks[i] = ranks[i] * row_values_ + i;
    }
    return ranks;
  }

 private:
  [[nodiscard]] bool may_repeat() const { return !sample_.ranges.empty(); }

  std::vector<Stratum> strata_of_rows() const {
    const std::uint64_t count = *sample_.count;
    if (!may_repeat() && count > units_)
      throw UserError({{sample_.count_at, fmt::format("[sample] of {}", counted(count, "row")),
                        fmt::format("the filters keep {}", counted(units_, "point")), "Give a smaller count"}});
    if (sample_.strata.empty()) return {{0, units_ / row_values_, 0}};
    if (rows_.groups() > count)
      throw UserError({{sample_.strata_at, fmt::format("'stratify' gives {} strata", rows_.groups()),
                        fmt::format("count is {}", count), "Name fewer axes, or give a larger count"}});
    std::vector<Stratum> strata;
    for (std::uint64_t group = 0; group < rows_.groups(); ++group) {
      const std::uint64_t begin = rows_.group_begin(group);
      strata.push_back({begin / row_values_, (rows_.group_begin(group + 1) - begin) / row_values_, 0});
    }
    return strata;
  }

  void draw_at_random(const Stratum& stratum, std::uint64_t key, std::vector<std::uint64_t>& ranks) const {
    // Where points may repeat, each is there equally often, or once more.
    const std::uint64_t repetitions = (stratum.rows - 1) / stratum.size + 1;
    const KeyedPermutation permutation(stratum.size * repetitions, key);
    for (std::uint64_t i = 0; i < stratum.rows; ++i) ranks.push_back(stratum.begin + permutation(i) % stratum.size);
  }

  void draw_by_design(const Stratum& stratum, std::uint64_t key, std::vector<std::uint64_t>& ranks) const {
    const std::size_t first = ranks.size();
    Descent outer(rows_.grid(), unit_, units_);
    while (!sample_.strata.empty() && outer.position() < rows_.grid().inner_begin)
      outer.choose(stratum.begin * row_values_ - outer.rank());
    const std::size_t end = outer.end() - (may_repeat() ? 1 : 0);
    // A part of a Sobol sequence fills the cube, too, so the strata share one; each has its own Latin hypercube.
    const bool is_shared = sample_.method == DesignMethod::sobol;
    const std::uint64_t first_row = is_shared ? first : 0;
    const std::size_t ranges = sample_.ranges.size();
    const Design design(sample_.method, is_shared ? *sample_.count : stratum.rows, ranges + end, key);
    for (std::uint64_t i = 0; i < stratum.rows; ++i) {
      Descent row = outer;
      while (row.position() < end) row.choose(part_of(design.at(first_row + i, ranges + row.position()), row.count()));
      ranks.push_back(row.rank() / row_values_);
    }
    if (!may_repeat()) spread(std::span(ranks).subspan(first), stratum);
  }

  /// Sorts ranks and moves repeated ones to the next free ones.
  static void spread(std::span<std::uint64_t> ranks, const Stratum& stratum) {
    std::sort(ranks.begin(), ranks.end());
    std::uint64_t least = stratum.begin;
    for (std::uint64_t& rank : ranks) {
      rank = std::max(rank, least);
      least = rank + 1;
    }
    std::uint64_t limit = stratum.begin + stratum.size;
    for (std::size_t i = ranks.size(); i-- > 0 && ranks[i] >= limit; --limit) ranks[i] = limit - 1;
  }

  const GridRows& rows_;
  Unit unit_;
  const Sample& sample_;
  std::uint64_t units_;
  std::uint64_t row_values_;  ///< size of the axis of the continuous ranges; 1 without it
};

}  // namespace

std::vector<std::uint64_t> drawn_ranks(const GridRows& rows, Unit unit, const Sample& sample) {
  DFSWEEP_EXPECT(sample.count.has_value());
  return RankDrawing(rows, unit, sample).ranks();
}

}  // namespace dfsweep
