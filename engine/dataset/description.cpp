/// The layout of result.h5 for a plan; documented in docs/dataset.md.
#include "engine/dataset/description.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/console/build_info.hpp"
#include "engine/dataset/row_columns.hpp"
#include "engine/plan/block_cut.hpp"
#include "engine/sweep/resolved_text.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

/// Path and text of everything under /provenance but the checksums: sweep, inputs (checksum and name of each, one per
/// line), catalogue (the entries used, whole) and build.
std::vector<std::pair<std::string, std::string>> provenance_texts(const SweepSpec& spec) {
  std::string inputs;
  std::string catalogue;
  for (const InputFile& input : spec.inputs) {
    inputs += fmt::format("{} {}\n", input.checksum, input.name);
    if (!input.text.empty()) catalogue += fmt::format("# {}\n{}\n", input.name, input.text);
  }
  std::string overridden;
  for (const std::string& field : spec.overridden) overridden += field + "\n";
  return {{"provenance/sweep", resolved_text(spec)},
          {"provenance/inputs", inputs},
          {"provenance/catalogue", catalogue},
          {"provenance/overridden", overridden},
          {"provenance/build", build_text()}};
}

/// Beyond these, the label table alone carries the names: attributes are limited to 64 KiB.
constexpr std::size_t max_flags = 1024;

/// Converts a label for flag_meanings, which allows letters, digits and _ - . + ; other characters become '_'.
std::string flag_meaning(const std::string& label) {
  std::string word;
  for (const char c : label) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                          c == '-' || c == '.' || c == '+';
    word += is_plain ? c : '_';
  }
  return word.empty() ? "_" : word;
}

/// Converts "B/s" to "byte s-1", the notation of UDUNITS.
std::string dataset_unit(std::string_view unit) {
  std::string result;
  std::string_view exponent;
  for (std::size_t at = 0; at <= unit.size();) {
    const std::size_t end = std::min(unit.find('/', at), unit.size());
    const std::string_view factor = unit.substr(at, end - at);
    if (!result.empty()) result += ' ';
    result += factor == "B" ? "byte" : factor;
    result += exponent;
    exponent = "-1";
    at = end + 1;
  }
  return result.starts_with("1 ") ? result.substr(2) : result;
}

void add_flags(std::vector<Attribute>& attributes, const std::vector<std::string>& labels) {
  if (labels.size() > max_flags) return;
  std::vector<std::int64_t> values;
  std::string meanings;
  for (std::size_t code = 0; code < labels.size(); ++code) {
    values.push_back(static_cast<std::int64_t>(code));
    meanings += (code == 0 ? "" : " ") + flag_meaning(labels[code]);
  }
  attributes.push_back({"flag_values", std::move(values)});
  attributes.push_back({"flag_meanings", std::move(meanings)});
}

std::string_view spelled(Better better) {
  return better == Better::lower ? "lower" : better == Better::higher ? "higher" : "neither";
}

class Description {
 public:
  explicit Description(const Plan& plan)
      : plan_(plan), spec_(plan.spec()), columns_(row_columns(plan)), cut_(block_cut(plan)) {}

  DatasetDescription whole() {
    add("point", ElementType::uint64, ColumnExtent::rows,
        {{"units", std::string("1")},
         {"long_name", std::string(spec_.points ? "line of the point list" : "index of the point in the grid")}});
    for (const AxisColumn& axis : columns_.axes) add_axis(axis);
    if (columns_.split) add_split();
    if (columns_.has_rank)
      add("rank", rank_type, ColumnExtent::rows,
          {{"units", std::string("1")}, {"long_name", std::string("1 is the best of its reported point")}});
    add_status();
    for (const MetricColumn& metric : columns_.metrics) add_metric(metric);
    if (columns_.has_rank) add_groups();
    add_checksums();
    add_fixed();
    description_.texts = provenance_texts(spec_);
    add_root();
    return std::move(description_);
  }

 private:
  void add(const std::string& path, ElementType type, ColumnExtent extent, std::vector<Attribute> attributes) {
    const bool is_row = extent == ColumnExtent::rows;
    description_.columns.push_back({.path = path,
                                    .type = type,
                                    .extent = extent,
                                    .count = is_row ? cut_.rows : cut_.groups,
                                    .width = 1,
                                    .scales = {is_row ? "point" : "reported_point"},
                                    .attributes = std::move(attributes)});
    std::string& names = is_row ? row_names_ : group_names_;
    names += (names.empty() ? "" : " ") + path;
  }

