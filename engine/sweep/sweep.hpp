/// SweepSpec: a sweep file decoded, checked against the estimator's tables and resolved against the catalogue.
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
#include "io/diagnostic.hpp"
#include "models/estimator.hpp"

namespace dfsweep {

struct EntryFile;

/// One axis of the grid: the parameter, or the linked parameters, that share its codes. Code column i is axis i.
struct Axis {
  std::vector<ParameterIndex> parameters;
  std::uint32_t size = 0;
};

/// A muParser expression over parameter names; a point is kept where every filter is not zero.
struct Filter {
  std::string expression;
  SourcePosition at;
};

struct Search {
  std::vector<std::size_t> axes;  ///< indices into SweepSpec::axes, ascending: optimised away
  MetricIndex metric = 0;
  Better direction = Better::lower;
  std::uint32_t top = 1;  ///< rows kept per reported point
};

/// Points read from a CSV file instead of a grid. Each parameter that varies has a code column of its own.
struct PointList {
  std::string path;                               ///< as written in the sweep file
  std::string source;                             ///< as opened, for messages
  std::vector<std::vector<std::uint32_t>> codes;  ///< [code column][line]
  std::uint64_t lines = 0;
};

enum class Precision : std::uint8_t { float64, float32 };

/// Where the tables of SweepValues::Data come from.
struct DataPlace {
  std::string name;            ///< of DataInfo
  std::filesystem::path path;  ///< a folder or a file, as opened
};

struct SweepSpec {
  std::string name;
  std::string description;
  std::string source;  ///< path of the sweep file as given; never part of the fingerprint
  const Estimator* estimator = nullptr;
  SweepValues values;
  std::vector<Axis> axes;  ///< grid order, last fastest; with `points`: one per varying parameter, unordered
  std::vector<Filter> filters;
  std::optional<Search> search;
  std::optional<PointList> points;
  std::vector<MetricIndex> metrics;  ///< columns to write, in table order
  Precision precision = Precision::float64;
  std::vector<std::string> overridden;  ///< catalogue fields replaced in this sweep: "memory.bandwidth"
  std::vector<InputFile> inputs;        ///< catalogue entries and data files used, sorted by name
  /// [parameter][value], where each value was written; an empty file name is that of the point list.
  std::vector<std::vector<SourcePosition>> value_positions;
  std::vector<DataPlace> data_places;
  std::vector<Problem> notes;                             ///< former spellings that were replaced
  std::vector<Problem> warnings;                          ///< about files that can be used in part only
  std::vector<std::shared_ptr<const EntryFile>> entries;  ///< keeps the entries alive that `values` points to
};

struct SweepReading {
  std::vector<std::filesystem::path> catalogues;          ///< folders beside the default ones, as of catalogue_with()
  std::vector<std::pair<std::string, std::string>> data;  ///< name and path of data given on the command line
  std::span<const Estimator* const> estimators = dfsweep::estimators();  ///< those that a sweep may name
  std::vector<std::string> other_columns = {};                           ///< of a point list: no parameters, left alone
  std::vector<InputFile> stored_inputs =
      {};                  ///< texts of entries kept in a dataset, used instead of files of that name
  bool is_stored = false;  ///< the sweep is one that a result holds: nobody can edit it
};

}  // namespace dfsweep
