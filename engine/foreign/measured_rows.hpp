/// Tables of measured training steps as point lists of the estimator `training`.
#pragma once

#include <string>
#include <vector>

#include "engine/catalogue/catalogue.hpp"

namespace dfsweep::foreign {

/// A model that the catalogue does not have as the table describes it.
struct ModelFile {
  std::string name;
  std::string text;
};

struct MeasuredPoints {
  std::string points;  ///< CSV: a line for each row that can be expressed, columns named like parameters
  std::string
      notes;  ///< CSV: line, id, point, parameter, value, reason: what was assumed, and what cannot be expressed
  std::vector<ModelFile> models;
  std::size_t rows = 0;
  std::size_t expressed = 0;
};

/// Columns as docs/measured.md names them. Throws UserError where the table is malformed.
[[nodiscard]] MeasuredPoints points_of_measured_rows(std::string table, const std::string& shown,
                                                     const Catalogue& catalogue);

}  // namespace dfsweep::foreign
