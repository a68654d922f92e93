/// Which rows of a former result a sweep may take, and their estimates.
#include "engine/growth/former_rows.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/console/build_info.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/plan/descent.hpp"
#include "engine/store/run_directory.hpp"
#include "io/diagnostic.hpp"

namespace dfsweep {
namespace {

constexpr std::uint64_t points_at_once = 4096;

void expect_same_program(const DatasetReader& file) {
  if (file.verifiable() != Verifiable::whole)
    throw NoGrowth("it cannot be verified: it has no seal, or it was repacked");
  if (const std::string build = file.provenance("build"); build != build_text())
    throw NoGrowth("it was computed by another build of dfsweep, and rows of two builds may differ in the last bit:\n" +
                   store::difference(build, build_text()));
}

/// Restores the sweep of the file; what the user would have to give for it is a reason not to take its rows.
SweepSpec restored(const DatasetReader& file, const SweepSpec& grown, const GivenData& data) {
  if (file.attribute("estimator") != grown.estimator->name())
    throw NoGrowth(fmt::format("its estimator is {}", file.attribute("estimator")));
  if (grown.search || !file.attribute("search_metric").empty())
    throw NoGrowth(
        "rows of a search are not reused, because their counts of excluded points depend on the whole sweep");
  if (lists_points(file)) throw NoGrowth("it has a point list, and rows are found by the axes of a grid");
  try {
    return stored_sweep(file, data);
  } catch (const UsageError& error) {
    throw NoGrowth(error.what());
  } catch (const UserError& error) {
    throw NoGrowth(error.what());
  }
}

/// Where the data of this sweep are is where those of the former one are looked for.
GivenData with_places(GivenData data, const SweepSpec& grown) {
  for (const DataPlace& place : grown.data_places) {
    const bool is_given =
        std::any_of(data.begin(), data.end(), [&](const auto& one) { return one.first == place.name; });
    if (!is_given) data.emplace_back(place.name, place.path.string());
  }
  return data;
}

const InputFile* input_named(const SweepSpec& spec, const std::string& name) {
  const auto found =
      std::find_if(spec.inputs.begin(), spec.inputs.end(), [&](const InputFile& input) { return input.name == name; });
  return found == spec.inputs.end() ? nullptr : &*found;
}

/// Entries of both sweeps must be the same; files of data, which belong to no single value, must all be the same.
void expect_same_inputs(const SweepSpec& former, const SweepSpec& grown) {
  for (const InputFile& input : grown.inputs) {
    const InputFile* before = input_named(former, input.name);
    if (before == nullptr && input.text.empty())
      throw NoGrowth(fmt::format("it was computed without the file '{}'", input.name));
    if (before != nullptr && before->checksum != input.checksum)
      throw NoGrowth(fmt::format("'{}' has changed since then", input.name));
  }
  for (const InputFile& input : former.inputs)
    if (input.text.empty() && input_named(grown, input.name) == nullptr)
      throw NoGrowth(fmt::format("it was computed with the file '{}'", input.name));
}

void expect_same_form(const SweepSpec& former, const SweepSpec& grown) {
  if (former.sample) throw NoGrowth("it is a sample, and rows are found by the axes of a grid");
  if (former.precision != grown.precision) throw NoGrowth("its precision is another one");
}

/// The sweep with those values of its axes only that both sweeps have, and the filters of both.
SweepSpec common_part(const SweepSpec& former, const SweepSpec& grown, const CodeMapping& mapping) {
  SweepSpec common = grown;
  for (std::size_t column = 0; column < common.axes.size(); ++column) {
    const std::vector<bool> is_shared = mapping.shared_codes(column);
    std::uint32_t size = 0;
    for (const bool shared : is_shared) size += shared ? 1 : 0;
    common.axes[column].size = size;
    common.values.column_sizes[column] = size;
    for (const ParameterIndex p : common.axes[column].parameters) {
      std::vector<ParameterValue> values;
      for (std::size_t code = 0; code < is_shared.size(); ++code)
        if (is_shared[code]) values.push_back(common.values.parameters[p].values[code]);
      common.values.parameters[p].values = std::move(values);
    }
  }
  common.filters.insert(common.filters.end(), former.filters.begin(), former.filters.end());
  return common;
}

}  // namespace

FormerRows::FormerRows(std::shared_ptr<const DatasetReader> file, const SweepSpec& grown, const RowSource& rows,
                       const GivenData& data)
    : grown_(&grown), grown_rows_(&rows), reader_(std::move(file)) {
  expect_same_program(*reader_);
  former_ = restored(*reader_, grown, with_places(data, grown));
  expect_same_form(former_, grown);
  expect_same_inputs(former_, grown);
  mapping_.emplace(former_, grown);
  std::vector<FilterEffect> effects;
  rows_.emplace(former_, effects);
  if (rows_->kept() != reader_->row_count()) throw NoGrowth("its number of rows is not that of its sweep");
  estimates_.emplace(*reader_, former_, grown);
}

std::vector<RowOfPoint> FormerRows::places_of(const PointBuffer& points) const {
  std::vector<RowOfPoint> places;
  std::vector<std::uint32_t> codes(mapping_->columns());
  for (std::size_t i = 0; i < points.points.size(); ++i)
    if (mapping_->map(points, i, codes))
      if (const auto row = rank_of(rows_->grid(), codes)) places.push_back({*row, i});
  std::sort(places.begin(), places.end(), [](const RowOfPoint& a, const RowOfPoint& b) { return a.row < b.row; });
  return places;
}

void FormerRows::fill(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_known) const {
  std::fill(is_known.begin(), is_known.end(), std::uint8_t{0});
  std::vector<RowOfPoint> places = places_of(points);
  for (const std::span<const RowOfPoint> stretch : stretches_of(places, reader_->complete())) {
    try {
      estimates_->read(stretch, estimates, is_known);
    } catch (const BadDataset&) {  // damaged rows are evaluated, as those that failed
      continue;
    }
    for (const RowOfPoint& place : stretch)
      if (estimates.status[place.point] == status_failed) is_known[place.point] = 0;
  }
}

void FormerRows::find(const PointBuffer& points, EstimateBuffer& estimates, std::span<std::uint8_t> is_found) const {
  std::fill(is_found.begin(), is_found.end(), std::uint8_t{0});
  std::vector<RowOfPoint> places = places_of(points);
  for (const std::span<const RowOfPoint> stretch : stretches_of(places, reader_->complete()))
    estimates_->read(stretch, estimates, is_found);
}

std::uint64_t FormerRows::count() const {
  if (!grown_->points && !grown_->sample) {
    const SweepSpec common = common_part(former_, *grown_, *mapping_);
    const std::vector<std::size_t>& sizes = common.values.column_sizes;
    if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
    try {
      std::vector<FilterEffect> effects;
      return GridRows(common, effects).kept();
    } catch (const UserError&) {  // the filters of both keep no point
      return 0;
    }
  }
  std::uint64_t count = 0;
  PointBuffer points;
  for (std::uint64_t first = 0; first < grown_rows_->kept(); first += points_at_once) {
    grown_rows_->decode(first, std::min(points_at_once, grown_rows_->kept() - first), points);
    count += places_of(points).size();
  }
  return count;
}

std::string_view FormerRows::metric_left_out() const {
  const std::vector<MetricIndex>& kept = grown_->metrics;
  const auto left_out = std::find_if(former_.metrics.begin(), former_.metrics.end(), [&](MetricIndex metric) {
    return !std::binary_search(kept.begin(), kept.end(), metric);
  });
  return left_out == former_.metrics.end() ? "" : grown_->estimator->metrics()[*left_out].name;
}

}  // namespace dfsweep
