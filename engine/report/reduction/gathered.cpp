#include "engine/report/reduction/gathered.hpp"

#include <algorithm>

#include "engine/parallel/threads.hpp"
#include "engine/report/reduction/axis_coder.hpp"
#include "engine/results/result_rows.hpp"

namespace dfsweep::report {

GatheredRows gather(const Subject& subject, const std::vector<std::size_t>& metrics,
                    std::span<const std::uint64_t> rows, unsigned threads) {
  GatheredRows all;
  all.axes.resize(subject.axes.size());
  all.metrics.resize(metrics.size());
  if (rows.empty()) return all;
  const std::size_t axes = subject.axes.size();
  parallel_for(1 + axes + metrics.size(), threads, [&](std::size_t c) {
    if (c == 0) {
      all.points = read_cells(*subject.file, *subject.point, rows).wholes;
    } else if (c <= axes) {
      const SubjectAxis& axis = subject.axes[c - 1];
      AxisCoder coder(axis);
      for (const double value : read_cells(*subject.file, *axis.column, rows).numbers)
        all.axes[c - 1].push_back(coder.code(value));
    } else {
      all.metrics[c - 1 - axes] =
          read_cells(*subject.file, *subject.metrics[metrics[c - 1 - axes]].column, rows).numbers;
    }
  });
  return all;
}

}  // namespace dfsweep::report
