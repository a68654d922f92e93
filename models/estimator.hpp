/// The estimator interface: what a model publishes (parameters, metrics, statuses) and how blocks of points are
/// evaluated.
///
/// An estimator is prepared once for a sweep: it receives the values of every parameter and may precompute whatever
/// depends on some of the parameters only. It then fills metric columns for blocks of points, given as columns of codes
/// (indices into the lists of values). The interface is independent of files, threads, grids, filters and ranks.
#pragma once

#include <algorithm>
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
#include "models/row_stream.hpp"
#include "models/table.hpp"

namespace dfsweep {

// ---------------------------------------------------------------------------------------------- published tables

enum class ParameterKind : std::uint8_t {
  integer,          ///< whole number in [lowest, highest]
  real,             ///< number in [lowest, highest], given in `unit`
  choice,           ///< one of `choices`
  entry,            ///< an entry of catalogue `catalogue`, or the path of such a file ending in ".toml" or ".json"
  choice_or_entry,  ///< one of `choices`, or the path of a file as for `entry`
  text,             ///< text in a grammar that the estimator checks at preparation ("8x128")
};

/// What happens where the sweep file does not give the parameter.
enum class Absence : std::uint8_t {
  required,    ///< an error
  fallback,    ///< the default `fallback`, spelled as in a sweep file
  from_entry,  ///< no value (NaN, "", null); `fallback` describes in words what is used instead
};

inline constexpr std::string_view best_value = "best";  ///< value that lets the estimator choose

struct ParameterInfo {
  std::string_view name;
  ParameterKind kind = ParameterKind::integer;
  std::string_view unit = "1";  ///< base SI: "1", "s", "B", "B/s", "FLOP/s", "W", "USD"
  double lowest = 0.0;          ///< numbers: allowed range, inclusive
  double highest = 0.0;
  std::span<const std::string_view> choices = {};
  std::string_view catalogue = {};  ///< kind of the entries and folder of the catalogue: "devices", "models", ...
  std::string_view overrides =
      {};  ///< field that the value replaces: "memory.bandwidth" in the entry named by `memory`
  Absence absence = Absence::required;
  std::string_view fallback = {};
  bool accepts_best = false;   ///< "best" is allowed; metric best_<name> reports the choice
  bool is_convention = false;  ///< selects a variant of the formulas, not a property of the system
  std::string_view meaning;    ///< one line
};

enum class Better : std::uint8_t { lower, higher, neither };
enum class MetricType : std::uint8_t { real, flags };

struct MetricInfo {
  std::string_view name;
  std::string_view unit = "1";  ///< UDUNITS spelling where one exists: "s", "byte", "J", "W", "1"; else "FLOP", "USD"
  Better better = Better::neither;
  std::string_view meaning;  ///< one line
  /// Bit s set: the metric has a value also where the status is s (bit 0, ok, always counts as set).
  std::uint32_t valid_statuses = 1;
  bool may_not_apply = false;  ///< NaN is allowed on some ok points
  MetricType type = MetricType::real;
  std::span<const std::string_view> flags = {};  ///< for MetricType::flags: names of the values 0, 1, 2, ...
  /// Required fields ("device.price": field `price` of the entry that parameter `device` names). Without them the
  /// metric is absent.
  std::span<const std::string_view> needs = {};
};

struct StatusInfo {
  std::string_view name;
  std::string_view meaning;
  std::string_view former = {};  ///< name in older results; empty: the same
};
inline constexpr std::uint8_t status_ok = 0;
inline constexpr std::uint8_t status_failed =
    1;  ///< a defect of dfsweep; the engine writes it when an evaluation throws

class ProfileTables;
namespace operators {
class OperatorTables;
}
/// The member of SweepValues::Data through which files reach an estimator; `stream`: a single file, read in blocks.
enum class DataForm : std::uint8_t { tables, profiles, stream, operators };

/// A kind of data file that an estimator needs ([data] in the sweep file).
struct DataInfo {
  std::string_view name;  ///< key in [data], "profiles"
  std::string_view meaning;
  bool required = false;
  /// Names of the files to read ("mlp.csv"), at any depth below the folder; empty: every CSV file.
  std::span<const std::string_view> files = {};
  DataForm form = DataForm::tables;
  std::span<const StreamColumn> stream = {};  ///< columns of DataForm::stream
};

// --------------------------------------------------------------------------------------------------- what is swept

using ParameterIndex = std::size_t;  ///< index into Estimator::parameters()
using MetricIndex = std::size_t;     ///< index into Estimator::metrics()

/// One value of a parameter. Absent values are NaN, "" and null.
struct ParameterValue {
  double number = absent;        ///< of integer and real parameters, in base SI units
  std::string text;              ///< a choice, a text, the name of an entry, or "best"
  const Entry* entry = nullptr;  ///< of entry parameters, and of choice_or_entry where a file was named
  [[nodiscard]] bool is_best() const { return text == best_value; }
};

/// The values of every parameter in a sweep. Linked parameters, and parameters that vary together in a point list, have
/// separate lists of values but share a code column of PointColumns, given by `column`.
struct SweepValues {
  static constexpr std::size_t fixed = std::numeric_limits<std::size_t>::max();
  struct Parameter {
    std::vector<ParameterValue> values;  ///< never empty; exactly one where column == fixed
    std::size_t column = fixed;          ///< code column, or `fixed`
  };
  struct Data {
    std::string name;                                                      ///< DataInfo::name
    std::shared_ptr<const std::vector<Table>> tables = nullptr;            ///< of DataForm::tables, sorted by path
    std::shared_ptr<const ProfileTables> profiles = nullptr;               ///< of DataForm::profiles
    std::shared_ptr<const StreamedRows> stream = nullptr;                  ///< of DataForm::stream
    std::shared_ptr<const operators::OperatorTables> operators = nullptr;  ///< of DataForm::operators
  };
  std::vector<Parameter> parameters;      ///< [ParameterIndex]
  std::vector<std::size_t> column_sizes;  ///< [column] number of codes = number of values of each of its parameters
  std::vector<Data> data;                 ///< one per DataInfo that the sweep file gives

