/// RowTable: points made of measured rows, and notes on what was assumed or cannot be expressed.
#pragma once

#include <optional>
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

/// A model that the catalogue does not have as the table describes it.
struct ModelFile {
  std::string name;
  std::string text;
};

struct MeasuredPoints {
  std::string points;  ///< CSV: a line for each row that can be expressed, columns named like parameters
  std::string
      notes;  ///< CSV: line, id, point, parameter, value, reason: what was assumed, and what cannot be expressed
  std::string measured;  ///< CSV: the points again, who measured them, and what was measured
  std::vector<ModelFile> models;
  std::size_t rows = 0;
  std::size_t expressed = 0;
};

/// A parameter, and its value as a sweep spells it.
using PointCell = std::pair<std::string_view, std::string>;

class RowTable {
 public:
  /// `shown`: of the table, for messages. Pre: both outlive the object.
  RowTable(const Catalogue& catalogue, const std::string& shown);

  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }
  [[nodiscard]] const std::string& shown() const { return shown_; }

  /// The architecture of a model of the catalogue; nothing if it has none of this name, or no transformer.
  [[nodiscard]] std::optional<training::Architecture> model(const std::string& name) const;
  /// A row that is a point. `cells`: the same parameters for every row. `measured`: metrics and what was measured of
  /// them, empty if nothing was; the same metrics for every row.
  void add(const MeasuredRow& row, std::uint64_t line, const std::vector<PointCell>& cells,
           const std::vector<PointCell>& measured, const std::vector<Assumption>& assumptions);
  /// A row that cannot be expressed.
  void reject(const MeasuredRow& row, std::uint64_t line, const std::string& problem);
  /// A model that the catalogue does not have as the table describes it; written once.
  void add_model(ModelFile model);
  [[nodiscard]] MeasuredPoints take();

 private:
  void add_measured(const MeasuredRow& row, const std::vector<PointCell>& cells,
                    const std::vector<PointCell>& measured);
  void note(const MeasuredRow& row, std::uint64_t line, std::uint64_t point, const Assumption& assumption);

  const Catalogue& catalogue_;
  const std::string& shown_;
  CsvWriter points_;
  CsvWriter measured_;
  std::size_t measured_rows_ = 0;
  CsvWriter notes_;
  MeasuredPoints result_;
};

/// What becomes of one row.
using AddRow = void (*)(RowTable& table, const MeasuredRow& row, std::uint64_t line);

/// Adds every row of a table by `add`. Throws UserError if the table is malformed.
[[nodiscard]] MeasuredPoints read_row_table(std::string table, const std::string& shown, const Catalogue& catalogue,
                                            AddRow add);

}  // namespace dfsweep::foreign
