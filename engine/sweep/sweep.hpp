/// SweepSpec: a sweep file, checked against the tables of the estimator and resolved with the catalogue.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalogue/catalogue.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/sweep/sample.hpp"
#include "engine/sweep/search_order.hpp"
#include "io/diagnostic.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

struct EntryFile;
class KeptData;

/// One axis of the grid: a parameter, or linked parameters that share codes. Code column i is axis i.
struct Axis {
  std::vector<ParameterIndex> parameters;
  std::uint32_t size = 0;
};

/// A muParser expression, over parameters as a filter and over metrics, too, as a condition of a search. A point is
/// kept if none of its filters is zero.
struct Filter {
  std::string expression;
  SourcePosition at;
};

struct Search {
  std::vector<std::size_t> axes;  ///< axes to optimise over: indices into SweepSpec::axes, ascending
  MetricIndex metric = 0;
  Better direction = Better::lower;
  std::uint32_t top = 1;  ///< rows kept per reported point
  SearchTies ties = SearchTies::all;
  std::vector<Filter> conditions;  ///< only points that meet all of them are candidates
};

/// The order in which a search ranks its candidates.
[[nodiscard]] inline SearchOrder order_of(const Search& search) {
  return {.direction = search.direction, .ties = search.ties};
}

/// Points from a CSV file instead of a grid. Each varying parameter has its own code column.
struct PointList {
  std::string path;                               ///< as written in the sweep file
  std::string source;                             ///< path as opened, for messages
  std::vector<std::vector<std::uint32_t>> codes;  ///< [code column][line]
  std::uint64_t lines = 0;
};

enum class Precision : std::uint8_t { float64, float32 };

/// Source of the tables of SweepValues::Data.
struct DataPlace {
  std::string name;            ///< name in DataInfo
  std::filesystem::path path;  ///< a folder or a file, as opened
};

struct SweepSpec {
  std::string name;
  std::string description;
  std::string source;  ///< path of the sweep file as given; not part of the fingerprint
  const Estimator* estimator = nullptr;
  SweepValues values;
  std::vector<Axis> axes;  ///< grid order, last fastest; with `points`: one per varying parameter, unordered
  std::vector<Filter> filters;
  std::optional<Search> search;
  std::optional<PointList> points;
  std::optional<Sample> sample;
  std::vector<MetricIndex> metrics;  ///< metrics to write, in table order
  Precision precision = Precision::float64;
  std::optional<int> compression_level;  ///< of deflate, 1 to 9; nothing: columns are not compressed
  std::vector<std::string> overridden;   ///< catalogue fields replaced in this sweep: "memory.bandwidth"
  std::vector<InputFile> inputs;         ///< catalogue entries and data files used, sorted by name
  /// [parameter][value] position of each value, the last one for all that follow; an empty file name means the point
  /// list.
  std::vector<std::vector<SourcePosition>> value_positions;
  std::vector<DataPlace> data_places;
  std::vector<Problem> notes;                             ///< former spellings that were replaced
  std::vector<Problem> warnings;                          ///< about files that can be used in part only
  std::vector<std::shared_ptr<const EntryFile>> entries;  ///< keeps the entries alive that `values` points to
};

/// A point list that is in memory, read instead of the file that the sweep names.
struct PointText {
  std::string text;                          ///< CSV
  std::uint32_t first_line = 1;              ///< number of its first line
  std::vector<std::uint32_t> left_out = {};  ///< ascending; lines that are no points
};

/// Points of a caller in memory, instead of a point list in a file.
struct GivenPoints {
  struct Column {
    std::string name;                          ///< of a parameter
    std::span<const double> numbers = {};      ///< [value] in base SI units; NaN: the value is a text
    std::vector<std::string_view> texts = {};  ///< [value] as in a point list; "": no value
    /// [point] index of its value; empty: all points have the first value.
    std::span<const std::uint32_t> codes = {};
  };
  std::vector<Column> columns;
  std::uint64_t count = 0;  ///< of points

  /// What messages call the points. The line of a position is 1 + the index of a value, its column 1 + that of a
  /// Column.
  static constexpr std::string_view source = "points";
};

struct SweepReading {
  std::vector<std::filesystem::path> catalogues;          ///< folders beside the default ones, as of catalogue_with()
  std::vector<std::pair<std::string, std::string>> data;  ///< name and path of data given on the command line
  std::span<const Estimator* const> estimators = dfsweep::estimators();  ///< estimators that a sweep can name
  std::vector<std::string> other_columns = {};  ///< columns of a point list that are not parameters and are ignored
  const PointText* point_text = nullptr;        ///< outlives the reading; null: the file
  std::vector<InputFile> stored_inputs = {};    ///< entries stored in a dataset, used instead of files of that name
  bool is_stored = false;                       ///< the sweep is stored in a result and cannot be edited
  const GivenPoints* points = nullptr;          ///< points instead of a section [points], which outlive the reading
  KeptData* kept_data = nullptr;  ///< data that sweeps share, which outlives the reading; null: files are read
};

}  // namespace dfsweep
