/// MergePart: one of the results that are merged, with its sweep.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/merging/merged_sources.hpp"
#include "engine/results/stored_sweep.hpp"
#include "engine/sweep/sweep.hpp"
#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

struct MergePart {
  std::shared_ptr<const DatasetReader> file;
  std::string shown;  ///< path as given
  SweepSpec spec;     ///< of a point list: that of its first row
  std::vector<InputFile> inputs;
  std::string checksum;       ///< 32 hexadecimal digits
  bool lists_points = false;  ///< its rows are the lines of a point list, or the points of a sample

  [[nodiscard]] std::uint64_t rows() const { return file->complete_count(); }
  [[nodiscard]] bool is_finished() const { return rows() == file->row_count(); }
};

/// Opens results, or the complete blocks of run directories. Throws UsageError if one cannot be merged by itself: it is
/// the result of a search, has joined columns or was made by another build; and BadDataset, ForeignRun, NotReady,
/// IoError. `data`: where measured tables are.
[[nodiscard]] std::vector<MergePart> open_parts(std::span<const std::filesystem::path> paths, const GivenData& data);

/// Throws UsageError with the reason where two of them do not belong together: another estimator,
/// another precision, other content of a catalogue entry or data file of the same name.
void expect_alike(std::span<const MergePart> parts);

/// The entries and data files of all parts, sorted by name. Pre: expect_alike().
[[nodiscard]] std::vector<InputFile> inputs_of(std::span<const MergePart> parts);

/// What /provenance/merged says of the parts.
[[nodiscard]] std::vector<MergedSource> sources_of(std::span<const MergePart> parts);

}  // namespace dfsweep
