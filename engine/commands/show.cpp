/// Show: which question is asked, its answer as rows, and the words around them.
#include "engine/commands/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "engine/commands/picture_file.hpp"
#include "engine/commands/show_output.hpp"
#include "engine/console/output.hpp"
#include "engine/console/output_form.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/results/best.hpp"
#include "engine/results/open_result.hpp"
#include "engine/results/pareto.hpp"
#include "engine/results/ranking_metrics.hpp"
#include "engine/results/row_condition.hpp"
#include "engine/results/stored_sweep.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/sweep/point_codes.hpp"
#include "engine/sweep/preparation.hpp"
#include "io/atomic_file.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t default_top = 10;
constexpr std::size_t default_top_of_group = 1;
constexpr std::size_t default_top_of_model = 3;
constexpr std::size_t default_metrics = 10;
/// Times of unlike workloads do not compare, so the view without a question ranks them apart.
constexpr std::string_view workload_parameter = "model";

std::vector<const DatasetColumn*> columns_named(const DatasetReader& file, const std::vector<std::string>& names,
                                                std::string_view option) {
  std::vector<const DatasetColumn*> columns;
  for (const std::string& name : names) {
    const DatasetColumn* column = &column_named(file, name, option);
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  }
  return columns;
}

const DatasetColumn& metric_named(const DatasetReader& file, const std::string& name, std::string_view option) {
  const DatasetColumn& column = column_named(file, name, option);
  if (better_of(column) != Better::neither) return column;
  std::string known;
  for (const DatasetColumn* metric : metric_columns(file))
    if (better_of(*metric) != Better::neither) known += (known.empty() ? "" : ", ") + metric->name;
  throw UsageError(fmt::format("{}: '{}' has no better direction{}. Metrics that have one: {}.", option, name,
                               is_metric(file, column) ? "" : " (it is not a metric)", known));
}

std::vector<const DatasetColumn*> group_columns(const DatasetReader& file, const std::vector<std::string>& names) {
  const std::vector<const DatasetColumn*> columns = columns_named(file, names, "--by");
  for (const DatasetColumn* column : columns)
    if (column->type == ElementType::uint64 || (is_metric(file, *column) && value_names(file, *column).empty()))
      throw UsageError("--by: '" + column->name +
                       "' has too many distinct values. Group by parameters or by the status.");
  return columns;
}

bool has_value(const DatasetReader& file, const DatasetColumn& column, std::span<const std::uint64_t> rows) {
  const RowCells cells = read_cells(file, column, rows);
  return !cells.wholes.empty() ||
         std::any_of(cells.numbers.begin(), cells.numbers.end(), [](double value) { return is_given(value); });
}

/// Metrics that people see where they name none: the estimator's first ones that have a value in one of the rows; of
/// estimators that name none, the file's first ones.
std::vector<const DatasetColumn*> shown_metrics(const DatasetReader& file, std::span<const std::uint64_t> rows) {
  std::vector<const DatasetColumn*> shown = headline_columns(file);
  if (!shown.empty()) {
    std::erase_if(shown, [&](const DatasetColumn* metric) { return !has_value(file, *metric, rows); });
    return shown;
  }
  shown = metric_columns(file);
  shown.resize(std::min(shown.size(), default_metrics));
  return shown;
}

/// What a search of the estimator itself chose: metrics "best_<parameter>", which are there only where it did.
std::vector<const DatasetColumn*> choice_columns(const DatasetReader& file) {
  std::vector<const DatasetColumn*> choices = metric_columns(file);
  std::erase_if(choices, [](const DatasetColumn* metric) { return !metric->name.starts_with("best_"); });
  return choices;
}

/// Columns of an answer: the groups, then what was asked for, or the axes, the metrics asked about and the others, of
/// which people see those that decide and programs all.
void choose_columns(const DatasetReader& file, const ShowOptions& options, const ShownQuestion& question,
                    ShownAnswer& answer) {
  std::vector<const DatasetColumn*>& columns = answer.columns;
  const auto add = [&](const std::vector<const DatasetColumn*>& more) {
    for (const DatasetColumn* column : more)
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
  };
  const std::vector<const DatasetColumn*> asked = columns_named(file, options.columns, "--columns");
  for (const DatasetColumn* column : question.by)
    if (std::find(asked.begin(), asked.end(), column) == asked.end()) columns.push_back(column);
  add(asked);
  if (!asked.empty()) return;
  add(axis_columns(file));
  if (const DatasetColumn* rank = file.column("rank")) add({rank});
  if (question.names_status) add({file.column("status")});
  add(question.metrics);
  add(choice_columns(file));
  const bool is_whole = options.listing == ShowOptions::Listing::whole_rows || options.form == OutputForm::json;
  if (!is_whole) add(shown_metrics(file, answer.rows));
  const auto shown = static_cast<std::ptrdiff_t>(columns.size());
  add(metric_columns(file));
  if (is_whole) return;
  answer.further.assign(columns.begin() + shown, columns.end());
  columns.resize(static_cast<std::size_t>(shown));
}

