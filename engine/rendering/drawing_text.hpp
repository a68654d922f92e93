/// Words of a drawing that all renderers share.
#pragma once

#include <string>

#include "models/explanation.hpp"

namespace dfsweep {

/// "SRAM 83.89 MB".
[[nodiscard]] std::string fact_text(const Fact& fact);

/// "52.43 MB"; empty where the edge says nothing.
[[nodiscard]] std::string amount_text(const Drawing& drawing, const Drawing::Edge& edge);

}  // namespace dfsweep
