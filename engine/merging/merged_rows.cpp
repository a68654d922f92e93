#include "engine/merging/merged_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/console/usage_error.hpp"
#include "engine/evaluation/range_evaluation.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

/// "device = h100, tensor_parallel = 8".
std::string point_text(const SweepSpec& spec, const PointBuffer& points, std::size_t place) {
  std::string text;
  for (std::size_t column = 0; column < spec.axes.size(); ++column)
    for (const ParameterIndex p : spec.axes[column].parameters) {
      const ParameterInfo& info = spec.estimator->parameters()[p];
      const ParameterValue& value = spec.values.parameters[p].values[points.codes[column][place]];
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", info.name, label(info, value));
    }
  return text.empty() ? "the only point" : text;
}

bool are_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (!is_given(a) && !is_given(b));
}

std::string status_name(const SweepSpec& spec, std::uint8_t status) {
  const auto names = spec.estimator->statuses();
  return status == status_failed ? "failed" : status < names.size() ? std::string(names[status].name) : "another";
}

/// What differs between two estimates of a point; empty: nothing.
std::string difference_of(const SweepSpec& spec, const EstimateBuffer& a, const EstimateBuffer& b, std::size_t place) {
  if (a.status[place] != b.status[place])
    return fmt::format("status is {} and {}", status_name(spec, a.status[place]), status_name(spec, b.status[place]));
  for (const MetricIndex m : spec.metrics)
    if (!are_same(a.metrics[m][place], b.metrics[m][place]))
      return fmt::format("{} is {} and {}", spec.estimator->metrics()[m].name, shortest(a.metrics[m][place]),
                         shortest(b.metrics[m][place]));
  return "";
}

void copy_estimate(const SweepSpec& spec, const EstimateBuffer& from, std::size_t place, EstimateBuffer& to) {
  to.status[place] = from.status[place];
  for (const MetricIndex m : spec.metrics) to.metrics[m][place] = from.metrics[m][place];
}

/// Adds the estimates that a part has. Throws UsageError where it disagrees with those of the parts before it.
void add_estimates(std::span<const MergePart> parts, std::size_t part, const SweepSpec& spec, const PointBuffer& points,
                   const EstimateBuffer& own, std::span<const std::uint8_t> is_found, EstimateBuffer& estimates,
                   std::vector<std::uint8_t>& is_filled, UsedRows& used) {
  for (std::size_t i = 0; i < is_found.size(); ++i) {
    if (is_found[i] == 0) continue;
    ++used.found[part];
    if (is_filled[i] == 0) {
      copy_estimate(spec, own, i, estimates);
      is_filled[i] = 1;
      ++used.taken[part];
    } else if (own.status[i] == status_failed) {
      continue;
    } else if (estimates.status[i] == status_failed) {
      copy_estimate(spec, own, i, estimates);
    } else if (const std::string difference = difference_of(spec, estimates, own, i); !difference.empty()) {
      throw UsageError(
          fmt::format("{} cannot be merged with the others: they disagree on a row that both have ({}): {}",
                      printable(parts[part].shown), point_text(spec, points, i), difference));
    }
  }
}

void resize(const SweepSpec& spec, std::size_t count, EstimateBuffer& estimates) {
  resize_estimates(*spec.estimator, {.metrics = spec.metrics}, count, estimates);
}

void expect_all(const std::vector<std::uint8_t>& is_filled) {
  if (std::find(is_filled.begin(), is_filled.end(), std::uint8_t{0}) != is_filled.end())
    throw NoGrowth("the grid of all values has points that no result has");
}

}  // namespace

RowsOfGrid::RowsOfGrid(std::span<const MergePart> parts, const SweepSpec& spec, const RowSource& rows,
                       const GivenData& data)
    : parts_(parts), spec_(&spec) {
  for (const MergePart& part : parts) {
    try {
      rows_.push_back(std::make_unique<FormerRows>(part.file, spec, rows, data));
    } catch (const NoGrowth& error) {
      throw UsageError(fmt::format("{} cannot be merged: {}", printable(part.shown), error.what()));
    }
  }
}

