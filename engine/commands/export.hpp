/// `dfsweep export FILE|DIR --format csv|parquet|arrow -o OUT`: the complete rows of a result file for other programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/commands/verify.hpp"
#include "engine/console/exit_status.hpp"
#include "engine/console/output_form.hpp"
#include "io/compression.hpp"

namespace dfsweep {

enum class ExportForm : std::uint8_t {
  table,   ///< columns as the dataset has them
  points,  ///< a point list: the parameters that vary, spelled as in a sweep file, of the rows that name a point
};

enum class ExportFormat : std::uint8_t { csv, parquet, arrow };

/// The format that the ending of a file names (.parquet; .arrow or .feather), else CSV.
[[nodiscard]] ExportFormat format_of_ending(const std::filesystem::path& file);

struct ExportOptions {
  std::filesystem::path path;          ///< result file or run directory
  std::filesystem::path output = "-";  ///< "-": standard output
  std::vector<std::string> columns;    ///< in this order; empty: all
  std::string where;                   ///< rows for which it holds; empty: every row
  std::string best;                    ///< metric: only the `top` best rows by it; empty: all rows
  std::size_t top = 100;
  ExportForm form = ExportForm::table;
  ExportFormat format = ExportFormat::csv;
  std::optional<Compression> compression;  ///< of Parquet and Arrow; default: zstd of Parquet, none of Arrow
  std::uint32_t threads = 0;               ///< 0: the cores of the affinity mask
  Verbosity verbosity = Verbosity::normal;
};

/// CSV: the first line names the columns as the dataset does; labels and statuses are written as text, a missing value
/// as nothing. Parquet: as engine/exports/parquet_export.hpp, Arrow as arrow_export.hpp there. Rows are in the order of
/// the file. A file is replaced as a whole or not at all. Throws UsageError, BadDataset, ForeignRun, IoError.
[[nodiscard]] ExitStatus run_export(const ExportOptions& options);

}  // namespace dfsweep
