/// The section [data] of a sweep file: folders or files of measurements, as tables.
#pragma once

#include <filesystem>

#include "engine/sweep/value_reader.hpp"

namespace dfsweep {

/// [data], the command line and, for data that the estimator needs, the environment (DFSWEEP_PROFILES for `profiles`);
/// `base`: folder of the sweep file.
void read_data(const Document* section, const SourcePosition& at, const SweepReading& reading,
               const std::filesystem::path& base, SweepSpec& spec, Problems& problems);

}  // namespace dfsweep
