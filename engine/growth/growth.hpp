/// Growth: which former result a run takes rows from, and whether it may replace it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/growth/former_result.hpp"
#include "engine/plan/plan.hpp"

namespace dfsweep {

/// Rows of one former result.
struct TakenRows {
  std::unique_ptr<FormerResult> rows;
  std::uint64_t count = 0;  ///< those that belong to the sweep; another result may have some of them, too
};

/// Rows of several results. Where results have the same row, it has the same bits in each.
class TakenTogether final : public KnownRows {
 public:
  void fill(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_known) const override;
  void find_groups(std::uint64_t first, std::span<std::optional<GroupResult>> groups) const override;
  std::vector<TakenRows> results;
};

struct Growth {
  TakenTogether taken;       ///< empty: nothing is taken
  bool may_replace = false;  ///< the run directory is that of the former result, which loses nothing
  std::string obstacle;      ///< why the result in the run directory cannot be grown, without a full stop
  [[nodiscard]] const KnownRows* known() const { return taken.results.empty() ? nullptr : &taken; }
};

/// The published result of another sweep in a run directory, in its place or set aside by an unfinished run that takes
/// rows from it; nothing if there is none, or if its own run is unfinished.
[[nodiscard]] std::optional<std::filesystem::path> former_result(const std::filesystem::path& directory,
                                                                 const Plan& plan);

/// Growth of the result that former_result() found. It may be replaced only if the new result has all its rows and
/// metrics.
[[nodiscard]] std::unique_ptr<Growth> growth_in_place(const std::filesystem::path& file, const Plan& plan,
                                                      const GivenData& data);

/// Rows of results, or of those in run directories, that --from names. Throws UsageError if one of them has no row of
/// this sweep.
[[nodiscard]] std::unique_ptr<Growth> growth_from(std::span<const std::filesystem::path> files_or_directories,
                                                  const Plan& plan, const GivenData& data);

/// "80 of 100 rows are taken from runs/old/result.h5".
[[nodiscard]] std::string taken_text(const TakenRows& taken, const Plan& plan);

}  // namespace dfsweep