void RowsOfGrid::fill(std::uint64_t, const PointBuffer& points, EstimateBuffer& estimates, UsedRows& used) const {
  const std::size_t count = points.points.size();
  EstimateBuffer own;
  resize(*spec_, count, own);
  std::vector<std::uint8_t> is_found(count);
  std::vector<std::uint8_t> is_filled(count);
  for (std::size_t part = 0; part < rows_.size(); ++part) {
    rows_[part]->find(points, own, is_found);
    add_estimates(parts_, part, *spec_, points, own, is_found, estimates, is_filled, used);
  }
  expect_all(is_filled);
}

RowsOfPoints::RowsOfPoints(std::span<const MergePart> parts, const MergedPoints& points)
    : parts_(parts), points_(&points) {
  for (const MergePart& part : parts) {
    try {
      estimates_.emplace_back(*part.file, part.spec, points.spec);
    } catch (const NoGrowth& error) {
      throw UsageError(fmt::format("{} cannot be merged: {}", printable(part.shown), error.what()));
    }
  }
}

void RowsOfPoints::add(std::size_t part, std::vector<RowOfPoint>& rows, const PointBuffer& points,
                       EstimateBuffer& estimates, std::vector<std::uint8_t>& is_filled, UsedRows& used) const {
  if (rows.empty()) return;
  EstimateBuffer own;
  resize(points_->spec, is_filled.size(), own);
  std::vector<std::uint8_t> is_found(is_filled.size());
  std::sort(rows.begin(), rows.end(), [](const RowOfPoint& a, const RowOfPoint& b) { return a.row < b.row; });
  for (const std::span<const RowOfPoint> stretch : stretches_of(rows, parts_[part].file->complete()))
    estimates_[part].read(stretch, own, is_found);
  add_estimates(parts_, part, points_->spec, points, own, is_found, estimates, is_filled, used);
}

void RowsOfPoints::fill(std::uint64_t first, const PointBuffer& points, EstimateBuffer& estimates,
                        UsedRows& used) const {
  const std::size_t count = points.points.size();
  std::vector<std::uint8_t> is_filled(count);
  std::vector<std::vector<RowOfPoint>> rows(parts_.size());
  for (std::size_t i = 0; i < count; ++i) {
    const MergedPoints::Source& source = points_->sources[first + i];
    rows[source.part].push_back({source.row, i});
  }
  for (std::size_t part = 0; part < rows.size(); ++part) add(part, rows[part], points, estimates, is_filled, used);
  expect_all(is_filled);
  add_repetitions(first, points, estimates, is_filled, used);
}

void RowsOfPoints::add_repetitions(std::uint64_t first, const PointBuffer& points, EstimateBuffer& estimates,
                                   std::vector<std::uint8_t>& is_filled, UsedRows& used) const {
  const std::vector<MergedPoints::Repetition>& all = points_->repetitions;
  auto one = std::lower_bound(all.begin(), all.end(), first,
                              [](const auto& repetition, std::uint64_t line) { return repetition.line < line; });
  // A part may repeat a line several times; each time is compared by itself.
  std::vector<std::vector<std::vector<RowOfPoint>>> times(parts_.size());
  for (; one != all.end() && one->line < first + is_filled.size(); ++one) {
    const RowOfPoint row{one->source.row, one->line - first};
    std::vector<std::vector<RowOfPoint>>& own = times[one->source.part];
    const auto fits = [&](const std::vector<RowOfPoint>& rows) { return rows.back().point != row.point; };
    auto place = std::find_if(own.begin(), own.end(), fits);
    if (place == own.end()) place = own.emplace(own.end());
    place->push_back(row);
  }
  for (std::size_t part = 0; part < times.size(); ++part)
    for (std::vector<RowOfPoint>& rows : times[part]) add(part, rows, points, estimates, is_filled, used);
}

}  // namespace dfsweep
