/// Pictures of a fit: the loss of every group over learning rate and batch, and the law against N and D.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/fit/report/fit_report.hpp"

namespace dfsweep::fit {

/// File names and SVG texts. `law` is drawn against N and D, `name` is its name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fit_pictures(const FitReport& report,
                                                                            const hyperparameters::ScalingLaw& law,
                                                                            const std::string& name);

}  // namespace dfsweep::fit
