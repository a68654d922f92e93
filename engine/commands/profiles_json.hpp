/// A folder of measured tables as JSON.
#pragma once

#include <string>
#include <vector>

#include "engine/profiles/profile_folder.hpp"
#include "engine/profiles/profile_validation.hpp"
#include "io/json.hpp"

namespace dfsweep {

/// {"folder", "tables", "rows", "layers": [...], "networks": [...], "processors": [...], "holes": [...]}, and
/// "cross_validation" where there is one.
[[nodiscard]] Json profiles_json(const std::string& name, const ProfileFolder& folder,
                                 const std::vector<ValidatedTable>& validated);

}  // namespace dfsweep
