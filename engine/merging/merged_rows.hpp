/// MergedRows: where the estimates of a merged sweep are, and whether the parts agree on them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/evaluation/estimates.hpp"
#include "engine/growth/former_rows.hpp"
#include "engine/merging/merge_parts.hpp"
#include "engine/merging/merged_points.hpp"

namespace dfsweep {

/// Rows of the parts that were used.
struct UsedRows {
  std::vector<std::uint64_t> found;  ///< [part] its rows
  std::vector<std::uint64_t> taken;  ///< [part] those that no part before it has
};

class MergedRows {
 public:
  MergedRows() = default;
  MergedRows(const MergedRows&) = delete;
  MergedRows& operator=(const MergedRows&) = delete;
  virtual ~MergedRows() = default;
  /// Fills the estimates of rows [first, first + points.points.size()), whose points are given, and adds to `used`.
  /// Thread-safe. Throws NoGrowth if no part has one of the rows, UsageError if parts disagree, BadDataset if one is
  /// damaged. Pre: `estimates` has room for the metrics of the sweep.
  virtual void fill(std::uint64_t first, const PointBuffer& points, EstimateBuffer& estimates,
                    UsedRows& used) const = 0;
};

/// Rows of a grid, by the values of its axes. A row whose status is `failed` gives way to that of another part.
class RowsOfGrid final : public MergedRows {
 public:
  /// Throws UsageError if a part cannot give its rows to this sweep. Pre: all arguments outlive the rows.
  RowsOfGrid(std::span<const MergePart> parts, const SweepSpec& spec, const RowSource& rows, const GivenData& data);
  void fill(std::uint64_t first, const PointBuffer& points, EstimateBuffer& estimates, UsedRows& used) const override;

 private:
  std::span<const MergePart> parts_;
  const SweepSpec* spec_;
  std::vector<std::unique_ptr<FormerRows>> rows_;  ///< [part]
};

/// Rows of a list of points.
class RowsOfPoints final : public MergedRows {
 public:
  /// As RowsOfGrid.
  RowsOfPoints(std::span<const MergePart> parts, const MergedPoints& points);
  void fill(std::uint64_t first, const PointBuffer& points, EstimateBuffer& estimates, UsedRows& used) const override;

 private:
  void add(std::size_t part, std::vector<RowOfPoint>& rows, const PointBuffer& points, EstimateBuffer& estimates,
           std::vector<std::uint8_t>& is_filled, UsedRows& used) const;
  void add_repetitions(std::uint64_t first, const PointBuffer& points, EstimateBuffer& estimates,
                       std::vector<std::uint8_t>& is_filled, UsedRows& used) const;

  std::span<const MergePart> parts_;
  const MergedPoints* points_;
  std::vector<StoredEstimates> estimates_;  ///< [part]
};

}  // namespace dfsweep