ShownQuestion best_question(const DatasetReader& file, const ShowOptions& options, const DatasetColumn& metric) {
  ShownQuestion question{.kind = ShownQuestion::Kind::best};
  question.metrics = {&metric};
  question.by = group_columns(file, options.by);
  question.top = options.top != 0 ? options.top : options.by.empty() ? default_top : default_top_of_group;
  return question;
}

/// What the options ask; without any of them the best rows by `metric`, per workload.
std::optional<ShownQuestion> question_of(const DatasetReader& file, const ShowOptions& options,
                                         const DatasetColumn* metric) {
  if (!options.pareto.empty()) {
    if (!options.best.empty() || !options.by.empty())
      throw UsageError("--pareto cannot be combined with --best or --by.");
    if (options.pareto.size() < 2) throw UsageError("--pareto needs at least two metrics: --pareto M1,M2.");
    ShownQuestion question{.kind = ShownQuestion::Kind::pareto};
    question.top = options.top;
    for (const std::string& name : options.pareto) question.metrics.push_back(&metric_named(file, name, "--pareto"));
    return question;
  }
  if (!options.best.empty()) return best_question(file, options, metric_named(file, options.best, "--best"));
  if (metric == nullptr) return std::nullopt;
  ShownQuestion question = best_question(file, options, *metric);
  const DatasetColumn* workload = file.column(workload_parameter);
  if (options.by.empty() && workload != nullptr) {
    question.by = {workload};
    if (options.top == 0) question.top = default_top_of_model;
  }
  return question;
}

/// Best rows of which none is nearly equal to another: asks for more until there are enough in each ranking.
BestRows unlike_rows(const DatasetReader& file, const ShownQuestion& question, BestQuestion asked,
                     const RowCondition& condition) {
  for (;;) {
    BestRows found = find_best(file, asked, condition.filter);
    const std::vector<ShownRanking> all = rankings_of(file, question, found.rows);
    std::vector<std::uint64_t> kept = one_per_tie(file, question, found.rows);
    const std::vector<ShownRanking> left = rankings_of(file, question, kept);
    // A ranking that gave fewer rows than asked for has no more.
    bool is_enough = asked.top >= file.row_count() || all.empty();
    if (!is_enough) {
      is_enough = true;
      for (std::size_t g = 0; g < all.size(); ++g)
        is_enough = is_enough && (left[g].rows >= question.top || all[g].rows < asked.top);
    }
    if (is_enough) return {.rows = std::move(kept), .counts = found.counts};
    asked.top *= 8;
  }
}

ShownAnswer answer_of(const DatasetReader& file, const ShownQuestion& question, const RowCondition& condition,
                      ShowOptions::Ties ties) {
  ShownAnswer answer;
  if (question.kind == ShownQuestion::Kind::pareto) {
    ParetoQuestion asked{.metrics = {}, .ok_only = !condition.names_status};
    for (const DatasetColumn* metric : question.metrics) asked.metrics.emplace_back(metric, better_of(*metric));
    ParetoRows found = find_pareto(file, asked, condition.filter);
    answer = {.rows = std::move(found.rows), .counts = found.counts};
    answer.on_front = answer.rows.size();
    if (ties == ShowOptions::Ties::one) answer.rows = one_per_tie(file, question, answer.rows);
    if (question.top != 0 && answer.rows.size() > question.top) answer.rows.resize(question.top);
    return answer;
  }
  const BestQuestion asked{.metric = question.metrics.front(),
                           .direction = better_of(*question.metrics.front()),
                           .by = question.by,
                           .top = question.top,
                           .ok_only = !condition.names_status};
  BestRows found = ties == ShowOptions::Ties::one ? unlike_rows(file, question, asked, condition)
                                                  : find_best(file, asked, condition.filter);
  answer = {.rows = std::move(found.rows), .counts = found.counts};
  answer.rankings = rankings_of(file, question, answer.rows);
  return answer;
}

