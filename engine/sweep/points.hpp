/// The section [points] of a sweep file: a CSV file with one point per line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/sweep/value_reader.hpp"

namespace dfsweep {

/// The point list of [points]: parameters of its columns, in the order of the columns, with their values and codes.
struct PointFile {
  struct Column {
    ParameterIndex parameter = 0;
    std::vector<ParameterValue> values;
    std::vector<SourcePosition> positions;  ///< [value] where it occurs first, without the name of the file
    std::vector<std::uint32_t> codes;       ///< [line]
  };
  std::vector<Column> columns;
  std::uint64_t lines = 0;
  std::string path;    ///< as written
  std::string source;  ///< as opened
  InputFile input;
};
/// `others`: columns of the file that are no parameters and are left alone.
[[nodiscard]] PointFile read_points(const Document& section, const SourcePosition& at,
                                    const std::filesystem::path& base, const Estimator& estimator,
                                    std::span<const std::string> others, ValueReader& values, Problems& problems);

}  // namespace dfsweep
