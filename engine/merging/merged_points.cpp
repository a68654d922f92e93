#include "engine/merging/merged_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "engine/growth/code_mapping.hpp"
#include "engine/merging/line_table.hpp"
#include "engine/merging/merged_grid.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/scan.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "io/csv_blocks.hpp"
#include "models/absent.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

/// A column of the list while it is gathered.
class ListedColumn {
 public:
  explicit ListedColumn(ParameterIndex parameter) : parameter_(parameter) {}
  [[nodiscard]] ParameterIndex parameter() const { return parameter_; }

  /// The code of a value, which is added if it is new.
  std::uint32_t code_of(double number, const std::string& text) {
    ParameterValue value;
    value.number = number;
    value.text = text;
    const auto [place, is_new] = codes_.emplace(value_key(value), static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) {
      numbers_.push_back(number);
      texts_.push_back(text);
    }
    return place->second;
  }
  void add(std::uint32_t code) { lines_.push_back(code); }
  [[nodiscard]] std::span<const std::uint32_t> lines() const { return lines_; }
  [[nodiscard]] GivenPoints::Column given(std::string_view name) const {
    return {.name = std::string(name), .numbers = numbers_, .texts = {texts_.begin(), texts_.end()}, .codes = lines_};
  }

 private:
  ParameterIndex parameter_;
  std::unordered_map<std::string, std::uint32_t> codes_;  ///< by value_key()
  std::vector<double> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::uint32_t> lines_;
};

/// The column of a part that a column of the list comes from, or the one value of all its rows.
struct PartColumn {
  const DatasetColumn* stored = nullptr;
  std::vector<std::uint32_t> codes;                               ///< of names and flags: [code]; of a fixed value: one
  std::unordered_map<std::uint64_t, std::uint32_t> number_codes;  ///< by the bits of a number
};

/// A name of the file as a value: "8" in a list of "best" and 8 is a number.
std::uint32_t code_of_name(const std::string& name, const ParameterInfo& info, ListedColumn& column) {
  const CsvNumber number = csv_number(name);
  return info.accepts_best && number.is_number ? column.code_of(number.value, "") : column.code_of(absent, name);
}

/// The code of rows that were not evaluated.
double missing_code(const DatasetReader& file, const DatasetColumn& status) {
  const std::vector<std::string>& names = file.labels(status);
  return static_cast<double>(std::find(names.begin(), names.end(), "missing") - names.begin());
}

class Gathering {
 public:
  explicit Gathering(std::span<const MergePart> parts) : parts_(parts), estimator_(*parts.front().spec.estimator) {
    for (ParameterIndex p = 0; p < estimator_.parameters().size(); ++p)
      if (varies(p)) columns_.emplace_back(p);
  }

  void gather(MergedPoints& merged) {
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
      std::vector<PartColumn> own = columns_of(parts_[p]);
      const DatasetColumn& status = *parts_[p].file->column("status");
      const double missing = missing_code(*parts_[p].file, status);
      std::vector<const DatasetColumn*> read{&status};
      for (const PartColumn& column : own)
        if (column.stored != nullptr) read.push_back(column.stored);
      scan_rows(*parts_[p].file, read, {}, [&](const RowChunk& chunk) {
        for (std::size_t row = 0; row < chunk.kept.size(); ++row)
          if (chunk.values.front()[row] != missing) add_row(own, chunk, row, p, merged);
      });
    }
    std::stable_sort(merged.repetitions.begin(), merged.repetitions.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
  }

  /// The columns as points in memory, which refer to this object.
  [[nodiscard]] GivenPoints points(std::uint64_t count) const {
    GivenPoints points{.columns = {}, .count = count};
    for (const ListedColumn& column : columns_)
      points.columns.push_back(column.given(estimator_.parameters()[column.parameter()].name));
    return points;
  }
  [[nodiscard]] bool is_listed(ParameterIndex p) const {
    return std::any_of(columns_.begin(), columns_.end(), [&](const ListedColumn& one) { return one.parameter() == p; });
  }

