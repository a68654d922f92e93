/// Growth: which former result a run takes rows from, and whether it may replace it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/growth/former_rows.hpp"
#include "engine/plan/plan.hpp"

namespace dfsweep {

struct Growth {
  std::unique_ptr<FormerRows> rows;  ///< null: nothing is taken
  std::uint64_t taken = 0;           ///< number of rows that are taken
  bool may_replace = false;          ///< the run directory is that of the former result, which loses nothing
  std::string obstacle;              ///< why the result in the run directory cannot be grown, without a full stop
};

/// The published result of another sweep in a run directory, in its place or set aside by an unfinished run that takes
/// rows from it; nothing if there is none, or if its own run is unfinished.
[[nodiscard]] std::optional<std::filesystem::path> former_result(const std::filesystem::path& directory,
                                                                 const Plan& plan);

/// Growth of the result that former_result() found. It may be replaced only if the new result has all its rows and
/// metrics.
[[nodiscard]] Growth growth_in_place(const std::filesystem::path& file, const Plan& plan, const GivenData& data);

/// Rows of a result, or of the one in a run directory, that --from names. Throws UsageError if none can be taken.
[[nodiscard]] Growth growth_from(const std::filesystem::path& file_or_directory, const Plan& plan,
                                 const GivenData& data);

/// "80 of 100 rows are taken from runs/old/result.h5".
[[nodiscard]] std::string taken_text(const Growth& growth, const Plan& plan);

}  // namespace dfsweep
