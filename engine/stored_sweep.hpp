/// The sweep that a result file was made from, read back from the texts it carries.
#pragma once

#include "engine/sweep_spec.hpp"
#include "io/dataset_reader.hpp"

namespace dfsweep {

/// Resolved against the catalogue entries stored in the file, not against today's catalogue. Files that are stored by
/// checksum only (measured tables) are read where the sweep names them, relative to the working folder;
/// throws UserError where they are not there, BadDataset where the texts of the file are damaged.
[[nodiscard]] SweepSpec stored_sweep(const DatasetReader& file);

/// Whether the sweep of the file lists its points; then one of them is a sweep of its own, whose only point it is: its
/// parameters are those of its row, the list itself is not needed. Throws UsageError where no complete row has that
/// point.
[[nodiscard]] bool lists_points(const DatasetReader& file);
[[nodiscard]] SweepSpec stored_sweep_of_line(const DatasetReader& file, std::uint64_t line);

}  // namespace dfsweep
