/// Pictures of a fit: the loss of every group over learning rate and batch, and the law against N and D.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/fit/output/law_figure.hpp"

namespace dfsweep::fit {

/// File names and SVG texts.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fit_pictures(const FitReport& report,
                                                                            const DrawnLaw& law);

}  // namespace dfsweep::fit