  /// Values of the parameter with this enumerator.
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
  /// `columns`: [code column], each with `count` codes.
  PointColumns(std::span<const std::span<const std::uint32_t>> columns, std::size_t count)
      : columns_(columns), count_(count) {}
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Codes of a column, one per point. Pre: `column` is a SweepValues::Parameter::column other than `fixed`.
  [[nodiscard]] std::span<const std::uint32_t> column(std::size_t column) const { return columns_[column]; }
  /// Code of `parameter` at point `i`; 0 where it is fixed. Too slow for inner loops.
  [[nodiscard]] std::uint32_t code(const SweepValues::Parameter& parameter, std::size_t i) const {
    return parameter.column == SweepValues::fixed ? 0 : columns_[parameter.column][i];
  }

 private:
  std::span<const std::span<const std::uint32_t>> columns_;
  std::size_t count_;
};

/// Points whose metrics the caller reads.
enum class WantedRows : std::uint8_t {
  all,
  ok,  ///< only points with status ok: a search compares no others
};

/// Results of a range of points, filled by PreparedSweep::evaluate.
struct EstimateColumns {
  std::span<std::uint8_t> status;  ///< [point] index into Estimator::statuses()
  /// [MetricIndex][point]; flags are small whole numbers. A column is empty where the caller does not read the metric;
  /// only estimators with PreparedSweep::leaves_out_unwanted() receive empty columns.
  std::span<const std::span<double>> metrics;
  WantedRows wanted_rows = WantedRows::all;

  /// Whether the caller reads the metric with this enumerator.
  template <class Enumerator>
  [[nodiscard]] bool wants(Enumerator metric) const {
    return !metrics[index_of(metric)].empty();
  }

