/// Sources of a merged result: the text /provenance/merged, written and read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/dataset_reader.hpp"

namespace dfsweep {

struct MergedSource {
  std::string checksum;     ///< 32 hexadecimal digits
  std::string fingerprint;  ///< of its plan, 32 hexadecimal digits
  std::uint64_t rows = 0;
  std::string name;          ///< of its sweep
  std::string sources = {};  ///< the same text of a source that is itself merged; else empty
};

/// A line "checksum fingerprint rows name" for each source, sorted; below it, indented by two blanks, its own sources.
[[nodiscard]] std::string sources_text(const std::vector<MergedSource>& sources);

/// The direct sources of a result; empty if it was not merged. Throws BadDataset if the text is malformed.
[[nodiscard]] std::vector<MergedSource> sources_of(const DatasetReader& file);

/// The text of a result, or "".
[[nodiscard]] std::string stored_sources(const DatasetReader& file);

}  // namespace dfsweep