  void add_axis(const AxisColumn& axis) {
    const ParameterInfo& info = spec_.estimator->parameters()[axis.parameter];
    const std::string name(info.name);
    std::vector<Attribute> attributes = {{"units", axis.labels.empty() ? dataset_unit(info.unit) : std::string("1")},
                                         {"long_name", std::string(info.meaning)}};
    if (!axis.labels.empty()) {
      add_flags(attributes, axis.labels);
      attributes.push_back({"labels", name + "_label"});
      description_.labels.push_back({name + "_label", axis.labels});
    }
    if (axis.is_searched || axis.has_gaps) attributes.push_back({"_FillValue", fill_value(axis)});
    add(name, axis.type, ColumnExtent::rows, std::move(attributes));
  }

  static decltype(Attribute::value) fill_value(const AxisColumn& axis) {
    if (!axis.labels.empty() || axis.type == ElementType::int16) return std::int64_t{-1};
    if (axis.type == ElementType::float64) return absent;
    return axis.type == ElementType::int32 ? std::int64_t{std::numeric_limits<std::int32_t>::lowest()}
                                           : std::numeric_limits<std::int64_t>::lowest();
  }

  void add_split() {
    std::vector<Attribute> attributes = {{"units", std::string("1")},
                                         {"long_name", std::string("part of the sample that the row belongs to")},
                                         {"labels", std::string("split_label")}};
    add_flags(attributes, columns_.split_names);
    attributes.push_back({"_FillValue", std::int64_t{absent_split}});
    description_.labels.push_back({"split_label", columns_.split_names});
    add("split", split_type, ColumnExtent::rows, std::move(attributes));
  }

  void add_status() {
    std::vector<Attribute> attributes = {{"units", std::string("1")},
                                         {"long_name", std::string("whether the point is feasible, and why not")},
                                         {"labels", std::string("status_label")},
                                         {"status_meanings", columns_.status_meanings},
                                         {"first_code", std::int64_t{first_status}}};
    add_flags(attributes, columns_.statuses);
    description_.labels.push_back({"status_label", columns_.statuses});
    add("status", ElementType::uint8, ColumnExtent::rows, std::move(attributes));
  }

  /// A metric with the name of a varying parameter gets the suffix "_result".
  [[nodiscard]] std::string metric_name(const MetricInfo& info) const {
    const std::span<const ParameterInfo> parameters = spec_.estimator->parameters();
    const bool is_taken = std::any_of(columns_.axes.begin(), columns_.axes.end(), [&](const AxisColumn& axis) {
      return parameters[axis.parameter].name == info.name;
    });
    return std::string(info.name) + (is_taken ? "_result" : "");
  }

  void add_metric(const MetricColumn& metric) {
    const MetricInfo& info = spec_.estimator->metrics()[metric.metric];
    const std::string name = metric_name(info);
    std::vector<Attribute> attributes = {{"units", std::string(info.unit)},
                                         {"long_name", std::string(info.meaning)},
                                         {"better", std::string(spelled(info.better))}};
    if (info.type == MetricType::flags) {
      const std::vector<std::string> labels(info.flags.begin(), info.flags.end());
      add_flags(attributes, labels);
      attributes.push_back({"labels", name + "_label"});
      attributes.push_back({"_FillValue", std::int64_t{absent_flag}});
      description_.labels.push_back({name + "_label", labels});
    } else {
      attributes.push_back({"_FillValue", absent});
    }
    add(name, metric.type, ColumnExtent::rows, std::move(attributes));
  }

  void add_groups() {
    add("reported_point", ElementType::uint64, ColumnExtent::groups,
        {{"units", std::string("1")},
         {"long_name", std::string("lowest grid index of the points of this reported point")}});
    add("rejections", ElementType::uint64, ColumnExtent::groups,
        {{"units", std::string("1")},
         {"long_name", std::string("points of the searched space by status")},
         {"first_code", std::int64_t{first_status}}});
    description_.columns.back().width = columns_.statuses.size();
    description_.columns.back().scales.emplace_back("status_label");
  }

