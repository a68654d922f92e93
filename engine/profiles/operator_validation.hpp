/// Errors of the tables of a folder by the left-out procedures, by family and format.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/operators/operator_folder.hpp"

namespace dfsweep::operators {

/// Errors of all rows of a group of tables, relative.
struct GroupErrors {
  Family family = Family::products;
  std::string group;  ///< format of products and experts, operation of a library, wires; "": all of the family
  std::size_t tables = 0;
  std::size_t rows = 0;
  ErrorPair form;       ///< closed form fitted to its table; shapes left out, of exchanges sizes
  ErrorPair form_long;  ///< the same, of rows above 100 us; where there are any
  std::size_t long_rows = 0;
  ErrorPair table;       ///< with the ratios of the nearest keys, left out likewise
  double covered = 0.0;  ///< share of the rows within the bound that holds nine of ten
  std::size_t systems = 0;
  ErrorPair none;    ///< closed form fitted to the other systems; where there are two and more
  ErrorPair twenty;  ///< the same, with twenty rows of the table
};

/// Groups by family and name. Tables of less than 40 rows are left out. The result does not depend on `threads`.
[[nodiscard]] std::vector<GroupErrors> validate_operators(const OperatorFolder& folder, unsigned threads);

}  // namespace dfsweep::operators
