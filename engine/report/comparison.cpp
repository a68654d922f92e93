#include "engine/report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engine/console/usage_error.hpp"
#include "engine/report/provenance.hpp"
#include "engine/report/report_json.hpp"
#include "io/number_format.hpp"
#include "io/terminal.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

constexpr std::uint32_t not_common = 0xFFFFFFFFU;

std::string value_text(const SubjectAxis& axis, std::size_t code) {
  const double value = axis.values[code];
  const auto stored = static_cast<std::size_t>(std::max(value, 0.0));
  if (axis.names.empty()) return shortest(value);
  return stored < axis.names.size() ? axis.names[stored] : std::string();
}

/// Values are the same where their texts are; texts of numbers read back as the same numbers.
CommonAxis common_axis(const Report& a, std::size_t in_a, const Report& b, std::size_t in_b) {
  CommonAxis common{.in_a = in_a, .in_b = in_b, .codes_a = {}, .codes_b = {}};
  const SubjectAxis& axis_a = a.subject.axes[in_a];
  const SubjectAxis& axis_b = b.subject.axes[in_b];
  std::map<std::string, std::uint32_t> by_text;
  for (std::uint32_t code = 0; code < axis_b.values.size(); ++code) by_text.emplace(value_text(axis_b, code), code);
  for (std::uint32_t code = 0; code < axis_a.values.size(); ++code) {
    const auto found = by_text.find(value_text(axis_a, code));
    if (found == by_text.end()) continue;
    common.codes_a.push_back(code);
    common.codes_b.push_back(found->second);
  }
  return common;
}

std::vector<CommonAxis> common_axes(const Report& a, const Report& b) {
  std::vector<CommonAxis> axes;
  for (const std::size_t in_a : a.reduction.axes)
    for (const std::size_t in_b : b.reduction.axes) {
      const SubjectAxis& axis_a = a.subject.axes[in_a];
      const SubjectAxis& axis_b = b.subject.axes[in_b];
      if (axis_a.column->name != axis_b.column->name || axis_a.names.empty() != axis_b.names.empty()) continue;
      CommonAxis axis = common_axis(a, in_a, b, in_b);
      if (!axis.codes_a.empty()) axes.push_back(std::move(axis));
    }
  return axes;
}

/// An axis of one result that the other one holds at a value.
struct HeldAxis {
  std::size_t axis = 0;
  std::optional<std::uint32_t> code;  ///< of that value; nothing where the axis does not have it
};

/// Whether a value of an axis is the one that a parameter has in all rows of another result.
bool is_value(const SubjectAxis& axis, std::size_t code, const FixedValue& fixed) {
  if (const auto* text = std::get_if<std::string>(&fixed.value)) return value_text(axis, code) == *text;
  const auto* whole = std::get_if<std::int64_t>(&fixed.value);
  const double number = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(fixed.value);
  return axis.names.empty() && axis.values[code] == number;
}

/// The code for which a condition holds.
template <class Condition>
HeldAxis held_where(const Report& report, std::size_t axis, const Condition& holds) {
  HeldAxis held{axis, std::nullopt};
  for (std::uint32_t code = 0; code < report.subject.axes[axis].values.size(); ++code)
    if (holds(code)) held.code = code;
  return held;
}

/// Axes of `report` that have one value in `other`, as a parameter or in all rows: only that value is compared.
std::vector<HeldAxis> held_axes(const Report& report, const Report& other) {
  std::vector<HeldAxis> held;
  for (const std::size_t axis : report.reduction.axes) {
    const SubjectAxis& here = report.subject.axes[axis];
    for (const FixedValue& fixed : other.subject.file->fixed())
      if (here.column->name == fixed.name)
        held.push_back(held_where(report, axis, [&](std::uint32_t code) { return is_value(here, code, fixed); }));
    for (const SubjectAxis& there : other.subject.axes)
      if (here.column->name == there.column->name && there.values.size() == 1)
        held.push_back(held_where(report, axis,
                                  [&](std::uint32_t code) { return value_text(here, code) == value_text(there, 0); }));
  }
  return held;
}

/// [cell of the cube] its cell of the comparison, or `not_common`. `side`: what leads from common values to codes.
template <class Side>
std::vector<std::uint32_t> common_cells(const Report& report, const std::vector<CommonAxis>& axes,
                                        const std::vector<HeldAxis>& held, const Side& side) {
  std::vector<std::uint32_t> cells(report.reduction.cube.cells());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    std::vector<std::uint32_t> codes(report.subject.axes.size());
    std::size_t rest = cell;
    for (std::size_t a = report.reduction.axes.size(); a-- > 0;) {
      const std::size_t axis = report.reduction.axes[a];
      const std::size_t size = report.subject.axes[axis].values.size();
      codes[axis] = static_cast<std::uint32_t>(rest % size);
      rest /= size;
    }
    const auto differs = [&](const HeldAxis& h) { return !h.code || codes[h.axis] != *h.code; };
    std::uint32_t place = std::any_of(held.begin(), held.end(), differs) ? not_common : 0;
    for (const CommonAxis& axis : axes) {
      if (place == not_common) break;
      const auto& [in_report, common_codes] = side(axis);
      const auto found = std::find(common_codes.begin(), common_codes.end(), codes[in_report]);
      if (found == common_codes.end()) {
        place = not_common;
        break;
      }
      place = place * static_cast<std::uint32_t>(common_codes.size()) +
              static_cast<std::uint32_t>(found - common_codes.begin());
    }
    cells[cell] = place;
  }
  return cells;
}

