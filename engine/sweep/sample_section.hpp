/// Reads the section [sample] of a sweep file: what values need first, and what needs the axes afterwards.
#pragma once

#include "engine/sweep/sections.hpp"

namespace dfsweep {

/// Count, method and seed; the sample is set even where they are wrong. Pre: no parameter is read yet.
[[nodiscard]] Sample read_sample(const Document& section, const SourcePosition& at, Problems& problems);

/// `where`, `stratify` and `split`, and what does not go together. Pre: `spec` has its sample, values, known axes,
/// filters and search.
void read_sample_axes(const Document& section, const SourcePosition& at, KnownAxes known, const Catalogue& catalogue,
                      SweepSpec& spec, Problems& problems);

}  // namespace dfsweep
