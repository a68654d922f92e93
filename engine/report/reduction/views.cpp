#include "engine/report/reduction/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "engine/console/usage_error.hpp"
#include "engine/report/reduction/decision.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/scan.hpp"
#include "engine/sweep/estimators.hpp"

namespace dfsweep::report {

namespace {

constexpr std::size_t most_metrics = 16;
constexpr std::size_t most_objectives = 6;
constexpr std::size_t most_heat = 4;
constexpr std::size_t most_panels = 12;
constexpr std::size_t most_rows_of_panel = 24;
constexpr std::size_t most_columns_of_panel = 16;
constexpr std::size_t most_series = 6;    ///< colours repeat beyond
constexpr std::size_t most_numbers = 16;  ///< values of a numeric axis of the cube
constexpr std::string_view choice_prefix = "best_";

template <class T>
void add_once(std::vector<T>& list, const T& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

/// [axis] whether another axis of its linked group represents it: the first one of names, else the first one. Columns
/// of a group are neighbours, and `grid_axes` names the first of them.
std::vector<bool> followers(const Subject& subject) {
  const std::string names = " " + subject.file->attribute("grid_axes") + " ";
  const auto starts_group = [&](std::size_t a) {
    return a == 0 || names.find(" " + subject.axes[a].column->name + " ") != std::string::npos;
  };
  std::vector<bool> follows(subject.axes.size(), true);
  for (std::size_t first = 0; first < subject.axes.size();) {
    std::size_t last = first + 1;
    while (last < subject.axes.size() && !starts_group(last)) ++last;
    const auto rank = [&](std::size_t a) {  // the least one leads
      return std::tuple(subject.axes[a].values.size() < 2, subject.axes[a].names.empty(), a);
    };
    std::size_t leader = first;
    for (std::size_t a = first; a < last; ++a)
      if (rank(a) < rank(leader)) leader = a;
    follows[leader] = false;
    first = last;
  }
  return follows;
}

/// Chooses; each function fills some of the views.
class Choice {
 public:
  Choice(const Subject& subject, const ReportRequest& request)
      : subject_(&subject), request_(&request), published_(views_of(*subject.file)), follows_(followers(subject)) {}

  Views choose(const std::vector<std::string>& first_axes) {
    views_.task = task_axis(*subject_);
    views_.compute = compute_axis(*subject_);
    views_.decides = deciding_metric(*subject_, request_->metrics, published_);
    choose_heat();
    choose_breakdown();
    choose_trade_offs();
    choose_objectives();
    choose_metrics();
    choose_panels();
    choose_lines();
    choose_cube(first_axes);
    return std::move(views_);
  }

 private:
  /// A metric that some ok row has.
  [[nodiscard]] std::optional<std::size_t> metric(std::string_view name) const {
    for (std::size_t m = 0; m < subject_->metrics.size(); ++m)
      if (subject_->metrics[m].column->name == name && subject_->metrics[m].with_value != 0) return m;
    return std::nullopt;
  }
  [[nodiscard]] bool has_direction(std::size_t m) const {
    return subject_->metrics[m].better != Better::neither && subject_->metrics[m].names.empty();
  }
  [[nodiscard]] bool varies(std::size_t m) const { return subject_->metrics[m].least < subject_->metrics[m].most; }
  void add_heat(std::string_view name) {
    const std::optional<std::size_t> m = metric(name);
    if (m && has_direction(*m) && views_.heat.size() < most_heat) add_once(views_.heat, *m);
  }

  void choose_heat() {
    if (views_.decides) views_.heat.push_back(*views_.decides);
    for (const std::string& name : request_->metrics) add_heat(name);
    if (!request_->metrics.empty() && !views_.heat.empty()) return;
    const bool may_show_total = !steps_differ(*subject_);
    for (const std::string_view name : published_.headline)
      if (const auto m = metric(name); m && varies(*m) && (may_show_total || name != published_.total)) add_heat(name);
    for (const SubjectMetric& each : subject_->metrics)
      if (views_.heat.empty() && !each.is_parameter) add_heat(each.column->name);
  }

  void choose_breakdown() {
    views_.parts_add_up = published_.kind == ResultViews::Parts::add_up;
    for (const std::string_view name : published_.parts)
      if (const auto part = metric(name); part && subject_->metrics[*part].most > 0.0) views_.parts.push_back(*part);
    if (views_.parts.size() < 2) views_.parts.clear();
    if (!views_.parts.empty() && !published_.total.empty()) views_.total = metric(published_.total);
  }

  void choose_trade_offs() {
    for (const auto& [x, y] : request_->trade_offs) add_trade_off(x, y);
    // Where days or a rate decide, pairs with the time of a step come last.
    const bool is_total_first = !views_.total || views_.decides == views_.total;
    const auto has_total = [&](const ResultViews::TradeOff& pair) {
      return pair.x == published_.total || pair.y == published_.total;
    };
    for (const bool with_total : {is_total_first, !is_total_first})
      for (const ResultViews::TradeOff& pair : published_.trade_offs)
        if (is_total_first || has_total(pair) == with_total) add_trade_off(pair.x, pair.y);
  }
  void add_trade_off(std::string_view x, std::string_view y) {
    constexpr std::size_t most = 4;
    const auto mx = metric(x);
    const auto my = metric(y);
    if (mx && my && *mx != *my && has_direction(*mx) && has_direction(*my) && views_.trade_offs.size() < most)
      add_once(views_.trade_offs, {*mx, *my});
  }

  void choose_objectives() {
    const auto add = [&](std::size_t m) {
      if (has_direction(m) && views_.objectives.size() < most_objectives) add_once(views_.objectives, m);
    };
    if (views_.decides) add(*views_.decides);
    if (views_.total) add(*views_.total);
    for (const std::size_t m : views_.heat) add(m);
    for (const auto& [x, y] : views_.trade_offs) {
      add(y);
      add(x);
    }
  }

  void choose_metrics() {
    std::vector<std::size_t>& all = views_.metrics;
    for (const std::size_t m : views_.objectives) add_once(all, m);
    for (const std::string_view name : {"expected_error", "evidence"})
      if (const auto m = metric(name)) add_once(all, *m);
    for (const std::size_t m : views_.heat) add_once(all, m);
    for (const auto& [x, y] : views_.trade_offs) {
      add_once(all, x);
      add_once(all, y);
    }
    for (const std::string& name : request_->metrics)
      if (const auto m = metric(name)) add_once(all, *m);
    if (views_.total) add_once(all, *views_.total);
    for (const std::size_t m : views_.parts) add_once(all, m);
    for (std::size_t m = 0; m < subject_->metrics.size(); ++m) {
      const SubjectMetric& each = subject_->metrics[m];
      const bool is_chosen = each.is_parameter || each.column->name.starts_with(choice_prefix);
      if (is_chosen && each.with_value != 0) add_once(all, m);
    }
    for (std::size_t m = 0; m < subject_->metrics.size() && all.size() < most_metrics; ++m)
      if (subject_->metrics[m].with_value != 0 && varies(m)) add_once(all, m);
  }

  /// An axis that can be a filter: few values, and every row has one of them.
  [[nodiscard]] bool is_filter(std::size_t a) const {
    const SubjectAxis& axis = subject_->axes[a];
    return axis.values.size() > 1 && !axis.lacks_values && !axis.is_searched && !axis.has_rest &&
           axis.values.size() <= request_->cells && (!axis.names.empty() || axis.values.size() <= most_numbers);
  }
  /// Labels before numbers, each in file order.
  [[nodiscard]] std::vector<std::size_t> filters() const {
    std::vector<std::size_t> axes;
    for (const bool labels : {true, false})
      for (std::size_t a = 0; a < subject_->axes.size(); ++a)
        if (is_filter(a) && subject_->axes[a].names.empty() != labels) axes.push_back(a);
    return axes;
  }
  /// The most useful filters; one for each group of linked axes.
  [[nodiscard]] std::vector<std::size_t> leading_filters() const {
    std::vector<std::size_t> axes = filters();
    std::erase_if(axes, [&](std::size_t a) { return follows_[a]; });
    return axes;
  }
  /// Takes the first of `from` with at most `most` values.
  std::optional<std::size_t> take(std::vector<std::size_t>& from, std::size_t most) const {
    const auto found =
        std::find_if(from.begin(), from.end(), [&](std::size_t a) { return subject_->axes[a].values.size() <= most; });
    if (found == from.end()) return std::nullopt;
    const std::size_t axis = *found;
    from.erase(found);
    return axis;
  }

  /// Panels by the first axis of names, rows by the one with most values, columns by one or two others.
  void choose_panels() {
    std::vector<std::size_t> free = leading_filters();
    if (!request_->facet.empty()) {
      views_.facet = facet_asked_for();
      views_.is_facet_asked = true;
      std::erase(free, *views_.facet);
    } else if (free.size() > 1) {
      views_.facet = take(free, most_panels);
    }
    const auto is_compute = [&](std::size_t a) { return views_.compute && a == *views_.compute; };
    std::stable_partition(free.begin(), free.end(), is_compute);  // what runs the work is never folded away
    constexpr std::size_t candidates = 3;
    std::vector<std::size_t> near;
    for (const std::size_t a : free)
      if (near.size() < candidates && subject_->axes[a].values.size() <= most_rows_of_panel) near.push_back(a);
    std::stable_sort(near.begin(), near.end(), [&](std::size_t a, std::size_t b) {
      return subject_->axes[a].values.size() > subject_->axes[b].values.size();
    });
    if (near.size() > 1) views_.y = take(near, most_rows_of_panel);
    std::sort(near.begin(), near.end(), [&](std::size_t a, std::size_t b) { return rank(free, a) < rank(free, b); });
    std::size_t columns = 1;
    for (const std::size_t a : near) {
      const std::size_t size = subject_->axes[a].values.size();
      if (views_.x.size() == 2 || columns * size > most_columns_of_panel) continue;
      columns *= size;
      views_.x.push_back(a);
    }
  }
  static std::size_t rank(const std::vector<std::size_t>& list, std::size_t item) {
    return static_cast<std::size_t>(std::find(list.begin(), list.end(), item) - list.begin());
  }
  [[nodiscard]] std::size_t facet_asked_for() const {
    const DatasetColumn& column = column_named(*subject_->file, request_->facet, "--facet");
    for (std::size_t a = 0; a < subject_->axes.size(); ++a) {
      if (subject_->axes[a].column != &column) continue;
      if (is_filter(a)) return a;
      throw UsageError(fmt::format("--facet: '{}' cannot split the rows into panels ({}).", column.name,
                                   why_no_filter(subject_->axes[a])));
    }
    throw UsageError(fmt::format("--facet: '{}' is not an axis.", column.name));
  }
  [[nodiscard]] static std::string why_no_filter(const SubjectAxis& axis) {
    if (axis.values.size() < 2) return "all rows have the same value";
    if (axis.is_searched) return "the search chose it for each row";
    if (axis.lacks_values) return "some rows have no value";
    return axis.has_rest ? "it has too many values" : fmt::format("it has {} values", axis.values.size());
  }

  void choose_lines() {
    constexpr std::size_t least = 3;
    const auto& axes = subject_->axes;
    for (const std::size_t a : leading_filters()) {
      if (!axes[a].names.empty() || axes[a].values.size() < least) continue;
      if (!views_.lines_x || axes[a].values.size() > axes[*views_.lines_x].values.size()) views_.lines_x = a;
    }
    if (!views_.lines_x) return;
    for (const std::size_t a : leading_filters())
      if (!views_.lines_series && a != views_.lines_x && axes[a].values.size() <= most_series) views_.lines_series = a;
  }

  void choose_cube(const std::vector<std::string>& first_axes) {
    std::vector<std::size_t> wanted;
    for (const std::string& name : first_axes)
      for (const std::size_t a : filters())
        if (subject_->axes[a].column->name == name && !follows_[a]) add_once(wanted, a);
    if (views_.facet) add_once(wanted, *views_.facet);
    for (const std::size_t a : views_.x) add_once(wanted, a);
    if (views_.y) add_once(wanted, *views_.y);
    if (views_.lines_x) add_once(wanted, *views_.lines_x);
    if (views_.lines_series) add_once(wanted, *views_.lines_series);
    for (const bool linked : {false, true})
      for (const std::size_t a : filters())
        if (follows_[a] == linked) add_once(wanted, a);
    std::size_t cells = 1;
    for (const std::size_t a : wanted) {
      const std::size_t size = subject_->axes[a].values.size();
      if (cells * size > request_->cells) continue;
      cells *= size;
      views_.cube_axes.push_back(a);
    }
  }

  const Subject* subject_;
  const ReportRequest* request_;
  ResultViews published_;
  std::vector<bool> follows_;
  Views views_;
};

}  // namespace

Views choose_views(const Subject& subject, const ReportRequest& request, const std::vector<std::string>& first_axes) {
  return Choice(subject, request).choose(first_axes);
}

}  // namespace dfsweep::report
