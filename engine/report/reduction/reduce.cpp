/// The pass over the rows: slabs are reduced by threads and joined in the order of their rows, because the fronts are
/// given up, or thinned, by what has been joined so far. All else is the same in any order.
#include "engine/report/reduction/reduce.hpp"

#include <algorithm>

#include "engine/parallel/threads.hpp"
#include "engine/report/reduction/row_slabs.hpp"
#include "engine/report/reduction/slab_reduction.hpp"

namespace dfsweep::report {

namespace {

constexpr std::size_t most_cell_members = 200000;  ///< of all cells of a pair: beyond, no page could carry them
constexpr std::size_t most_front_members = 500000;
constexpr std::size_t thinned_front_members = 100000;

void settle_whole(PairFronts& pair) {
  pair.all.settle();
  if (pair.all.steps().size() <= most_front_members) return;
  pair.all.thin(thinned_front_members);
  pair.is_whole = false;
}

void give_up_cells(PairFronts& pair) {
  for (const Front& cell : pair.cells) pair.all.join(cell);
  pair.cells.clear();
  settle_whole(pair);
}

/// `cells`: those that the slab touched.
void join_fronts(PairFronts& all, const PairFronts& slab, std::span<const std::uint32_t> cells) {
  if (all.has_cells()) {
    for (const std::uint32_t cell : cells) {
      all.cells[cell].join(slab.cells[cell]);
      all.cells[cell].settle();
    }
    std::size_t members = 0;
    for (const Front& cell : all.cells) members += cell.steps().size();
    if (members > most_cell_members) give_up_cells(all);
    return;
  }
  if (slab.has_cells())  // reduced before the cells were given up
    for (const std::uint32_t cell : cells) all.all.join(slab.cells[cell]);
  all.all.join(slab.all);
  settle_whole(all);
}

void join(Reduction& all, const Reduction& slab) {
  all.cube.join(slab.cube);
  for (std::size_t p = 0; p < all.fronts.size(); ++p) join_fronts(all.fronts[p], slab.fronts[p], slab.cube.touched());
  for (std::size_t o = 0; o < all.tops.size(); ++o) all.tops[o].join(slab.tops[o]);
  all.sample.join(slab.sample);
  for (std::size_t m = 0; m < all.histograms.size(); ++m) all.histograms[m].join(slab.histograms[m]);
  all.ok_rows.insert(all.ok_rows.end(), slab.ok_rows.begin(), slab.ok_rows.end());
}

}  // namespace

Reduction reduce(const Subject& subject, const Views& views, unsigned threads) {
  const std::vector<RowRange> slabs = row_slabs(*subject.file);
  Reduction all = empty_reduction(subject, views);
  const std::size_t workers = std::min<std::size_t>(reducing_threads(threads), slabs.size());
  std::vector<SlabReduction> working;
  for (std::size_t w = 0; w < workers; ++w) working.emplace_back(subject, views);
  for (std::size_t first = 0; first < slabs.size(); first += workers) {
    const std::size_t count = std::min(workers, slabs.size() - first);
    parallel_for(count, static_cast<unsigned>(workers),
                 [&](std::size_t w) { working[w].reduce(slabs[first + w], all); });
    for (std::size_t w = 0; w < count; ++w) join(all, working[w].reduced());
  }
  for (PairFronts& pair : all.fronts) {
    if (!pair.has_cells()) continue;
    for (const Front& cell : pair.cells) pair.all.join(cell);
    pair.all.settle();
  }
  return all;
}

}  // namespace dfsweep::report
