/// The sweep that a result file was made from, read back from the texts it carries.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/sweep/sweep.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

/// Names and places of data, as SweepReading::data.
using GivenData = std::vector<std::pair<std::string, std::string>>;

/// Resolved against the catalogue entries stored in the file, not against today's catalogue. Files that are stored by
/// checksum only (measured tables) are read from `data`, or where the environment says; where a result was made is not
/// stored, so that results are the same everywhere. Throws UserError if they are not given, UsageError where they are
/// others than those that the result was made from, BadDataset where the texts of the file are damaged.
[[nodiscard]] SweepSpec stored_sweep(const DatasetReader& file, const GivenData& data);

/// Whether the sweep of the file lists its points; then one of them is a sweep of its own, whose only point it is: its
/// parameters are those of its row, the list itself is not needed. Throws UsageError if no complete row has that point.
[[nodiscard]] bool lists_points(const DatasetReader& file);
[[nodiscard]] SweepSpec stored_sweep_of_line(const DatasetReader& file, std::uint64_t line, const GivenData& data);

}  // namespace dfsweep
