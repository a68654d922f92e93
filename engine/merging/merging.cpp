#include "engine/merging/merging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "engine/console/usage_error.hpp"
#include "engine/dataset/block_encoding.hpp"
#include "engine/dataset/description.hpp"
#include "engine/dataset/new_result.hpp"
#include "engine/evaluation/range_evaluation.hpp"
#include "engine/merging/merged_grid.hpp"
#include "engine/merging/merged_points.hpp"
#include "engine/merging/merged_rows.hpp"
#include "engine/parallel/threads.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "io/diagnostic.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"

namespace dfsweep {

namespace {

constexpr std::uint64_t piece_rows = 8192;

/// A sweep with its rows and blocks. Members refer to earlier ones.
struct PlannedSweep {
  explicit PlannedSweep(SweepSpec read) : spec(std::move(read)), rows(spec), plan(spec, rows) {}
  PlannedSweep(const PlannedSweep&) = delete;
  PlannedSweep& operator=(const PlannedSweep&) = delete;
  SweepSpec spec;
  RowSource rows;
  Plan plan;
};

/// Writes the blocks of a plan from the estimates of the parts.
class MergedWriting {
 public:
  MergedWriting(const Plan& plan, const MergedRows& rows, std::size_t parts, unsigned threads)
      : plan_(plan), rows_(rows), threads_(threads), encoder_(plan) {
    used_.found.resize(parts);
    used_.taken.resize(parts);
  }

  /// `merged`: text of /provenance/merged.
  UsedRows write(const std::filesystem::path& path, const std::string& merged) {
    DatasetDescription description = describe_dataset(plan_);
    description.texts.emplace_back("provenance/merged", merged);
    NewResult result(path, description);
    std::vector<std::uint64_t> first_rows;
    std::vector<Checksum> checksums;
    BlockBytes bytes;
    for (BlockId id = 0; id < plan_.block_count(); ++id) {
      const Block block = plan_.block(id);
      fill(block, bytes);
      first_rows.push_back(block.first_row);
      checksums.resize(bytes.size());
      parallel_for(bytes.size(), threads_, [&](std::size_t column) {
        checksums[column] = xxh3_128(bytes[column]);
        result.write(column, block.first_row, bytes[column]);
      });
      result.write_checksums(id, checksums);
    }
    result.publish(first_rows);
    return used_;
  }

 private:
  void fill(const Block& block, BlockBytes& bytes) {
    encoder_.resize(block.row_count, bytes);
    const std::size_t pieces = (block.row_count + piece_rows - 1) / piece_rows;
    parallel_for(pieces, threads_, [&](std::size_t piece) {
      const std::uint64_t first = piece * piece_rows;
      const std::uint64_t count = std::min(piece_rows, block.row_count - first);
      PointBuffer points;
      plan_.rows().decode(block.first_kept + first, count, points);
      EstimateBuffer estimates;
      resize_estimates(*plan_.spec().estimator, {.metrics = plan_.spec().metrics}, count, estimates);
      UsedRows used{std::vector<std::uint64_t>(used_.found.size()), std::vector<std::uint64_t>(used_.taken.size())};
      rows_.fill(block.first_kept + first, points, estimates, used);
      encoder_.encode(points, estimates, first, bytes);
      const std::lock_guard lock(mutex_);
      for (std::size_t p = 0; p < used.found.size(); ++p) {
        used_.found[p] += used.found[p];
        used_.taken[p] += used.taken[p];
      }
    });
  }

  const Plan& plan_;
  const MergedRows& rows_;
  unsigned threads_;
  BlockEncoder encoder_;
  std::mutex mutex_;  ///< guards used_
  UsedRows used_;
};

class Merge {
 public:
  explicit Merge(const MergeRequest& request) : request_(request), parts_(open_parts(request.parts, request.data)) {
    expect_alike(parts_);
    merged_ = sources_text(sources_of(parts_));
  }

  MergeReport run() {
    MergeReport report;
    UsedRows used;
    try {
      used = write_grid(report);
    } catch (const NoGrowth& reason) {
      expect_finished(reason.what());
      report.no_grid = reason.what();
      used = write_points(report);
    }
    std::vector<MergedSource> sources = sources_of(parts_);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      report.sources.push_back({parts_[p].shown, std::move(sources[p]), used.taken[p]});
    return report;
  }

 private:
  /// Throws NoGrowth where the rows form no grid.
  UsedRows write_grid(MergeReport& report) {
    for (const MergePart& part : parts_)
      if (part.lists_points) throw NoGrowth(fmt::format("{} is a list of points or a sample", printable(part.shown)));
    SweepReading reading;
    reading.data = request_.data;
    reading.is_stored = true;
    reading.stored_inputs = inputs_of(parts_);
    std::optional<PlannedSweep> sweep;
    const std::string text = merged_sweep(parts_, request_.name);
    try {
      sweep.emplace(read_sweep_text(text, "the merged sweep", ".", reading));
    } catch (const UserError& error) {
      throw NoGrowth(fmt::format("the values of all results form no grid: {}", error.what()));
    }
    std::uint64_t most = 0;
    for (const MergePart& part : parts_) most += part.rows();
    report.rows = sweep->plan.row_count();
    if (report.rows > most)
      throw NoGrowth(fmt::format("the grid of all values has {}, and the results have {}",
                                 counted(report.rows, "point"), counted(most, "row")));
    const RowsOfGrid rows(parts_, sweep->spec, sweep->rows, request_.data);
    return MergedWriting(sweep->plan, rows, parts_.size(), request_.threads).write(request_.output, merged_);
  }

  UsedRows write_points(MergeReport& report) {
    const MergedPoints points = merged_points(parts_, request_.name, request_.data);
    const PlannedSweep sweep(points.spec);
    report.rows = sweep.plan.row_count();
    const RowsOfPoints rows(parts_, points);
    return MergedWriting(sweep.plan, rows, parts_.size(), request_.threads).write(request_.output, merged_);
  }

  /// Which rows an unfinished run has depends on when it was stopped, so they are only taken where they fill a grid.
  void expect_finished(const std::string& reason) const {
    for (const MergePart& part : parts_)
      if (!part.is_finished())
        throw UsageError(
            fmt::format("{} is not finished ({} of {} rows), and its rows do not complete those of the "
                        "others: {}. Finish it, or merge it with the results that have the other rows",
                        printable(part.shown), part.rows(), part.file->row_count(), reason));
  }

  const MergeRequest& request_;
  std::vector<MergePart> parts_;
  std::string merged_;
};

}  // namespace

MergeReport merge_results(const MergeRequest& request) {
  return Merge(request).run();
}

}  // namespace dfsweep
