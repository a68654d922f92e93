/// A result is never replaced by one with fewer rows or metrics.
#include "engine/growth/growth.hpp"

#include <fmt/format.h>

#include "engine/console/foreign_run.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/store/run_directory.hpp"
#include "io/file_system.hpp"
#include "io/number_format.hpp"

namespace dfsweep {

std::optional<std::filesystem::path> former_result(const std::filesystem::path& path, const Plan& plan) {
  const store::RunDirectory directory{path};
  FileSystem& files = real_file_system();
  if (!files.exists(directory.plan())) return std::nullopt;
  try {
    const bool is_ours = store::read_run_record(files, directory).fingerprint == plan.fingerprint();
    const bool has_result = files.exists(directory.result());
    if (!is_ours && files.exists(directory.partial())) return std::nullopt;
    if (!is_ours && has_result) return directory.result();
    if (!has_result && files.exists(directory.former())) return directory.former();
  } catch (const ForeignRun&) {  // the run itself reports a damaged plan
  }
  return std::nullopt;
}

Growth growth_in_place(const std::filesystem::path& file, const Plan& plan, const GivenData& data) {
  Growth growth;
  try {
    growth.rows = std::make_unique<FormerRows>(file, plan.spec(), plan.rows(), data);
    growth.taken = growth.rows->count();
    const std::uint64_t lost = growth.rows->former_count() - growth.taken;
    if (lost > 0)
      growth.obstacle = fmt::format(
          "{} of its {} are not in this sweep and would be lost; --from {} takes the others "
          "into another --out",
          lost, counted(growth.rows->former_count(), "row"), file.string());
    else if (const std::string_view metric = growth.rows->metric_left_out(); !metric.empty())
      growth.obstacle = fmt::format("its metric {} is not in this sweep and would be lost", metric);
  } catch (const NoGrowth& error) {
    growth.obstacle = error.what();
  } catch (const BadDataset& error) {
    growth.obstacle = error.what();
  }
  growth.may_replace = growth.obstacle.empty();
  if (!growth.may_replace) growth.rows.reset();
  return growth;
}

Growth growth_from(const std::filesystem::path& path, const Plan& plan, const GivenData& data) {
  const std::filesystem::path file = std::filesystem::is_directory(path) ? store::RunDirectory{path}.result() : path;
  Growth growth;
  try {
    growth.rows = std::make_unique<FormerRows>(file, plan.spec(), plan.rows(), data);
  } catch (const NoGrowth& error) {
    throw UsageError(fmt::format("--from {}: no row can be taken: {}", file.string(), error.what()));
  }
  growth.taken = growth.rows->count();
  if (growth.taken == 0)
    throw UsageError(fmt::format("--from {}: none of its rows is a row of this sweep", file.string()));
  return growth;
}

std::string taken_text(const Growth& growth, const Plan& plan) {
  return fmt::format("{} of {} are taken from {}", growth.taken, counted(plan.row_count(), "row"),
                     growth.rows->file().string());
}

}  // namespace dfsweep
