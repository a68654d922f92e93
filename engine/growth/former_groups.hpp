/// FormerGroups: reported points of a published search that another search of the same estimator has, too.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/growth/code_mapping.hpp"
#include "engine/growth/former_result.hpp"
#include "engine/growth/stored_estimates.hpp"
#include "engine/plan/grid_rows.hpp"
#include "engine/plan/plan.hpp"

namespace dfsweep {

class FormerGroups final : public FormerResult {
 public:
  /// As restored_former(). Throws NoGrowth also if the searches differ: in the searched axes and their values, the
  /// metric, the conditions, the rows kept, or the filters; and if the estimator gives bounds, because the points that
  /// they exclude depend on the whole sweep. Pre: both have a search; the plan outlives the result.
  FormerGroups(std::shared_ptr<const DatasetReader> file, const Plan& plan, const GivenData& data);

  /// Blocks are verified when they are read; reported points of damaged blocks are not known, nor those with status
  /// `failed` at some point.
  void find_groups(std::uint64_t first, std::span<std::optional<GroupResult>> groups) const override;

  [[nodiscard]] std::uint64_t count() const override;

 private:
  /// A group of this sweep that the former one has.
  struct SharedGroup {
    std::size_t place = 0;  ///< among those that are looked for
    std::uint64_t former = 0;
    std::uint64_t first_point = 0;
    std::vector<std::uint32_t> codes;  ///< [code column] of that point
  };
  struct Stored;

  [[nodiscard]] std::optional<SharedGroup> shared_group(std::uint64_t group, PointBuffer& buffer) const;
  [[nodiscard]] Stored read(std::span<const SharedGroup> shared) const;
  /// What the file has of `shared[index]`; nothing if that is not all of it.
  [[nodiscard]] std::optional<GroupResult> result_of(const SharedGroup& shared, std::size_t index,
                                                     const Stored& stored) const;
  [[nodiscard]] Candidate candidate_of(const SharedGroup& shared, std::size_t row, const Stored& stored) const;

  const Plan* plan_;
  std::vector<FilterEffect> effects_;  ///< filled while former_rows_ is made
  GridRows former_rows_;
  CodeMapping mapping_;
  StoredEstimates estimates_;
  const DatasetColumn* point_ = nullptr;
  const DatasetColumn* rejections_ = nullptr;
  std::vector<std::uint64_t> strides_;  ///< [axis] of the index of a point in the grid of this sweep
  std::vector<std::uint64_t> former_strides_;
};

}  // namespace dfsweep
