/// Software name: the stack that a measured row ran.
#pragma once

#include <string>
#include <string_view>

#include "models/measured_row.hpp"

namespace dfsweep::training {

/// The stack of a source of measurements; "default" for an unknown one.
[[nodiscard]] std::string_view software_of_source(std::string_view source);

/// The stack of a row: that of its source, with the release or compiler that the row names, or of the date of a round.
[[nodiscard]] std::string software_of_row(const MeasuredRow& row);

}  // namespace dfsweep::training
