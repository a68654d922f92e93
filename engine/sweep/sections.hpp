/// The sections of a sweep file beside its parameters: filter, search, output, data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "engine/sweep/filter.hpp"
#include "engine/sweep/value_reader.hpp"

namespace dfsweep {

/// Reports keys of a table that are not in `keys`.
void check_keys(const Document& table, std::string_view section, std::span<const std::string> keys, Problems& problems);

/// Reads `keep` of [filter]; each expression is split into its conditions. Pre: `spec` has its values.
void read_filters(const Document& section, SweepSpec& spec, const Catalogue& catalogue, Problems& problems);
/// Adds an expression or an array of expressions over parameters to the filters. Pre: as read_filters().
void read_conditions(const Node& expressions, SweepSpec& spec, const Catalogue& catalogue, Problems& problems);

/// Whether all axes of the sweep were read without errors.
enum class KnownAxes : std::uint8_t { all, some };

/// Reads [search]. Pre: `spec` has its values and known axes.
void read_search(const Document& section, const SourcePosition& at, KnownAxes known, const Catalogue& catalogue,
                 SweepSpec& spec, Problems& problems);

/// Reads [output]; without the section (null) all metrics are selected.
void read_output(const Document* section, SweepSpec& spec, Problems& problems);

/// The parameters of a sweep as variables of expressions, by ParameterIndex; labels are choices and catalogue entries.
[[nodiscard]] std::vector<FilterVariable> filter_variables(const SweepSpec& spec, const Catalogue& catalogue);
/// The same for expressions that were already checked: any label is allowed.
[[nodiscard]] std::vector<FilterVariable> filter_variables(const SweepSpec& spec);

/// The variables of conditions of a search: the parameters, then the metrics by MetricIndex. A metric with the name of
/// a parameter has the suffix "_result".
[[nodiscard]] std::vector<FilterVariable> condition_variables(const SweepSpec& spec,
                                                              std::vector<FilterVariable> parameters);

/// [data], the command line and, for data that the estimator needs, the environment (DFSWEEP_PROFILES for `profiles`);
/// `base`: folder of the sweep file.
void read_data(const Document* section, const SourcePosition& at, const SweepReading& reading,
               const std::filesystem::path& base, const Catalogue& catalogue, SweepSpec& spec, Problems& problems);

}  // namespace dfsweep
