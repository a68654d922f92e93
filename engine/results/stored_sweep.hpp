/// Restores the sweep of a result file from the texts that are stored in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/sweep/sweep.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// Names and paths of data, as SweepReading::data.
using GivenData = std::vector<std::pair<std::string, std::string>>;

/// Uses the catalogue entries stored in the file, not the current catalogue. Measured tables are not stored and are
/// read from `data`, or from the paths in the environment (results contain no paths, so that they are the same on every
/// machine). Throws UserError if tables are missing, UsageError if they differ from those of the result, BadDataset if
/// the stored texts are damaged.
[[nodiscard]] SweepSpec stored_sweep(const DatasetReader& file, const GivenData& data);

/// Entries and data files that the rows depend on, entries with their text; without a point list, whose rows the file
/// has.
[[nodiscard]] std::vector<InputFile> stored_inputs(const DatasetReader& file);

/// Whether the sweep of the file has a point list. Such a list is not stored: stored_sweep_of_line() returns a sweep of
/// a single point with the parameters of its row. Throws UsageError if no complete row has that point.
[[nodiscard]] bool lists_points(const DatasetReader& file);
[[nodiscard]] SweepSpec stored_sweep_of_line(const DatasetReader& file, std::uint64_t line, const GivenData& data);

/// A sentence where another version of the estimator computed the result, so that its metrics, computed again, may
/// differ from those of the file; else empty. `text`: the stored sweep.
[[nodiscard]] std::string other_version(std::string_view text, const Estimator& estimator);

}  // namespace dfsweep
