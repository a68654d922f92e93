#include "engine/report/reduction/reduction.hpp"

#include "models/expect.hpp"

namespace dfsweep::report {

Reduction empty_reduction(const Subject& subject, const Views& views) {
  std::size_t cells = 1;
  for (const std::size_t axis : views.cube_axes) cells *= subject.axes[axis].values.size();
  Reduction none{.axes = views.cube_axes,
                 .cube = Cube(cells, subject.statuses.size(), views.objectives.size()),
                 .fronts = {},
                 .tops = std::vector<TopRows>(views.objectives.size(), TopRows(top_size)),
                 .sample = SampledRows(most_sampled),
                 .histograms = {},
                 .ok_rows = {}};
  none.fronts.resize(views.trade_offs.size());
  for (PairFronts& pair : none.fronts) pair.cells.resize(cells);
  for (const std::size_t m : views.metrics)
    none.histograms.emplace_back(scale_of(subject.metrics[m].least, subject.metrics[m].most));
  return none;
}

void drop_last_axis(Reduction& reduction, const Subject& subject) {
  DFSWEEP_EXPECT(!reduction.axes.empty());
  const std::size_t size = subject.axes[reduction.axes.back()].values.size();
  reduction.cube = reduction.cube.without_last_axis(size);
  reduction.axes.pop_back();
  for (PairFronts& pair : reduction.fronts) {
    if (!pair.has_cells()) continue;
    std::vector<Front> smaller(reduction.cube.cells());
    for (std::size_t cell = 0; cell < pair.cells.size(); ++cell) smaller[cell / size].join(pair.cells[cell]);
    for (Front& cell : smaller) cell.settle();
    pair.cells = std::move(smaller);
  }
}

}  // namespace dfsweep::report
