/// The pass over the rows: slabs are reduced by threads and joined in the order of their rows, because the fronts are
/// given up, or thinned, by what has been joined so far. All else is the same in any order.
#include "engine/report/reduction/reduce.hpp"

#include <algorithm>

#include "engine/parallel/threads.hpp"
#include "engine/report/reduction/row_slabs.hpp"
#include "engine/report/reduction/slab_reduction.hpp"

namespace dfsweep::report {

namespace {

constexpr std::size_t most_members = 200000;  ///< of all fronts of a pair: no page could carry more
constexpr std::size_t thinned_members = 100000;

/// `pair` has fronts of all cells of the cube's axes or of the first ones; the next coarser ones join the values of the
/// last axis that they have.
std::size_t next_width(const PairFronts& pair, const Reduction& all, const Subject& subject) {
  std::size_t width = 1;
  for (std::size_t a = all.axes.size(); a-- > 0 && width <= pair.width;)
    width *= subject.axes[all.axes[a]].values.size();
  return width;
}

void join_fronts(PairFronts& to, const PairFronts& slab, std::span<const std::uint32_t> cells) {
  std::vector<std::size_t> touched;
  for (const std::uint32_t cell : cells) touched.push_back(cell / slab.width);
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const std::size_t front : touched) {
    Front& joined = to.of_cell(front * slab.width);
    joined.join(slab.fronts[front]);
    joined.settle();
  }
}

/// Coarser fronts, and at last a thinned one, keep the memory within limits whatever the rows are.
void limit_members(PairFronts& pair, const Reduction& all, const Subject& subject) {
  while (pair.members() > most_members && pair.fronts.size() > 1) pair.widen(next_width(pair, all, subject));
  if (pair.members() <= most_members) return;
  pair.fronts.front().thin(thinned_members);
  pair.is_whole = false;
}

void join(Reduction& all, const Reduction& slab, const Subject& subject) {
  all.cube.join(slab.cube);
  for (std::size_t p = 0; p < all.pairs.size(); ++p) {
    join_fronts(all.pairs[p], slab.pairs[p], slab.cube.touched());
    limit_members(all.pairs[p], all, subject);
  }
  for (std::size_t o = 0; o < all.tops.size(); ++o) all.tops[o].join(slab.tops[o]);
  for (std::size_t t = 0; t < all.ranked.size(); ++t) all.ranked[t].join(slab.ranked[t]);
  all.sample.join(slab.sample);
  for (std::size_t m = 0; m < all.histograms.size(); ++m) all.histograms[m].join(slab.histograms[m]);
  all.ok_rows.insert(all.ok_rows.end(), slab.ok_rows.begin(), slab.ok_rows.end());
}

}  // namespace

Reduction reduce(const Subject& subject, const Views& views, unsigned threads, std::uint64_t slab) {
  const std::vector<RowRange> slabs = row_slabs(*subject.file, slab);
  Reduction all = empty_reduction(subject, views);
  const std::size_t workers = std::min<std::size_t>(reducing_threads(threads), slabs.size());
  std::vector<SlabReduction> working;
  for (std::size_t w = 0; w < workers; ++w) working.emplace_back(subject, views);
  for (std::size_t first = 0; first < slabs.size(); first += workers) {
    const std::size_t count = std::min(workers, slabs.size() - first);
    parallel_for(count, static_cast<unsigned>(workers),
                 [&](std::size_t w) { working[w].reduce(slabs[first + w], all); });
    for (std::size_t w = 0; w < count; ++w) join(all, working[w].reduced(), subject);
  }
  return all;
}

}  // namespace dfsweep::report
