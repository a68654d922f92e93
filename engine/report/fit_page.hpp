/// The page of a fitted law: what each law costs on groups of runs, and its tables.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/table_file.hpp"
#include "io/html/page.hpp"
#include "io/json.hpp"
#include "models/estimator.hpp"

namespace dfsweep::report {

/// Attribute `format` of the files that `dfsweep fit -o FILE.h5` writes.
inline constexpr std::string_view fit_format = "dfsweep steplaw fit";

struct TableView {
  std::string name;  ///< of the page
  std::string kind;  ///< shown in place of an estimator
  std::string description;
  std::vector<std::string> minimized;       ///< columns of numbers of which less is better, in order of interest
  std::vector<std::string> maximized = {};  ///< of which more is better
  std::string decides = {};                 ///< column of the answer; empty: the page has none
  std::vector<std::pair<std::string, std::string>> fronts = {};  ///< pairs of columns with a front
};

/// All rows are kept. Texts with at most `most_axis_texts` different ones are axes; the others are left out.
[[nodiscard]] JsonObject table_data(const TableFileTable& table, const TableView& view);

inline constexpr std::size_t most_axis_texts = 200;

/// `name`: of the file, for the heading.
[[nodiscard]] html::Page fit_page(const TableFile& file, const std::string& name);

}  // namespace dfsweep::report
