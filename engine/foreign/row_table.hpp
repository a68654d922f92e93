/// RowTable: converts measured rows to points; records assumptions and rows that cannot be expressed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "io/csv_writer.hpp"
#include "models/measured_row.hpp"
#include "models/training/measured/reading.hpp"
#include "models/transformer/architecture.hpp"

namespace dfsweep::foreign {

/// An entry file of a model that differs from the catalogue.
struct ModelFile {
  std::string name;
  std::string text;
};

struct MeasuredPoints {
  std::string points;  ///< CSV: one line per row that can be expressed; columns are parameters
  /// CSV: line, id, point, parameter, value, reason: assumptions, and rows that cannot be expressed
  std::string notes;
  std::string measured;  ///< CSV: the points with their sources and measurements
  std::vector<ModelFile> models;
  std::size_t rows = 0;
  std::size_t expressed = 0;
};

/// A parameter and its value as written in a sweep.
using PointCell = std::pair<std::string_view, std::string>;

class RowTable {
 public:
  /// `shown`: name of the table in messages; `columns`: its columns. Pre: the first two outlive the object.
  RowTable(const Catalogue& catalogue, const std::string& shown, std::span<const std::string> columns);

  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
  [[nodiscard]] const std::string& shown() const { return shown_; }

  /// The architecture of a model in the catalogue; nothing if there is no transformer called `name`.
  [[nodiscard]] std::optional<Architecture> model(const std::string& name) const;
  /// Adds a row as a point. `cells`: parameters and values; `measured`: metrics and measured values ("" if not
  /// measured). Pre: the same parameters and metrics for every row.
  void add(const MeasuredRow& row, std::uint64_t line, const std::vector<PointCell>& cells,
           const std::vector<PointCell>& measured, const std::vector<Assumption>& assumptions);
  /// Records a row that cannot be expressed.
  void reject(const MeasuredRow& row, std::uint64_t line, const std::string& problem);
  /// Adds the file of a model that differs from the catalogue; repeated files are ignored.
  void add_model(ModelFile model);
  [[nodiscard]] MeasuredPoints take();

 private:
  void add_measured(const MeasuredRow& row, const std::vector<PointCell>& cells,
                    const std::vector<PointCell>& measured);
  void note(const MeasuredRow& row, std::uint64_t line, std::uint64_t point, const Assumption& assumption);

  const Catalogue& catalogue_;
  const std::string& shown_;
  std::span<const std::string_view> labels_;  ///< columns that are copied to the measured table
  CsvWriter points_;
  CsvWriter measured_;
  std::size_t measured_rows_ = 0;
  CsvWriter notes_;
  MeasuredPoints result_;
};

/// Converts one row.
using AddRow = void (*)(RowTable& table, const MeasuredRow& row, std::uint64_t line);

/// Calls `add` for every row of a table. Throws UserError if the table is malformed.
[[nodiscard]] MeasuredPoints read_row_table(std::string table, const std::string& shown, const Catalogue& catalogue,
                                            AddRow add);

}  // namespace dfsweep::foreign
