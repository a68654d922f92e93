/// SlabReduction: the rows of one slab, reduced by one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/report/reduction/axis_coder.hpp"
#include "engine/report/reduction/reduction.hpp"
#include "engine/report/reduction/views.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep::report {

class SlabReduction {
 public:
  SlabReduction(const Subject& subject, const Views& views);
  /// Replaces what was reduced before. `so_far`: the slabs before, whose limits spare rows that cannot matter.
  void reduce(const RowRange& slab, const Reduction& so_far);
  [[nodiscard]] Reduction& reduced() { return reduced_; }

 private:
  void restart(const Reduction& so_far);
  void read(std::uint64_t first, std::size_t count);
  void count_rows();
  void add_metrics();
  void add_ranked();
  void add_fronts();
  void add_sample();

  const Subject* subject_;
  const Views* views_;
  Reduction reduced_;
  std::vector<AxisCoder> coders_;                                 ///< of the cube's axes
  std::uint64_t first_row_ = 0;                                   ///< of the chunk
  std::vector<double> status_;                                    ///< [row of the chunk]
  std::vector<double> axis_;                                      ///< [row] of one axis
  std::vector<AxisCoder> task_coder_;                             ///< of the task's axis, if there is one
  std::vector<std::uint32_t> tasks_;                              ///< [row] code of its task
  std::vector<std::uint64_t> points_;                             ///< [row]
  std::vector<std::uint64_t> hashes_;                             ///< [row]
  std::vector<std::uint32_t> cells_;                              ///< [row] cell of the cube
  std::vector<std::uint32_t> ok_;                                 ///< rows with status ok
  std::vector<std::vector<double>> metrics_;                      ///< [Views::metrics][row]
  std::vector<std::size_t> objective_places_;                     ///< in Views::metrics
  std::vector<std::pair<std::size_t, std::size_t>> pair_places_;  ///< in Views::metrics
};

}  // namespace dfsweep::report
