/// The estimator seam: what a model publishes (parameters, metrics, statuses) and how it is evaluated by block.
///
/// An estimator is prepared once for a sweep: it sees the list of values of every parameter and may compute and keep
/// whatever depends on a subset of them. It then fills metric columns for blocks of points, given as columns of
/// codes (indices into those lists of values). Nothing here knows of files, threads, grids, filters or ranks.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/absent.hpp"
#include "models/calibration_info.hpp"
#include "models/entry.hpp"
#include "models/enum_array.hpp"
#include "models/expect.hpp"
#include "models/explanation.hpp"
#include "models/result_views.hpp"
#include "models/table.hpp"

namespace dfsweep {

// ---------------------------------------------------------------------------------------------- published tables

enum class ParameterKind : std::uint8_t {
  integer,          ///< whole number in [lowest, highest]
  real,             ///< number in [lowest, highest], given in `unit`
  choice,           ///< one of `choices`
  entry,            ///< an entry of catalogue `catalogue`, or the path of such a file ending in ".toml" or ".json"
  choice_or_entry,  ///< one of `choices`, or the path of such a file
  text,             ///< free text whose grammar the estimator checks at preparation ("8x128")
};

/// What holds where the sweep file does not give the parameter.
enum class Absence : std::uint8_t {
  required,    ///< an error
  fallback,    ///< the value of `fallback`, spelled as in a sweep file
  from_entry,  ///< no value of its own (NaN, "", null): `fallback` says in words what is used instead
};

inline constexpr std::string_view best_value = "best";  ///< spelling of "let the estimator choose"

struct ParameterInfo {
  std::string_view name;
  ParameterKind kind = ParameterKind::integer;
  std::string_view unit = "1";  ///< base SI: "1", "s", "B", "B/s", "FLOP/s", "W", "USD"
  double lowest = 0.0;          ///< numbers: allowed range, inclusive
  double highest = 0.0;
  std::span<const std::string_view> choices = {};
  std::string_view catalogue = {};  ///< entries: their kind, "devices", "models", ... (folder of the catalogue)
  std::string_view overrides = {};  ///< "memory.bandwidth": replaces that field of the entry named by `memory`
  Absence absence = Absence::required;
  std::string_view fallback = {};
  bool accepts_best = false;   ///< "best" is legal; the choice is reported as metric best_<name>
  bool is_convention = false;  ///< says how formulas or tables are read, not what is swept: no choice of an architect
  std::string_view meaning;    ///< one line
};

enum class Better : std::uint8_t { lower, higher, neither };
enum class MetricType : std::uint8_t { real, flags };

struct MetricInfo {
  std::string_view name;
  std::string_view unit = "1";  ///< UDUNITS spelling where one exists: "s", "byte", "J", "W", "1"; else "FLOP", "USD"
  Better better = Better::neither;
  std::string_view meaning;  ///< one line
  /// Bit s set: the metric is a number also where status code s holds (bit 0, ok, always counts as set).
  std::uint32_t valid_statuses = 1;
  bool may_not_apply = false;  ///< NaN is legal on some ok points
  MetricType type = MetricType::real;
  std::span<const std::string_view> flags = {};  ///< MetricType::flags: names of the values 0, 1, 2, ...
  /// Fields of entries ("device.price", by the parameter that names the entry) without which the metric is absent.
  std::span<const std::string_view> needs = {};
};

struct StatusInfo {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::uint8_t status_ok = 0;
inline constexpr std::uint8_t status_failed = 1;  ///< a defect of ours, written by the engine when an evaluation throws

/// A kind of data file that an estimator needs ([data] in the sweep file).
struct DataInfo {
  std::string_view name;  ///< key in [data], "profiles"
  std::string_view meaning;
  bool required = false;
  /// Names of the files that are read from a folder ("mlp.csv"), wherever below it; empty: every CSV file.
  std::span<const std::string_view> files = {};
};

// --------------------------------------------------------------------------------------------------- what is swept

using ParameterIndex = std::size_t;  ///< into Estimator::parameters()
using MetricIndex = std::size_t;     ///< into Estimator::metrics()

/// One value of a parameter. Absent values are NaN, "" and null.
struct ParameterValue {
  double number = absent;        ///< integer and real, base SI units
  std::string text;              ///< choice, text; name of an entry; "best"
  const Entry* entry = nullptr;  ///< entry, and choice_or_entry where a file was named
  [[nodiscard]] bool is_best() const { return text == best_value; }
};

/// The values of every parameter in a sweep. Parameters that are linked, or that vary together from line to line of a
/// point list, still have lists of their own; `column` tells which code column of PointColumns carries the code.
struct SweepValues {
  static constexpr std::size_t fixed = std::numeric_limits<std::size_t>::max();
  struct Parameter {
    std::vector<ParameterValue> values;  ///< never empty; exactly one where column == fixed
    std::size_t column = fixed;          ///< code column, or `fixed`
  };
  struct Data {
    std::string name;           ///< of DataInfo
    std::vector<Table> tables;  ///< every CSV file below the folder, sorted by path
  };
  std::vector<Parameter> parameters;      ///< [ParameterIndex]
  std::vector<std::size_t> column_sizes;  ///< [column] number of codes: of values of its parameters
  std::vector<Data> data;                 ///< one per DataInfo that was given

