/// Provenance of a prediction: the rows of measured tables that it uses, for explanations.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/measured_tables/operators.hpp"
#include "models/table.hpp"

namespace dfsweep {

/// The samples at `x`, otherwise those at the next x below and above.
[[nodiscard]] std::vector<RowOrigin> rows_near(std::span<const CurveSample> samples, double x);
/// The samples at (u, v), otherwise at the four keys nearest in log(1 + u) and log(1 + v).
[[nodiscard]] std::vector<RowOrigin> rows_near(std::span<const SurfaceSample> samples, double u, double v);

/// Text "compute/a100/gpt/mlp.csv:12, 17, 20 to 24", without duplicates, sorted by table and line.
[[nodiscard]] std::string places_of(std::vector<RowOrigin> rows, std::span<const Table> tables);

}  // namespace dfsweep