 private:
  /// `chunk`: values of the status, then those of the stored columns of `own`.
  void add_row(std::vector<PartColumn>& own, const RowChunk& chunk, std::size_t row, std::uint32_t part,
               MergedPoints& merged) {
    codes_.resize(columns_.size());
    std::size_t next = 1;
    for (std::size_t c = 0; c < own.size(); ++c)
      codes_[c] =
          own[c].stored == nullptr ? own[c].codes.front() : code_in(own[c], chunk.values[next++][row], columns_[c]);
    const auto is_line = [&](std::uint64_t line) {
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (columns_[c].lines()[line] != codes_[c]) return false;
      return true;
    };
    const MergedPoints::Source source{part, chunk.first_row + row};
    const std::uint64_t line = table_.find_or_add(codes_, merged.sources.size(), is_line);
    if (line < merged.sources.size()) {
      merged.repetitions.push_back({line, source});
      return;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c].add(codes_[c]);
    merged.sources.push_back(source);
  }

  /// Whether rows differ in the parameter.
  [[nodiscard]] bool varies(ParameterIndex p) const {
    const std::string name(estimator_.parameters()[p].name);
    const std::string first = value_key(parts_.front().spec.values.parameters[p].values.front());
    return std::any_of(parts_.begin(), parts_.end(), [&](const MergePart& part) {
      const SweepValues::Parameter& own = part.spec.values.parameters[p];
      return axis_named(*part.file, name) != nullptr || value_key(own.values.front()) != first;
    });
  }

  static const DatasetColumn* axis_named(const DatasetReader& file, const std::string& name) {
    for (const DatasetColumn* axis : axis_columns(file))
      if (axis->name == name) return axis;
    return nullptr;
  }

  std::vector<PartColumn> columns_of(const MergePart& part) {
    std::vector<PartColumn> own(columns_.size());
    for (std::size_t c = 0; c < own.size(); ++c) {
      const ParameterInfo& info = estimator_.parameters()[columns_[c].parameter()];
      own[c].stored = axis_named(*part.file, std::string(info.name));
      if (own[c].stored == nullptr) {
        const ParameterValue& value = part.spec.values.parameters[columns_[c].parameter()].values.front();
        own[c].codes = {columns_[c].code_of(value.number, value.text)};
        continue;
      }
      for (const std::string& name : value_names(*part.file, *own[c].stored))
        own[c].codes.push_back(code_of_name(name, info, columns_[c]));
    }
    return own;
  }

  static std::uint32_t code_in(PartColumn& own, double value, ListedColumn& column) {
    if (!is_given(value)) return column.code_of(absent, "");
    if (!own.codes.empty()) return own.codes[static_cast<std::size_t>(value)];
    const auto [place, is_new] = own.number_codes.emplace(std::bit_cast<std::uint64_t>(value), 0);
    if (is_new) place->second = column.code_of(value, "");
    return place->second;
  }

  std::span<const MergePart> parts_;
  const Estimator& estimator_;
  std::vector<ListedColumn> columns_;
  LineTable table_;
  std::vector<std::uint32_t> codes_;  ///< of one row
};

/// The sweep without its points: what all rows have in common.
std::string common_text(std::span<const MergePart> parts, const Gathering& gathering, const std::string& name) {
  SweepSpec spec = parts.front().spec;
  spec.name = merged_name(parts, name);
  spec.description = merged_description(parts);
  spec.metrics = merged_metrics(parts);
  spec.axes.clear();
  spec.filters.clear();
  spec.sample.reset();
  spec.points.reset();
  spec.inputs.clear();
  spec.values.column_sizes.clear();
  for (ParameterIndex p = 0; p < spec.values.parameters.size(); ++p)
    if (gathering.is_listed(p)) spec.values.parameters[p] = {.values = {ParameterValue{}}};
  return resolved_text(spec);
}

}  // namespace

MergedPoints merged_points(std::span<const MergePart> parts, const std::string& name, const GivenData& data) {
  MergedPoints merged;
  Gathering gathering(parts);
  gathering.gather(merged);
  const GivenPoints points = gathering.points(merged.sources.size());
  SweepReading reading;
  reading.data = data;
  reading.is_stored = true;
  reading.stored_inputs = inputs_of(parts);
  reading.points = &points;
  merged.spec = read_sweep_text(common_text(parts, gathering, name), "the merged sweep", ".", reading);
  return merged;
}

}  // namespace dfsweep