  /// The checksum table, which publication fills: two halves of XXH3-128 per block and column.
  void add_checksums() {
    std::vector<std::string> halves;
    for (std::size_t i = 0; i < columns_.count(); ++i)
      for (const char* half : {".high", ".low"}) halves.push_back(description_.columns[i].path + half);
    const std::uint64_t blocks = cut_.stored_count();
    const auto add_table = [&](const char* path, std::uint64_t count, std::uint64_t width,
                               std::vector<std::string> scales, std::vector<Attribute> attributes) {
      description_.columns.push_back(
          {path, ElementType::uint64, ColumnExtent::file, count, width, std::move(scales), std::move(attributes)});
    };
    add_table("provenance/block", blocks, 1, {"provenance/block"},
              {{"long_name", std::string("first row of each block")}});
    add_table("provenance/checksums", blocks, halves.size(), {"provenance/block", "provenance/checksum_column"},
              {{"long_name", std::string("XXH3-128 of the bytes of each block in each column, high and low half")},
               {"rows_per_group", static_cast<std::int64_t>(cut_.rows_per_group)}});
    description_.labels.push_back({"provenance/checksum_column", std::move(halves)});
  }

  void add_fixed() {
    const std::span<const ParameterInfo> parameters = spec_.estimator->parameters();
    for (ParameterIndex p = 0; p < parameters.size(); ++p) {
      const SweepValues::Parameter& parameter = spec_.values.parameters[p];
      if (parameter.column != SweepValues::fixed) continue;
      const ParameterInfo& info = parameters[p];
      const ParameterValue& value = parameter.values.front();
      const bool is_number =
          (info.kind == ParameterKind::integer || info.kind == ParameterKind::real) && is_given(value.number);
      if (!is_number && value.text.empty() && value.entry == nullptr) continue;
      ScalarDescription scalar{.path = "fixed/" + std::string(info.name), .value = std::string(), .attributes = {}};
      if (!is_number) {
        scalar.value = label(info, value);
      } else if (info.kind == ParameterKind::integer) {
        scalar.value = static_cast<std::int64_t>(value.number);
      } else {
        scalar.value = value.number;
      }
      scalar.attributes = {{"units", is_number ? dataset_unit(info.unit) : std::string("1")},
                           {"long_name", std::string(info.meaning)}};
      description_.scalars.push_back(std::move(scalar));
    }
  }

  void add_root() {
    std::string axes;
    std::vector<std::int64_t> shape;
    for (const Axis& axis : spec_.axes) {
      for (std::size_t i = 0; i < (spec_.points ? axis.parameters.size() : 1); ++i)
        axes += (axes.empty() ? "" : " ") + std::string(spec_.estimator->parameters()[axis.parameters[i]].name);
      if (!spec_.points) shape.push_back(axis.size);
    }
    if (spec_.points) shape.push_back(static_cast<std::int64_t>(spec_.points->lines));
    std::vector<Attribute>& root = description_.attributes;
    root = {{"Conventions", std::string("CF-1.10")},
            {"title", spec_.description.empty() ? spec_.name : spec_.name + ": " + spec_.description},
            {"format", std::string("dfsweep")},
            {"format_version", std::int64_t{dataset_format_version}},
            {"estimator", std::string(spec_.estimator->name())},
            {"grid_axes", axes},
            {"plan_fingerprint", plan_.fingerprint()},
            {"columns", row_names_},
            {"group_columns", group_names_}};
    if (!shape.empty()) root.push_back({"grid_shape", shape});
    if (spec_.search) add_search();
  }

  void add_search() {
    std::string over;
    for (const std::size_t axis : spec_.search->axes)
      for (const ParameterIndex parameter : spec_.axes[axis].parameters)
        over += (over.empty() ? "" : " ") + std::string(spec_.estimator->parameters()[parameter].name);
    description_.attributes.push_back({"search_over", over});
    description_.attributes.push_back(
        {"search_metric", std::string(spec_.estimator->metrics()[spec_.search->metric].name)});
    description_.attributes.push_back({"search_better", std::string(spelled(spec_.search->direction))});
    description_.attributes.push_back({"search_top", static_cast<std::int64_t>(spec_.search->top)});
    if (spec_.search->ties == SearchTies::one)
      description_.attributes.push_back({"search_one_per_tie", std::int64_t{1}});
    if (!spec_.search->conditions.empty())
      description_.attributes.push_back({"search_where", conjunction_text(spec_.search->conditions)});
  }

  const Plan& plan_;
  const SweepSpec& spec_;
  RowColumns columns_;
  BlockCut cut_;
  DatasetDescription description_;
  std::string row_names_;
  std::string group_names_;
};

}  // namespace

DatasetDescription describe_dataset(const Plan& plan) {
  return Description(plan).whole();
}

}  // namespace dfsweep