  /// The parameter that an enumerator of an estimator names.
  template <class Enumerator>
  [[nodiscard]] Parameter& operator[](Enumerator parameter) {
    return parameters[index_of(parameter)];
  }
  template <class Enumerator>
  [[nodiscard]] const Parameter& operator[](Enumerator parameter) const {
    return parameters[index_of(parameter)];
  }
};

/// Codes of a range of points. A code indexes SweepValues::parameters[p].values.
class PointColumns {
 public:
  /// `columns`: [code column] each of `count` codes.
  PointColumns(std::span<const std::span<const std::uint32_t>> columns, std::size_t count)
      : columns_(columns), count_(count) {}
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Codes of a code column (SweepValues::Parameter::column; not `fixed`), one per point.
  [[nodiscard]] std::span<const std::uint32_t> column(std::size_t column) const { return columns_[column]; }
  /// Code of parameter `parameter` at point `i`; 0 where it is fixed. For explanations and expensive points, not inner
  /// loops.
  [[nodiscard]] std::uint32_t code(const SweepValues::Parameter& parameter, std::size_t i) const {
    return parameter.column == SweepValues::fixed ? 0 : columns_[parameter.column][i];
  }

 private:
  std::span<const std::span<const std::uint32_t>> columns_;
  std::size_t count_;
};

/// Points whose metrics are read.
enum class WantedRows : std::uint8_t {
  all,
  ok,  ///< those with status ok alone: a search compares no others
};

/// Results of a range of points, filled by PreparedSweep::evaluate.
struct EstimateColumns {
  std::span<std::uint8_t> status;  ///< [point] code into Estimator::statuses()
  /// [MetricIndex][point]; flags are small whole numbers. Empty where nobody reads the metric, which happens to
  /// estimators alone that leave out what is not wanted (PreparedSweep::leaves_out_unwanted).
  std::span<const std::span<double>> metrics;
  WantedRows wanted_rows = WantedRows::all;

  /// Whether the metric that an enumerator of an estimator names is read.
  template <class Enumerator>
  [[nodiscard]] bool wants(Enumerator metric) const {
    return !metrics[index_of(metric)].empty();
  }

