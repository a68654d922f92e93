/// Formats of measured tables by the names that inference engines give them.
#pragma once

#include <optional>
#include <string_view>

#include "models/machine/number_format.hpp"

namespace dfsweep::operators {

struct TableFormat {
  MatrixFormat products = MatrixFormat::bits16;  ///< that the matrix units multiply
  double activation_bytes = 2.0;
  double weight_bytes = 2.0;
  double quantised = 0.0;  ///< 1: activations are quantised inside
};

/// The format of a name ("bfloat16", "fp8_block", "int4_wo"), or nothing.
[[nodiscard]] std::optional<TableFormat> table_format(std::string_view name);

}  // namespace dfsweep::operators
