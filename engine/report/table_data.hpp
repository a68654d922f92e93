/// A table of texts and numbers as the data of a page: texts are axes, numbers are metrics.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/table_file.hpp"
#include "io/json.hpp"
#include "models/estimator.hpp"

namespace dfsweep::report {

struct TableView {
  std::string name;  ///< of the page
  std::string kind;  ///< stands for the estimator
  std::string description;
  std::vector<std::string> minimized;  ///< columns of numbers of which less is better, in order of interest
};

/// All rows are kept. Texts with at most `most_axis_texts` different ones are axes; the others are left out.
[[nodiscard]] JsonObject table_data(const TableFileTable& table, const TableView& view);

inline constexpr std::size_t most_axis_texts = 200;

}  // namespace dfsweep::report
