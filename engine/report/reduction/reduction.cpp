#include "engine/report/reduction/reduction.hpp"

#include <algorithm>

#include "models/expect.hpp"

namespace dfsweep::report {

Reduction empty_reduction(const Subject& subject, const Views& views) {
  std::size_t cells = 1;
  for (const std::size_t axis : views.cube_axes) cells *= subject.axes[axis].values.size();
  Reduction none{.axes = views.cube_axes,
                 .cube = Cube(cells, subject.statuses.size(), views.objectives.size()),
                 .pairs = {},
                 .tops = std::vector<TopRows>(views.objectives.size(), TopRows(top_size)),
                 .ranked = {},
                 .sample = SampledRows(most_sampled),
                 .histograms = {},
                 .ok_rows = {}};
  const std::size_t tasks = views.task ? subject.axes[*views.task].codes() : 0;
  if (views.decides) none.ranked.assign(tasks + 1, TopRows(ranked_rows(tasks)));
  none.pairs.resize(views.trade_offs.size());
  for (PairFronts& pair : none.pairs) pair.fronts.resize(cells);
  for (const std::size_t m : views.metrics)
    none.histograms.emplace_back(scale_of(subject.metrics[m].least, subject.metrics[m].most));
  return none;
}

std::size_t ranked_rows(std::size_t tasks) {
  constexpr std::size_t least = 4;
  constexpr std::size_t most = 16;
  return std::clamp(most_ranked / std::max<std::size_t>(tasks, 1), least, most);
}

std::size_t PairFronts::members() const {
  std::size_t sum = 0;
  for (const Front& front : fronts) sum += front.steps().size();
  return sum;
}

void PairFronts::widen(std::size_t wider) {
  DFSWEEP_EXPECT(wider % width == 0);
  const std::size_t ratio = wider / width;
  if (ratio == 1) return;
  std::vector<Front> joined((fronts.size() + ratio - 1) / ratio);
  for (std::size_t f = 0; f < fronts.size(); ++f) joined[f / ratio].join(fronts[f]);
  for (Front& front : joined) front.settle();
  fronts = std::move(joined);
  width = wider;
}

Front PairFronts::whole() const {
  Front all;
  for (const Front& front : fronts) all.join(front);
  all.settle();
  return all;
}

namespace {

/// Cells that the axes from the `count`-th on make.
std::size_t width_of(const Reduction& reduction, const Subject& subject, std::size_t count) {
  std::size_t width = 1;
  for (std::size_t a = count; a < reduction.axes.size(); ++a) width *= subject.axes[reduction.axes[a]].values.size();
  return width;
}

}  // namespace

void drop_last_axis(Reduction& reduction, const Subject& subject) {
  DFSWEEP_EXPECT(!reduction.axes.empty());
  const std::size_t size = subject.axes[reduction.axes.back()].values.size();
  reduction.cube = reduction.cube.without_last_axis(size);
  reduction.axes.pop_back();
  for (PairFronts& pair : reduction.pairs) {
    pair.widen(std::max(size, pair.width));
    pair.width /= size;
  }
}

std::size_t front_axes(const Reduction& reduction, const Subject& subject) {
  std::size_t widest = 1;
  for (const PairFronts& pair : reduction.pairs) widest = std::max(widest, pair.width);
  std::size_t count = reduction.axes.size();
  while (width_of(reduction, subject, count) < widest) --count;
  return count;
}

void keep_front_axes(Reduction& reduction, const Subject& subject, std::size_t count) {
  for (PairFronts& pair : reduction.pairs) pair.widen(width_of(reduction, subject, count));
}

}  // namespace dfsweep::report