struct CodesOfSide {
  std::size_t in_report;
  const std::vector<std::uint32_t>& codes;
};

std::uint64_t rows_outside(const Report& report, const std::vector<std::uint32_t>& cells) {
  std::uint64_t rows = 0;
  for (std::size_t code = 0; code < report.subject.statuses.size(); ++code)
    for (const std::uint32_t cell : report.reduction.cube.touched())
      if (cells[cell] == not_common) rows += report.reduction.cube.counts(code)[cell];
  return rows;
}

double sign_of_metric(const Report& report, std::size_t metric) {
  return report.subject.metrics[metric].better == Better::higher ? -1.0 : 1.0;
}

std::vector<double> best_values(const Report& report, std::size_t objective, const std::vector<std::uint32_t>& cells,
                                std::size_t cell_count) {
  std::vector<BestRow> best(cell_count);
  const std::span<const BestRow> all = report.reduction.cube.best(objective);
  for (const std::uint32_t cell : report.reduction.cube.touched())
    if (cells[cell] != not_common && all[cell].row != no_row) best[cells[cell]].offer(all[cell].cost, all[cell].row);
  const double sign = sign_of_metric(report, report.views.objectives[objective]);
  std::vector<double> values;
  for (const BestRow& row : best) values.push_back(row.row == no_row ? absent : sign * row.cost);
  return values;
}

/// The place of a metric in a list of places in Subject::metrics, by name.
std::optional<std::size_t> place_by_name(const Report& report, const std::vector<std::size_t>& list,
                                         const std::string& name) {
  for (std::size_t place = 0; place < list.size(); ++place)
    if (report.subject.metrics[list[place]].column->name == name) return place;
  return std::nullopt;
}

Json front_points(const Report& report, std::size_t pair) {
  const auto& [x, y] = report.views.trade_offs[pair];
  JsonArray points;
  const Front front = report.reduction.pairs[pair].whole();
  for (const FrontMember& member : front.steps()) {
    const std::uint64_t point = report.kept_rows.points[place_of(report.kept, member.row)];
    points.emplace_back(
        JsonArray{Json(sign_of_metric(report, x) * member.x), Json(sign_of_metric(report, y) * member.y), Json(point)});
  }
  return points;
}

JsonArray fronts_json(const Report& a, const Report& b) {
  const auto name = [](const Report& report, std::size_t m) { return report.subject.metrics[m].column->name; };
  JsonArray fronts;
  for (std::size_t pa = 0; pa < a.views.trade_offs.size(); ++pa)
    for (std::size_t pb = 0; pb < b.views.trade_offs.size(); ++pb) {
      const auto& [ax, ay] = a.views.trade_offs[pa];
      const auto& [bx, by] = b.views.trade_offs[pb];
      if (name(a, ax) != name(b, bx) || name(a, ay) != name(b, by)) continue;
      fronts.emplace_back(
          JsonObject{{"x", name(a, ax)}, {"y", name(a, ay)}, {"a", front_points(a, pa)}, {"b", front_points(b, pb)}});
    }
  return fronts;
}

std::size_t cell_count_of(const std::vector<CommonAxis>& axes) {
  std::size_t cells = 1;
  for (const CommonAxis& axis : axes) cells *= axis.codes_a.size();
  return cells;
}

}  // namespace

std::vector<std::string> axes_to_compare(const Report& report) {
  std::vector<std::string> names;
  for (const FixedValue& fixed : report.subject.file->fixed()) names.push_back(fixed.name);
  for (const std::size_t axis : report.reduction.axes) names.push_back(report.subject.axes[axis].column->name);
  return names;
}

