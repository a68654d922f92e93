/// A table of texts and numbers as the data of a page: texts are axes, numbers are metrics.
#include "engine/report/fit_page.hpp"

#include <algorithm>
#include <numeric>

#include "engine/report/reduction/cube.hpp"
#include "engine/report/report_json.hpp"
#include "io/number_format.hpp"
#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

constexpr std::size_t most_table_cells = 20000;

struct TextAxis {
  const TableFileColumn* column = nullptr;
  std::vector<std::string> values;   ///< in order of their first row
  std::vector<std::uint32_t> codes;  ///< [row]
};

struct NumberMetric {
  const TableFileColumn* column = nullptr;
  Better better = Better::neither;
  [[nodiscard]] const std::vector<double>& values() const { return std::get<std::vector<double>>(column->values); }
};

class TableData {
 public:
  TableData(const TableFileTable& table, const TableView& view) : view_(view) {
    for (const TableFileColumn& column : table.columns) {
      if (std::holds_alternative<std::vector<std::string>>(column.values)) add_axis(column);
      rows_ = std::max(rows_, std::visit([](const auto& values) { return values.size(); }, column.values));
    }
    std::stable_sort(axes_.begin(), axes_.end(),
                     [](const TextAxis& a, const TextAxis& b) { return a.values.size() < b.values.size(); });
    for (const std::string& name : view.minimized) add_metrics(table, Better::lower, &name);
    for (const std::string& name : view.maximized) add_metrics(table, Better::higher, &name);
    add_metrics(table, Better::neither, nullptr);
    choose_cube();
  }

  JsonObject json() const {
    return {{"format", "dfsweep-report"},
            {"version", report_format_version},
            {"sweep", JsonObject{{"name", view_.name}, {"estimator", view_.kind}, {"description", view_.description}}},
            {"provenance", JsonArray{}},
            {"fixed", JsonArray{}},
            {"rows", rows_},
            {"complete", true},
            {"pareto_exact", true},
            {"pareto_axes", cube_names()},
            {"axes", axes_json()},
            {"metrics", metrics_json()},
            {"statuses", JsonArray{JsonObject{{"code", 0}, {"name", "ok"}, {"meaning", "row"}, {"count", rows_}}}},
            {"views", views_json()},
            {"cube", cube_json()},
            {"kept", kept_json()},
            {"sample", JsonObject{{"n", 0}, {"of", rows_}, {"axes", JsonArray{}}, {"metrics", JsonArray{}}}},
            {"histograms", histograms_json()}};
  }

 private:
  void add_axis(const TableFileColumn& column) {
    TextAxis axis{.column = &column, .values = {}, .codes = {}};
    for (const std::string& text : std::get<std::vector<std::string>>(column.values)) {
      auto found = std::find(axis.values.begin(), axis.values.end(), text);
      if (found == axis.values.end()) {
        if (axis.values.size() == most_axis_texts) return;
        found = axis.values.insert(axis.values.end(), text);
      }
      axis.codes.push_back(static_cast<std::uint32_t>(found - axis.values.begin()));
    }
    if (axis.values.size() > 1) axes_.push_back(std::move(axis));
  }

  /// The column of that name, or all that are not there yet; columns without any number are left out.
  void add_metrics(const TableFileTable& table, Better better, const std::string* name) {
    for (const TableFileColumn& column : table.columns) {
      const auto* values = std::get_if<std::vector<double>>(&column.values);
      const bool is_there = std::any_of(metrics_.begin(), metrics_.end(),
                                        [&](const NumberMetric& metric) { return metric.column == &column; });
      if (values == nullptr || is_there || (name != nullptr && column.name != *name)) continue;
      if (std::any_of(values->begin(), values->end(), [](double value) { return is_given(value); }))
        metrics_.push_back({&column, better});
    }
  }

  void choose_cube() {
    for (std::size_t a = 0; a < axes_.size() && cells_ * axes_[a].values.size() <= most_table_cells; ++a) {
      cells_ *= axes_[a].values.size();
      cube_axes_ = a + 1;
    }
  }

  [[nodiscard]] std::size_t cell(std::size_t row) const {
    std::size_t place = 0;
    for (std::size_t a = 0; a < cube_axes_; ++a) place = place * axes_[a].values.size() + axes_[a].codes[row];
    return place;
  }
  [[nodiscard]] JsonArray cube_names() const {
    JsonArray names;
    for (std::size_t a = 0; a < cube_axes_; ++a) names.emplace_back(axes_[a].column->name);
    return names;
  }