  /// The column of the metric with this enumerator.
  template <class Enumerator>
  [[nodiscard]] std::span<double> operator[](Enumerator metric) const {
    return metrics[index_of(metric)];
  }
};

/// A parameter value that the estimator rejects although its table allows it (a malformed shape, an entry without a
/// required field). The user sees the place of the value, or of the field in the entry that the value names.
struct ValueProblem {
  ParameterIndex parameter = 0;
  std::size_t value = 0;  ///< index into SweepValues::parameters[parameter].values
  std::string problem;    ///< "shape '8y128' is not a product of sizes", "'bandwidth' is negative"
  std::string reason;
  std::string hint;
  std::vector<std::string> fields = {};  ///< fields of the entry that the value names, as EntryProblem::fields
};

/// An error or a doubtful number in a data file; the user sees its place in the file.
struct DataProblem {
  std::string data;      ///< DataInfo::name
  std::string path;      ///< Table::path
  std::size_t line = 0;  ///< line in the file, from 1; 0: the file as a whole
  std::string column;    ///< TableColumn::name; "": the line as a whole
  std::string problem;
  std::string reason;
  std::string hint;
};

/// Thrown by Estimator::prepare with all problems, not only the first.
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
  /// Fills status and every metric of `out` for these points. A metric is NaN where the status is not ok, except for
  /// its MetricInfo::valid_statuses. Thread-safe, deterministic to the last bit, without allocations per point.
  virtual void evaluate(const PointColumns& points, EstimateColumns& out) const = 0;
  /// Whether evaluate() accepts empty columns for unread metrics and, with WantedRows::ok, may leave arbitrary numbers
  /// at points whose status is not ok. All other results have the same bits as a complete evaluation. If false, the
  /// engine always passes all columns.
  [[nodiscard]] virtual bool leaves_out_unwanted() const { return false; }
  /// Fills `bound` with numbers that the metric does not fall below at points whose status is ok: evaluate() gives at
  /// least that number, to the last bit. -infinity: nothing is known. Worth its time only if it is much cheaper than
  /// evaluate(). Pre: Estimator::gives_lower_bound(metric). Thread-safe, deterministic.
  virtual void lower_bounds(MetricIndex metric, const PointColumns& points, std::span<double> bound) const {
    static_cast<void>(metric);
    static_cast<void>(points);
    std::fill(bound.begin(), bound.end(), -std::numeric_limits<double>::infinity());
  }
  /// Everything about the first point of `points`.
  [[nodiscard]] virtual Explanation explain(const PointColumns& points) const = 0;
  /// Why the first point of `points` has no estimate: one sentence without a full stop, which names the limit, the
  /// required and the available amount ("needs 453.6 GB of 80.0 GB of DRAM, activations 71 %"), or the contradicting
  /// numbers. Empty where the status is ok. As slow as explain(), so call it for few points; Estimator::shortfall()
  /// helps to select them. Thread-safe.
  [[nodiscard]] virtual std::string reason(const PointColumns& points) const {
    for (const Fact& fact : explain(points).facts)
      if (const auto* text = std::get_if<std::string>(&fact.value); text != nullptr && fact.label == "reason")
        return *text;
    return {};
  }
  /// Warnings about the data that the user should read before trusting the results; usually empty.
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
  /// Incremented whenever the numbers of a point may change; part of the fingerprint of every plan.
  [[nodiscard]] virtual std::uint32_t version() const = 0;
  [[nodiscard]] virtual std::span<const ParameterInfo> parameters() const = 0;
  [[nodiscard]] virtual std::span<const MetricInfo> metrics() const = 0;
  [[nodiscard]] virtual std::span<const StatusInfo> statuses()
      const = 0;  ///< [0] ok, [1] failed, then those of the estimator
  /// The metric that measures how far an infeasible point is from feasibility: required over available amount of the
  /// exceeded limit, so above 1. The point with the smallest value is the nearest miss among points of one status. NaN
  /// where the status concerns no amount. Empty where the estimator has no such metric.
  [[nodiscard]] virtual std::optional<MetricIndex> shortfall() const { return std::nullopt; }
  /// What a page of results shows first; empty: a default derived from the tables.
  [[nodiscard]] virtual ResultViews views() const { return {}; }
  [[nodiscard]] virtual std::span<const DataInfo> data() const { return {}; }
  /// Numbers of entries that calibration may correct; empty where the estimator has no such numbers.
  [[nodiscard]] virtual std::span<const CalibrationInfo> calibration() const { return {}; }
  /// Order of magnitude of the time to evaluate one point on one core, in seconds. It decides the size of blocks, so it
  /// must depend on the values only, never on the machine.
  [[nodiscard]] virtual double seconds_per_point(const SweepValues& values) const = 0;
  /// Whether PreparedSweep::lower_bounds() bounds this metric in this sweep. A search may skip points by these bounds.
  [[nodiscard]] virtual bool gives_lower_bound(MetricIndex metric, const SweepValues& values) const {
    static_cast<void>(metric);
    static_cast<void>(values);
    return false;
  }
  /// Whether a metric can have a value at some point of this sweep. Otherwise it is written only on request.
  [[nodiscard]] virtual bool applies(MetricIndex metric, const SweepValues& values) const {
    static_cast<void>(metric);
    static_cast<void>(values);
    return true;
  }
  /// Problems of single values that do not depend on other parameters. Called before the sweep is fully validated, so
  /// some parameters may have no values.
  [[nodiscard]] virtual std::vector<ValueProblem> problems_of(const SweepValues& values) const {
    static_cast<void>(values);
    return {};
  }
  /// Pre: `values` obeys the parameter table and outlives the result. Throws InvalidValues.
  [[nodiscard]] virtual std::unique_ptr<PreparedSweep> prepare(const SweepValues& values) const = 0;
};

}  // namespace dfsweep
