/// The sections of a sweep file other than the parameters: filter, search, output, data, points.
#pragma once

#include <filesystem>
#include <span>

#include "engine/sweep/filter.hpp"
#include "engine/sweep/value_reader.hpp"

namespace dfsweep {

/// Checks that a table has no other keys than these.
void check_keys(const TomlTable& table, std::string_view section, std::span<const std::string> keys,
                Problems& problems);

/// [filter] keep: each expression cut into its conditions. Pre: `spec` has its values.
void read_filters(const TomlTable& section, SweepSpec& spec, const Catalogue& catalogue, Problems& problems);

/// [search]. Pre: `spec` has its axes.
void read_search(const TomlTable& section, const SourcePosition& at, SweepSpec& spec, Problems& problems);

/// [output]; without the section (null) all metrics.
void read_output(const TomlTable* section, SweepSpec& spec, Problems& problems);

/// [data], the command line and the environment (DFSWEEP_PROFILES for `profiles`); `base`: folder of the sweep file.
void read_data(const TomlTable* section, const SourcePosition& at, const SweepReading& reading,
               const std::filesystem::path& base, SweepSpec& spec, Problems& problems);

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
[[nodiscard]] PointFile read_points(const TomlTable& section, const SourcePosition& at,
                                    const std::filesystem::path& base, const Estimator& estimator, ValueReader& values,
                                    Problems& problems);

/// The parameters of a sweep as names for expressions, by ParameterIndex; labels are choices and catalogue entries.
[[nodiscard]] std::vector<FilterVariable> filter_variables(const SweepSpec& spec, const Catalogue& catalogue);
/// The same for expressions that were checked before: any label may be named.
[[nodiscard]] std::vector<FilterVariable> filter_variables(const SweepSpec& spec);

}  // namespace dfsweep
