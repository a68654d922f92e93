/// Former statuses: conditions on rows that name a status as another release spells it.
#pragma once

#include <span>
#include <string>

#include "models/estimator.hpp"

namespace dfsweep {

/// `expression` with the quoted names of statuses that are not among `labels` replaced by the name in `labels` of the
/// same status: former names where a file has the present ones, and the other way round.
[[nodiscard]] std::string with_statuses_among(std::span<const std::string> labels, std::span<const StatusInfo> statuses,
                                              std::string expression);

}  // namespace dfsweep