  [[nodiscard]] JsonArray axes_json() const {
    JsonArray list;
    for (std::size_t a = 0; a < axes_.size(); ++a)
      list.emplace_back(JsonObject{{"name", axes_[a].column->name},
                                   {"kind", "label"},
                                   {"unit", ""},
                                   {"long_name", axes_[a].column->meaning},
                                   {"in_cube", a < cube_axes_},
                                   {"searched", false},
                                   {"values", JsonArray(axes_[a].values.begin(), axes_[a].values.end())}});
    return list;
  }
  [[nodiscard]] JsonArray metrics_json() const {
    JsonArray list;
    for (const NumberMetric& metric : metrics_)
      list.emplace_back(JsonObject{{"name", metric.column->name},
                                   {"unit", shown_unit(metric.column->units)},
                                   {"long_name", metric.column->meaning},
                                   {"better", better_word(metric.better)}});
    return list;
  }
  /// Panels by the axis with fewest values; rows by the one with most.
  [[nodiscard]] JsonObject views_json() const {
    JsonArray heat;
    for (const NumberMetric& metric : metrics_)
      if (metric.better != Better::neither) heat.emplace_back(metric.column->name);
    JsonArray fronts;
    for (const auto& [x, y] : view_.fronts) fronts.emplace_back(JsonArray{x, y});
    JsonObject views{{"heat", std::move(heat)}, {"pareto", std::move(fronts)}};
    if (!view_.decides.empty()) views.emplace_back("decides", view_.decides);
    JsonArray x;
    if (cube_axes_ > 2) views.emplace_back("facet", axes_[0].column->name);
    if (cube_axes_ > 1) views.emplace_back("y", axes_[cube_axes_ - 1].column->name);
    if (cube_axes_ > 0) x.emplace_back(axes_[cube_axes_ > 2 ? 1 : 0].column->name);
    views.emplace_back("x", std::move(x));
    return views;
  }

  [[nodiscard]] JsonObject cube_json() const {
    std::vector<std::uint32_t> counts(cells_);
    for (std::size_t row = 0; row < rows_; ++row) ++counts[cell(row)];
    JsonArray best;
    for (const NumberMetric& metric : metrics_) {
      if (metric.better == Better::neither) continue;
      std::vector<BestRow> rows(cells_);
      for (std::size_t row = 0; row < rows_; ++row) rows[cell(row)].offer(metric.values()[row], row);
      std::vector<std::int32_t> places;
      for (const BestRow& row : rows) places.push_back(row.row == no_row ? -1 : static_cast<std::int32_t>(row.row));
      best.emplace_back(JsonObject{{"metric", metric.column->name}, {"kept", int32_column(places)}});
    }
    JsonArray count;
    count.emplace_back(JsonObject{{"status", 0}, {"u32", uint32_column(counts)}});
    return {{"axes", cube_names()}, {"count", std::move(count)}, {"best", std::move(best)}};
  }
  [[nodiscard]] JsonObject kept_json() const {
    std::vector<std::uint64_t> points(rows_);
    std::iota(points.begin(), points.end(), std::uint64_t{0});
    JsonArray axes;
    for (const TextAxis& axis : axes_) {
      JsonObject column{{"name", axis.column->name}};
      for (auto& member : codes_json(axis.codes, axis.values.size())) column.push_back(std::move(member));
      axes.emplace_back(std::move(column));
    }
    JsonArray metrics;
    for (const NumberMetric& metric : metrics_)
      metrics.emplace_back(JsonObject{{"name", metric.column->name}, {"f32", float32_column(metric.values())}});
    return {{"n", rows_},
            {"point", points_json(points)},
            {"why", uint8_column(std::vector<std::uint8_t>(rows_))},
            {"axes", std::move(axes)},
            {"metrics", std::move(metrics)}};
  }
  [[nodiscard]] JsonArray histograms_json() const {
    JsonArray list;
    for (const NumberMetric& metric : metrics_) {
      double least = absent;
      double most = absent;
      for (const double value : metric.values()) {
        if (!is_given(value)) continue;
        least = is_given(least) ? std::min(least, value) : value;
        most = is_given(most) ? std::max(most, value) : value;
      }
      Histogram histogram(scale_of(least, most));
      for (const double value : metric.values()) histogram.add(value);
      list.push_back(histogram_json(metric.column->name, histogram));
    }
    return list;
  }

  const TableView& view_;
  std::size_t rows_ = 0;
  std::vector<TextAxis> axes_;
  std::vector<NumberMetric> metrics_;
  std::size_t cube_axes_ = 0;  ///< the first of axes_
  std::size_t cells_ = 1;
};

}  // namespace

JsonObject table_data(const TableFileTable& table, const TableView& view) {
  return TableData(table, view).json();
}

}  // namespace dfsweep::report
