/// FormerRows: rows of a published result that belong to points of another sweep of the same estimator.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/growth/code_mapping.hpp"
#include "engine/growth/former_result.hpp"
#include "engine/growth/stored_estimates.hpp"
#include "engine/plan/grid_rows.hpp"
#include "engine/plan/row_source.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

class FormerRows final : public FormerResult {
 public:
  /// `data`: where measured tables are, as for stored_sweep(). Throws NoGrowth if no row can be taken: the program, an
  /// entry, the data or a fixed value differs, a metric is missing, or one of both is a search. Throws BadDataset if
  /// the file is damaged. Pre: `grown` and its `rows` outlive the result.
  FormerRows(std::shared_ptr<const DatasetReader> file, const SweepSpec& grown, const RowSource& rows,
             const GivenData& data);

  /// Blocks are verified when they are first read. Rows of damaged blocks, and those with status `failed`, are not
  /// known.
  void fill(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_known) const override;
  /// As fill(), with rows whose status is `failed`. Throws BadDataset where a checksum does not match.
  void find(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_found) const;

  /// Number of rows of the grown sweep that the file has. Counts without enumerating points where the grown sweep is a
  /// grid.
  [[nodiscard]] std::uint64_t count() const override;

 private:
  [[nodiscard]] std::vector<RowOfPoint> places_of(const PointBuffer& points) const;

  const RowSource* grown_rows_;
  std::optional<CodeMapping> mapping_;
  std::optional<GridRows> rows_;
  std::optional<StoredEstimates> estimates_;
};

}  // namespace dfsweep