/// Asks for the best rows by each of the ranking metrics until one has values.
void answer_question(ShownResult& shown, const ShowOptions& options, const RowCondition& condition) {
  std::vector<const DatasetColumn*> metrics = ranking_metrics(*shown.file);
  const bool is_named = !options.pareto.empty() || !options.best.empty();
  if (is_named || metrics.empty()) metrics = {nullptr};
  for (const DatasetColumn* metric : metrics) {
    std::optional<ShownQuestion> question = question_of(*shown.file, options, metric);
    if (!question) return;
    question->names_status = condition.names_status;
    ShownAnswer answer = answer_of(*shown.file, *question, condition, options.ties);
    const bool ends = !answer.rows.empty() || answer.counts.no_value == 0;
    if (!ends && metric != metrics.back()) continue;
    shown.question = std::move(question);
    shown.answer = std::move(answer);
    return;
  }
}

/// If nothing can be ranked and no metric was requested, shows the first rows.
void fall_back_to_first_rows(ShownResult& shown, const RowFilter& filter) {
  if (!shown.answer.rows.empty() || shown.answer.counts.considered == 0) return;
  shown.question->kind = ShownQuestion::Kind::first;
  shown.question->by.clear();
  shown.question->names_status = true;
  shown.answer.rows = first_rows(*shown.file, filter, std::max(shown.question->top, default_top));
}

void write_plot(const std::filesystem::path& path, const ShownResult& shown, const RowCondition& condition) {
  if (!shown.question) throw UsageError("--plot: this file has no metric with a better direction.");
  write_picture(path, plot_svg(shown, condition));
}

/// Why a point of a result has no estimate.
std::string reason_in(const DatasetReader& file, std::uint64_t point) {
  const SweepSpec spec =
      lists_points(file) ? stored_sweep_of_line(file, point, {}) : sweep_of_point(stored_sweep(file, {}), point);
  return reason_of_point(spec, *prepare(spec), 0);
}

std::vector<NearestMiss> explained_misses(const DatasetReader& file, const RowFilter& filter) {
  const Estimator* estimator = find_estimator(file.attribute("estimator"), estimators());
  std::vector<NearestMiss> misses =
      nearest_misses(file, filter, estimator != nullptr ? shortfall_name(*estimator) : std::string_view());
  for (NearestMiss& miss : misses)
    if (miss.status != "failed")  // explaining it fails again
      miss.reason = reason_where_possible([&] { return reason_in(file, miss.point); });
  return misses;
}

void write_rejections(const DatasetReader& file, const ShowOptions& options) {
  constexpr std::size_t lines_of_a_screen = 40;
  if (!is_of_search(file))
    throw UsageError("--rejections: this sweep has no [search]. 'dfsweep show' counts the rows by status.");
  const SearchRejections found = search_rejections(file, row_condition(file, options.where).filter);
  write_results(options.form == OutputForm::json
                    ? to_text(rejections_json(file, found))
                    : rejections_text(file, found, options.top != 0 ? options.top : lines_of_a_screen,
                                      terminal_of(1, options.colour)));
}

}  // namespace

ExitStatus run_show(const ShowOptions& options) {
  check_picture_name("--plot", options.plot);
  const OpenedResult opened = open_with_progress(options.path);
  const DatasetReader& file = opened.file;
  const Terminal terminal = terminal_of(1, options.colour);
  const bool as_json = options.form == OutputForm::json;
  ShownResult shown{.file = &file,
                    .progress = opened.progress,
                    .path = options.path.string(),
                    .condition = options.where,
                    .summary = {},
                    .misses = {},
                    .question = {},
                    .answer = {}};
  if (options.listing == ShowOptions::Listing::columns) {
    write_results(as_json ? to_text(columns_json(file)) : columns_text(file, terminal));
    return ExitStatus::complete;
  }
  if (options.listing == ShowOptions::Listing::rejections) {
    write_rejections(file, options);
    return ExitStatus::complete;
  }
  RowCondition condition = row_condition(file, options.where);
  const bool asks = !options.best.empty() || !options.pareto.empty() || !options.by.empty() || options.top != 0 ||
                    !options.columns.empty() || !options.sensitivity.empty() ||
                    options.listing == ShowOptions::Listing::whole_rows;
  answer_question(shown, options, condition);
  if (!asks) shown.summary = summarize(file, condition.filter);
  if (!asks) shown.misses = explained_misses(file, condition.filter);
  if (shown.question) {
    if (options.best.empty() && options.pareto.empty()) fall_back_to_first_rows(shown, condition.filter);
    choose_columns(file, options, *shown.question, shown.answer);
  }
  if (!options.sensitivity.empty()) shown.sensitivities = shown_sensitivities(shown, options.sensitivity);
  if (!options.plot.empty()) write_plot(options.plot, shown, condition);
  write_results(as_json ? to_text(result_json(shown)) : result_text(shown, terminal));
  if (const std::string note = unit_note(condition, options.where); !note.empty()) write_message(note);
  return ExitStatus::complete;
}

}  // namespace dfsweep