  /// The column of the metric that an enumerator of an estimator names.
  template <class Enumerator>
  [[nodiscard]] std::span<double> operator[](Enumerator metric) const {
    return metrics[index_of(metric)];
  }
};

/// A value of a parameter that the estimator cannot accept although its table allows it (a malformed shape, an entry
/// without a needed field). Reported to the user where that value was written, or the field of the entry that it names.
struct ValueProblem {
  ParameterIndex parameter = 0;
  std::size_t value = 0;  ///< index into SweepValues::parameters[parameter].values
  std::string problem;    ///< "shape '8y128' is not a product of sizes", "'bandwidth' is negative"
  std::string reason;
  std::string hint;
  std::vector<std::string> fields = {};  ///< of the entry that the value names, as EntryProblem::fields
};

/// Something in a data file that an estimator cannot use, or doubts; reported to the user at its place in the file.
struct DataProblem {
  std::string data;      ///< DataInfo::name
  std::string path;      ///< Table::path
  std::size_t line = 0;  ///< of the file, from 1; 0: the file as a whole
  std::string column;    ///< TableColumn::name; "": the line as a whole
  std::string problem;
  std::string reason;
  std::string hint;
};

/// Thrown by Estimator::prepare: all problems found, not the first.
class InvalidValues : public std::runtime_error {
 public:
  explicit InvalidValues(std::vector<ValueProblem> found, std::vector<DataProblem> found_in_data = {})
      : std::runtime_error("invalid parameter values or data"),
        problems(std::move(found)),
        data_problems(std::move(found_in_data)) {}
  std::vector<ValueProblem> problems;
  std::vector<DataProblem> data_problems;
};

// ------------------------------------------------------------------------------------------------------ evaluation

class PreparedSweep {
 public:
  PreparedSweep() = default;
  PreparedSweep(const PreparedSweep&) = delete;
  PreparedSweep& operator=(const PreparedSweep&) = delete;
  virtual ~PreparedSweep() = default;
  /// Fills status and every metric of `out` for these points: NaN where the status is not ok, unless the metric's
  /// table says otherwise. Thread-safe; the same points always give the same bits; nothing is allocated per point.
  virtual void evaluate(const PointColumns& points, EstimateColumns& out) const = 0;
  /// Whether evaluate() may be asked for less: for columns of few metrics, the others being empty, and with
  /// WantedRows::ok for those of points with status ok alone; at other points they then may be anything. What it fills
  /// has the same bits as if all were wanted. An estimator that says false is always given all columns.
  [[nodiscard]] virtual bool leaves_out_unwanted() const { return false; }
  /// Everything about the first point of `points`.
  [[nodiscard]] virtual Explanation explain(const PointColumns& points) const = 0;
  /// Why the first point of `points` has no estimate: one sentence without a full stop, which names the limit, what is
  /// needed and what there is ("needs 453.6 GB of 80.0 GB of DRAM, activations 71 %"), or the numbers that disagree.
  /// Empty where the status is ok. It may take as long as explain(): ask it for a few points, not for every row;
  /// Estimator::shortfall() tells which are worth it. Thread-safe.
  [[nodiscard]] virtual std::string reason(const PointColumns& points) const {
    for (const Fact& fact : explain(points).facts)
      if (const auto* text = std::get_if<std::string>(&fact.value); text != nullptr && fact.label == "reason")
        return *text;
    return {};
  }
  /// What the user should know about the data before the results are believed; empty in general.
  [[nodiscard]] virtual std::span<const DataProblem> warnings() const { return {}; }
};

class Estimator {
 public:
  Estimator() = default;
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;
  virtual ~Estimator() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view meaning() const = 0;  ///< one line
  /// Raised whenever the numbers of a point may change; part of every plan's fingerprint.
  [[nodiscard]] virtual std::uint32_t version() const = 0;
  [[nodiscard]] virtual std::span<const ParameterInfo> parameters() const = 0;
  [[nodiscard]] virtual std::span<const MetricInfo> metrics() const = 0;
  [[nodiscard]] virtual std::span<const StatusInfo> statuses() const = 0;  ///< [0] ok, [1] failed, then its own
  /// The metric that says how far an infeasible point is from a feasible one: needed over available of the limit that
  /// is exceeded, so above 1. The nearest miss among points of one status is the one with the least value; NaN: the
  /// status is not about an amount. Nothing where the estimator has no such metric.
  [[nodiscard]] virtual std::optional<MetricIndex> shortfall() const { return std::nullopt; }
  /// What a page of results shows first; nothing: what the tables alone tell.
  [[nodiscard]] virtual ResultViews views() const { return {}; }
  [[nodiscard]] virtual std::span<const DataInfo> data() const { return {}; }
  /// Numbers of entries that measurements may correct; none where a model leaves nothing open.
  [[nodiscard]] virtual std::span<const CalibrationInfo> calibration() const { return {}; }
  /// Order of magnitude of the time of one point of this sweep on one core, in seconds; decides the size of blocks,
  /// so it depends on the values alone and never on the machine.
  [[nodiscard]] virtual double seconds_per_point(const SweepValues& values) const = 0;
  /// Whether a metric can be a number somewhere in this sweep. One that cannot is written only where it is asked for.
  [[nodiscard]] virtual bool applies(MetricIndex metric, const SweepValues& values) const {
    static_cast<void>(metric);
    static_cast<void>(values);
    return true;
  }
  /// What is wrong with values whatever the others are: this is asked before a sweep is known to be right otherwise, so
  /// some parameters may have no values.
  [[nodiscard]] virtual std::vector<ValueProblem> problems_of(const SweepValues& values) const {
    static_cast<void>(values);
    return {};
  }
  /// Pre: `values` obeys the parameter table and outlives the result. Throws InvalidValues.
  [[nodiscard]] virtual std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const = 0;
};

}  // namespace dfsweep
