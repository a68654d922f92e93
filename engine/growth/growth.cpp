/// A result is never replaced by one with fewer rows or metrics.
#include "engine/growth/growth.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/console/foreign_run.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/growth/former_groups.hpp"
#include "engine/growth/former_rows.hpp"
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

void TakenTogether::fill(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_known) const {
  std::fill(is_known.begin(), is_known.end(), std::uint8_t{0});
  std::vector<std::uint8_t> in_this(is_known.size());
  for (const TakenRows& result : results) {
    result.rows->fill(points, estimates, in_this);
    for (std::size_t i = 0; i < is_known.size(); ++i)
      if (in_this[i] != 0) is_known[i] = 1;
  }
}

void TakenTogether::find_groups(std::uint64_t first, std::span<std::optional<GroupResult>> groups) const {
  std::vector<std::optional<GroupResult>> in_this(groups.size());
  std::fill(groups.begin(), groups.end(), std::nullopt);
  for (const TakenRows& result : results) {
    result.rows->find_groups(first, in_this);
    for (std::size_t i = 0; i < groups.size(); ++i)
      if (in_this[i]) groups[i] = std::move(in_this[i]);
  }
}

namespace {

/// Throws NoGrowth if nothing can be taken, BadDataset if the file is damaged.
std::unique_ptr<FormerResult> former_result_of(const std::filesystem::path& path, const Plan& plan,
                                               const GivenData& data) {
  auto file = std::make_shared<DatasetReader>(path);
  const bool was_search = !file->attribute("search_metric").empty();
  if (was_search != plan.spec().search.has_value())
    throw NoGrowth(was_search ? "it is a search, and this sweep is not" : "it is not a search, and this sweep is");
  if (was_search) return std::make_unique<FormerGroups>(std::move(file), plan, data);
  return std::make_unique<FormerRows>(std::move(file), plan.spec(), plan.rows(), data);
}

/// Why the result must not be replaced; empty: nothing of it would be lost.
std::string loss(const TakenRows& taken) {
  const std::uint64_t former = taken.rows->former_count();
  if (former > taken.count)
    return fmt::format(
        "{} of its {} are not in this sweep and would be lost; --from {} takes the others into another --out",
        former - taken.count, counted(former, "row"), taken.rows->file().string());
  const std::string_view metric = taken.rows->metric_left_out();
  return metric.empty() ? "" : fmt::format("its metric {} is not in this sweep and would be lost", metric);
}

}  // namespace

std::unique_ptr<Growth> growth_in_place(const std::filesystem::path& file, const Plan& plan, const GivenData& data) {
  auto growth = std::make_unique<Growth>();
  try {
    TakenRows taken{former_result_of(file, plan, data)};
    taken.count = taken.rows->count();
    growth->obstacle = loss(taken);
    if (growth->obstacle.empty()) growth->taken.results.push_back(std::move(taken));
  } catch (const NoGrowth& error) {
    growth->obstacle = error.what();
  } catch (const BadDataset& error) {
    growth->obstacle = error.what();
  }
  growth->may_replace = growth->obstacle.empty();
  return growth;
}

std::unique_ptr<Growth> growth_from(std::span<const std::filesystem::path> paths, const Plan& plan,
                                    const GivenData& data) {
  auto growth = std::make_unique<Growth>();
  for (const std::filesystem::path& path : paths) {
    const std::filesystem::path file = std::filesystem::is_directory(path) ? store::RunDirectory{path}.result() : path;
    TakenRows taken;
    try {
      taken.rows = former_result_of(file, plan, data);
    } catch (const NoGrowth& error) {
      throw UsageError(fmt::format("--from {}: no row can be taken: {}", file.string(), error.what()));
    }
    taken.count = taken.rows->count();
    if (taken.count == 0)
      throw UsageError(fmt::format("--from {}: none of its rows is a row of this sweep", file.string()));
    growth->taken.results.push_back(std::move(taken));
  }
  return growth;
}

std::string taken_text(const TakenRows& taken, const Plan& plan) {
  return fmt::format("{} of {} are taken from {}", taken.count, counted(plan.row_count(), "row"),
                     taken.rows->file().string());
}

}  // namespace dfsweep
