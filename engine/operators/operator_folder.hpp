/// OperatorFolder: a folder of measured operators of inference engines, read and checked.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "models/operators/left_out.hpp"
#include "models/operators/table_checks.hpp"

namespace dfsweep::operators {

struct OperatorFolder {
  std::vector<OperatorTable> tables;   ///< sorted by family and names; none is empty
  std::vector<TableSetting> settings;  ///< [table]
  std::vector<LeftOutRows> left_out;   ///< what says nothing about devices
  std::vector<InputFile> inputs;       ///< the files
  std::size_t rows_read = 0;           ///< rows of all files

  [[nodiscard]] std::size_t rows() const;
};

/// Whether a folder, or one below it, has a file of measured operators.
[[nodiscard]] bool has_operator_files(const std::filesystem::path& folder);

/// The device of a system's tables: the entry of "systems" whose field `operators` is the name, or that has the name
/// itself. Nothing where the catalogue has none.
[[nodiscard]] std::optional<TableDevice> device_of_tables(const Catalogue& catalogue, std::string_view system);

/// Throws UserError with all problems: missing columns, cells that are no numbers, times in another unit.
[[nodiscard]] OperatorFolder read_operator_folder(const std::filesystem::path& folder, const Catalogue& catalogue,
                                                  unsigned threads);

}  // namespace dfsweep::operators
