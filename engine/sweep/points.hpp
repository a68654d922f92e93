/// Points of a sweep instead of a grid: the section [points], which names a CSV file with one point per line, and
/// points in memory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/sweep/value_reader.hpp"

namespace dfsweep {

/// A point list: the parameters of its columns, in the order of the columns, with values and codes.
struct PointFile {
  struct Column {
    ParameterIndex parameter = 0;
    std::vector<ParameterValue> values;
    std::vector<SourcePosition> positions;  ///< [value] position of its first occurrence, without the file name
    std::vector<std::uint32_t> codes;       ///< [line]; empty: all lines have the first value
  };
  std::vector<Column> columns;
  std::uint64_t lines = 0;
  std::string path;    ///< as written
  std::string source;  ///< as opened
  InputFile input;
};
/// `others`: columns that are not parameters and are ignored. `renamed`: former and present names of columns.
/// `in_memory`: read instead of the file; null: the file is read.
[[nodiscard]] PointFile read_points(const Document& section, const SourcePosition& at,
                                    const std::filesystem::path& base, const Estimator& estimator,
                                    std::span<const std::string> others,
                                    std::span<const std::pair<std::string, std::string>> renamed,
                                    const PointText* in_memory, ValueReader& values, Problems& problems);

/// Points in memory, checked like those of a file.
[[nodiscard]] PointFile read_points(const GivenPoints& points, const Estimator& estimator, ValueReader& values,
                                    Problems& problems);

}  // namespace dfsweep
