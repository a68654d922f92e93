/// Layouts of the files of measured operators: which columns are keys, which name the table, which holds the time.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "models/operators/family.hpp"

namespace dfsweep::operators {

struct OperatorLayout {
  std::string_view file;  ///< "gemm": of gemm.csv and gemm_perf.csv
  Family family = Family::products;
  std::span<const std::string_view> keys;  ///< columns of the keys, in the order of the family; "" where the key is 1
  std::string_view format;                 ///< column
  std::string_view cache;                  ///< column of the format of the cache; "": none
  std::span<const std::string_view> variants;  ///< columns that name the table besides; the first may select rows
  std::string_view selected;  ///< rows whose first variant begins with it belong to this layout; "": all rows
  std::string_view time;      ///< column
  double time_unit = 1e-3;    ///< s
  std::string_view part;      ///< appended to the variant: "dispatch"
  std::string_view window{};  ///< column that names tables with a window apart from those without, where it is 0
};

/// All layouts; several may read one file.
[[nodiscard]] std::span<const OperatorLayout> operator_layouts();

/// Name of the file without its ending and "_perf"; empty where it is not one of the files of measured operators.
[[nodiscard]] std::string_view operator_file(const std::filesystem::path& path);

}  // namespace dfsweep::operators
