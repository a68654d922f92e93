/// Which sweep a former result is of, and whether its rows may be those of another one.
#include "engine/growth/former_result.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/console/build_info.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/store/run_directory.hpp"
#include "io/diagnostic.hpp"

namespace dfsweep {
namespace {

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

}  // namespace

SweepSpec restored_former(const DatasetReader& file, const SweepSpec& grown, const GivenData& data) {
  expect_same_program(file);
  SweepSpec former = restored(file, grown, with_places(data, grown));
  expect_same_form(former, grown);
  expect_same_inputs(former, grown);
  return former;
}

FormerResult::FormerResult(std::shared_ptr<const DatasetReader> file, SweepSpec former, const SweepSpec& grown)
    : reader_(std::move(file)), former_(std::move(former)), grown_(&grown) {}

std::string_view FormerResult::metric_left_out() const {
  const std::vector<MetricIndex>& kept = grown_->metrics;
  const auto left_out = std::find_if(former_.metrics.begin(), former_.metrics.end(), [&](MetricIndex metric) {
    return !std::binary_search(kept.begin(), kept.end(), metric);
  });
  return left_out == former_.metrics.end() ? "" : grown_->estimator->metrics()[*left_out].name;
}

}  // namespace dfsweep
