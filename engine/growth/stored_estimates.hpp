/// StoredEstimates: status and metrics of rows of a result, as another sweep of the same estimator has them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/evaluation/estimates.hpp"
#include "engine/growth/no_growth.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// A row of the file, and a point of a buffer.
struct RowOfPoint {
  std::uint64_t row = 0;
  std::size_t point = 0;  ///< place in the buffer
};

class StoredEstimates {
 public:
  /// Throws NoGrowth if the file, whose sweep is `former`, lacks a metric that `wanted` writes and that has values in
  /// it. Pre: `file` outlives the result, and both sweeps have the same estimator.
  StoredEstimates(const DatasetReader& file, const SweepSpec& former, const SweepSpec& wanted);

  /// Reads all rows of one stretch, from the first to the last of `rows`, and copies those. Sets `is_found` to 1 at
  /// points whose rows were evaluated, be it with status `failed`, and to 0 at the other ones. Thread-safe. Throws
  /// BadDataset where a checksum does not match. Pre: `rows` is not empty and ascends; the stretch is complete;
  /// `estimates` has columns for the metrics of the wanted sweep.
  void read(std::span<const RowOfPoint> rows, EstimateBuffer& estimates, std::span<std::uint8_t> is_found) const;

 private:
  const DatasetReader* file_;
  const DatasetColumn* status_ = nullptr;
  std::size_t statuses_ = 0;                   ///< codes from here on mean a row that was not evaluated
  std::vector<const DatasetColumn*> columns_;  ///< [metric of the wanted sweep]; null: without values in the file
};

/// Cuts ascending rows into stretches that are read at once although some rows between them are not wanted. Rows that
/// are not complete are left out.
[[nodiscard]] std::vector<std::span<const RowOfPoint>> stretches_of(std::vector<RowOfPoint>& rows,
                                                                    std::span<const RowRange> complete);

}  // namespace dfsweep
