/// The page of a fitted law: what each law costs on groups of runs, and its tables.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/hdf5/table_file.hpp"
#include "io/html/page.hpp"

namespace dfsweep::report {

/// Attribute `format` of the files that `dfsweep fit -o FILE.h5` writes.
inline constexpr std::string_view fit_format = "dfsweep steplaw fit";

/// `name`: of the file, for the heading.
[[nodiscard]] html::Page fit_page(const TableFile& file, const std::string& name);

}  // namespace dfsweep::report