Comparison compare(const Report& a, const Report& b, const std::string& path_a, const std::string& path_b) {
  const std::string estimator_a = a.subject.file->attribute("estimator");
  const std::string estimator_b = b.subject.file->attribute("estimator");
  if (estimator_a != estimator_b)
    throw UsageError(fmt::format("'{}' is of estimator {} and '{}' of estimator {}: they cannot be compared.", path_a,
                                 estimator_a, path_b, estimator_b));
  Comparison comparison;
  comparison.name_a = sweep_title(*a.subject.file).name;
  comparison.name_b = sweep_title(*b.subject.file).name;
  if (comparison.name_a == comparison.name_b) {
    comparison.name_a = path_a;
    comparison.name_b = path_b;
  }
  comparison.axes = common_axes(a, b);
  const std::size_t cells = cell_count_of(comparison.axes);
  const auto cells_a = common_cells(a, comparison.axes, held_axes(a, b), [](const CommonAxis& axis) {
    return CodesOfSide{axis.in_a, axis.codes_a};
  });
  const auto cells_b = common_cells(b, comparison.axes, held_axes(b, a), [](const CommonAxis& axis) {
    return CodesOfSide{axis.in_b, axis.codes_b};
  });
  comparison.only_a = rows_outside(a, cells_a);
  comparison.only_b = rows_outside(b, cells_b);
  for (std::size_t oa = 0; oa < a.views.objectives.size(); ++oa) {
    const std::size_t metric = a.views.objectives[oa];
    const auto ob = place_by_name(b, b.views.objectives, a.subject.metrics[metric].column->name);
    if (ob)
      comparison.metrics.push_back({metric, best_values(a, oa, cells_a, cells), best_values(b, *ob, cells_b, cells)});
  }
  if (comparison.metrics.empty())
    throw UsageError(
        fmt::format("'{}' and '{}' have no metric in common that has a better direction and values.", path_a, path_b));
  return comparison;
}

Json comparison_json(const Comparison& comparison, const Report& a, const Report& b) {
  JsonArray names;
  JsonArray values;
  for (const CommonAxis& axis : comparison.axes) {
    SubjectAxis shared = a.subject.axes[axis.in_a];
    std::vector<double> kept;
    for (const std::uint32_t code : axis.codes_a) kept.push_back(shared.values[code]);
    shared.values = std::move(kept);
    names.emplace_back(shared.column->name);
    values.push_back(axis_json(shared, true));
  }
  JsonArray cells;
  for (const ComparedMetric& metric : comparison.metrics) {
    const SubjectMetric& subject = a.subject.metrics[metric.in_a];
    cells.emplace_back(JsonObject{{"metric", subject.column->name},
                                  {"unit", shown_unit(subject.column->units)},
                                  {"better", better_word(subject.better)},
                                  {"a", float32_column(metric.a)},
                                  {"b", float32_column(metric.b)}});
  }
  return JsonObject{{"names", JsonArray{Json(comparison.name_a), Json(comparison.name_b)}},
                    {"axes", std::move(names)},
                    {"axes_values", std::move(values)},
                    {"cells", std::move(cells)},
                    {"front", fronts_json(a, b)},
                    {"only_a", comparison.only_a},
                    {"only_b", comparison.only_b}};
}

html::Table comparison_table(const Comparison& comparison, const Report& a) {
  constexpr std::size_t most_rows = 200;
  const ComparedMetric& metric = comparison.metrics.front();
  const SubjectMetric& subject = a.subject.metrics[metric.in_a];
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t cell = 0; cell < metric.a.size(); ++cell) {
    if (!is_given(metric.a[cell]) || !is_given(metric.b[cell])) continue;
    const bool has_ratio = metric.a[cell] > 0.0 && metric.b[cell] > 0.0;
    order.emplace_back(has_ratio ? -std::abs(std::log(metric.b[cell] / metric.a[cell])) : 0.0, cell);
  }
  std::sort(order.begin(), order.end());
  html::Table table;
  table.caption = fmt::format("Best {} of cells that both have, the largest change first ({} of {})",
                              printable(subject.column->name), std::min(order.size(), most_rows), order.size());
  order.resize(std::min(order.size(), most_rows));
  for (const CommonAxis& axis : comparison.axes)
    table.headers.push_back(printable(a.subject.axes[axis.in_a].column->name));
  table.numeric.assign(comparison.axes.size(), false);
  for (const std::string& header : {printable(comparison.name_a), printable(comparison.name_b), std::string("ratio")}) {
    table.headers.push_back(header);
    table.numeric.push_back(true);
  }
  for (const auto& [change, cell] : order) {
    std::vector<std::string> row(comparison.axes.size());
    std::size_t rest = cell;
    for (std::size_t axis = comparison.axes.size(); axis-- > 0;) {
      const std::vector<std::uint32_t>& codes = comparison.axes[axis].codes_a;
      const SubjectAxis& values = a.subject.axes[comparison.axes[axis].in_a];
      const std::uint32_t code = codes[rest % codes.size()];
      rest /= codes.size();
      row[axis] = values.names.empty() ? input_with_unit(values.values[code], values.column->units)
                                       : printable(value_text(values, code));
    }
    row.push_back(with_unit(metric.a[cell], subject.column->units));
    row.push_back(with_unit(metric.b[cell], subject.column->units));
    row.push_back(with_unit(metric.b[cell] / metric.a[cell], "1"));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace dfsweep::report
