/// The description of a result file from its contents, to lay out a copy of it in another form.
#pragma once

#include <string_view>

#include "io/dataset_contents.hpp"

namespace dfsweep {

inline constexpr std::string_view block_table = "provenance/block";
inline constexpr std::string_view checksum_table = "provenance/checksums";
inline constexpr std::string_view checksum_names = "provenance/checksum_column";
inline constexpr std::string_view chunk_table = "provenance/chunks";

/// Columns of rows, columns of reported points and the tables /provenance/block and /provenance/checksums, in this
/// order; the format version is that of contiguous columns. Pre: the contents are of a file of the newest formats.
[[nodiscard]] DatasetDescription describe_copy(const DatasetContents& contents);

}  // namespace dfsweep
