#include "engine/commands/score_output.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/report/fit_page.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/tables/rendering.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

/// Machines that a page holds, beside those of the front.
constexpr std::size_t most_machines_of_page = 5000;
constexpr std::size_t machines_of_plain_table = 20;

std::string axis_text(const SharedAxis& axis, std::uint32_t code) {
  return axis.labels.empty() ? with_unit(axis.numbers[code], axis.units) : printable(axis.labels[code]);
}

std::string machine_text(const Scores& scores, const ScoredMachine& machine) {
  std::string text;
  for (std::size_t a = 0; a < scores.axes.size(); ++a)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", scores.axes[a].name,
                        axis_text(scores.axes[a], machine.codes[a]));
  return text;
}

/// "cost(A)".
std::string name_of(const ShownScores& shown, const UsedMetric& used) {
  return fmt::format("{}({})", used.metric, shown.question->results[used.result].name);
}

std::vector<std::uint64_t> rows_of_result(const Scores& scores, const std::vector<std::size_t>& machines,
                                          std::size_t result) {
  std::vector<std::uint64_t> rows;
  rows.reserve(machines.size());
  for (const std::size_t m : machines) rows.push_back(scores.machines[m].rows[result]);
  return rows;
}

NumberText quantity(const std::string& unit) {
  return [unit](double value) { return with_unit(value, unit); };
}

/// "2 machines of A and 3 of B have no feasible row in every other result: left out"; empty where all are scored.
std::string left_out_note(const ShownScores& shown) {
  std::vector<std::string> parts;
  for (std::size_t r = 0; r < shown.question->results.size(); ++r) {
    const std::uint64_t missing = shown.scores->machines_of[r] - shown.scores->machines.size();
    if (missing != 0) parts.push_back(fmt::format("{} of {}", missing, shown.question->results[r].name));
  }
  if (parts.empty()) return {};
  return fmt::format("machines that another result has no feasible row for, left out: {}", listed(parts, parts.size()));
}

/// Names the axes along which the grid ends at the best machine.
std::string end_note(const Scores& scores) {
  std::vector<std::string> ends;
  for (const auto& [a, value] : ends_of_grid(scores)) {
    const SharedAxis& axis = scores.axes[a];
    ends.push_back(fmt::format("{} = {} is the {} value", axis.name, with_unit(value, axis.units),
                               value == axis.numbers.front() ? "least" : "greatest"));
  }
  if (ends.empty()) return {};
  return fmt::format("the best machine is at an end of the grid ({}): a wider grid may have a better one",
                     listed(ends, ends.size()));
}

std::vector<std::string> notes_of(const ShownScores& shown) {
  std::vector<std::string> notes;
  for (std::string note : {left_out_note(shown), end_note(*shown.scores)})
    if (!note.empty()) notes.push_back(std::move(note));
  return notes;
}

std::string title_of(const ShownScores& shown) {
  const Objective& objective = shown.question->objective;
  return fmt::format("{} {}", objective.direction == Better::lower ? "least" : "greatest", printable(objective.text));
}

html::Table plain_table(const DataTable& table, std::string caption) {
  html::Table plain{.caption = std::move(caption), .headers = {}, .rows = {}, .numeric = {}};
  for (const TextColumn& column : text_columns(table)) {
    plain.headers.push_back(column.heading);
    plain.numeric.push_back(column.align == Align::right);
    plain.rows.resize(column.cells.size());
    for (std::size_t row = 0; row < column.cells.size(); ++row) plain.rows[row].push_back(column.cells[row]);
  }
  return plain;
}

/// The table of a page: axes as texts, so that the page can choose between their values.
TableFileTable page_columns(const ShownScores& shown, const std::vector<std::size_t>& machines) {
  TableFileTable table = file_table(score_table(shown, machines));
  for (std::size_t a = 0; a < shown.scores->axes.size(); ++a) {
    std::vector<std::string> texts;
    for (const std::size_t m : machines)
      texts.push_back(axis_text(shown.scores->axes[a], shown.scores->machines[m].codes[a]));
    table.columns[a].values = std::move(texts);
    table.columns[a].units = "1";
  }
  return table;
}

}  // namespace

std::vector<std::size_t> best_machines(const Scores& scores, std::size_t most) {
  std::vector<std::size_t> places(std::min(most, scores.machines.size()));
  for (std::size_t m = 0; m < places.size(); ++m) places[m] = m;
  return places;
}

std::vector<std::size_t> machines_of_front(const Scores& scores, std::size_t most) {
  std::vector<std::size_t> places;
  for (std::size_t m = 0; m < scores.machines.size() && places.size() < most; ++m)
    if (scores.machines[m].is_on_front) places.push_back(m);
  return places;
}

DataTable score_table(const ShownScores& shown, const std::vector<std::size_t>& machines) {
  const Scores& scores = *shown.scores;
  const ScoreQuestion& question = *shown.question;
  std::vector<std::size_t> rows(machines.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  TableOf<std::size_t> table("machines", "machines by score", rows);
  for (std::size_t a = 0; a < scores.axes.size(); ++a) {
    const SharedAxis& axis = scores.axes[a];
    const auto code = [&scores, &machines, a](std::size_t i) { return scores.machines[machines[i]].codes[a]; };
    const ColumnLook look{.heading = printable(axis.name), .weight = 3, .number = quantity(axis.units)};
    if (axis.labels.empty())
      table.add(
          {axis.name, axis.units}, [&axis, code](std::size_t i) { return axis.numbers[code(i)]; }, look);
    else
      table.add(
          {axis.name}, [&axis, code](std::size_t i) { return axis.labels[code(i)]; }, look);
  }
  table.add({"score"}, [&](std::size_t i) { return scores.machines[machines[i]].score; },
            {.heading = "score", .weight = 3});
  for (const UsedMetric& used : question.objective.used) {
    const NamedResult& result = question.results[used.result];
    const DatasetColumn& column = *result.file->column(used.metric);
    const RowCells cells = read_cells(*result.file, column, rows_of_result(scores, machines, used.result));
    const std::string name = name_of(shown, used);
    table.add({name, column.units}, [&cells](std::size_t i) { return cells.numbers[i]; },
              {.heading = printable(name), .weight = 2, .number = quantity(column.units)});
  }
  for (std::size_t r = 0; r < question.results.size(); ++r) {
    const DatasetReader& file = *question.results[r].file;
    const RowCells cells = read_cells(file, *file.column("point"), rows_of_result(scores, machines, r));
    table.add({fmt::format("point({})", question.results[r].name)},
              [&cells](std::size_t i) {
                return cells.wholes.empty() ? static_cast<std::uint64_t>(cells.numbers[i]) : cells.wholes[i];
              },
              {.heading = fmt::format("point({})", question.results[r].name), .weight = 1});
  }
  table.add({"is_on_front"}, [&](std::size_t i) { return scores.machines[machines[i]].is_on_front; },
            {.heading = "on the front", .weight = 0});
  return table.take();
}

std::string score_text(const ShownScores& shown, const std::vector<std::size_t>& machines, const Terminal& terminal) {
  const Scores& scores = *shown.scores;
  std::string text = toned(terminal, Tone::bold, title_of(shown)) + '\n';
  const DataTable table = score_table(shown, machines);
  text += table_with_note(text_columns(table), terminal, 2);
  const std::uint64_t on_front = machines_of_front(scores, scores.machines.size()).size();
  text += wrapped(fmt::format("{} of {} machines; {} on the front of the parts of the results", machines.size(),
                              scores.machines.size(), on_front),
                  terminal, 2);
  for (const std::string& note : notes_of(shown)) text += wrapped(note, terminal, 2);
  const DataTable best = score_table(shown, {0});
  for (std::size_t r = 0; r < shown.paths.size(); ++r)
    text += fmt::format(
        "  dfsweep explain {} --point {}\n", printable(shown.paths[r]),
        std::get<std::uint64_t>(best.column(fmt::format("point({})", shown.question->results[r].name)).cells.front()));
  return text;
}

JsonObject score_json(const ShownScores& shown, const std::vector<std::size_t>& machines) {
  const Scores& scores = *shown.scores;
  JsonArray results;
  for (std::size_t r = 0; r < shown.paths.size(); ++r)
    results.push_back(JsonObject{{"name", shown.question->results[r].name},
                                 {"path", shown.paths[r]},
                                 {"estimator", shown.question->results[r].file->attribute("estimator")},
                                 {"machines", scores.machines_of[r]}});
  JsonArray ends;
  for (const auto& [a, value] : ends_of_grid(scores))
    ends.push_back(JsonObject{{"axis", scores.axes[a].name}, {"value", value}});
  return {{"objective", shown.question->objective.text},
          {"direction", std::string(direction_name(shown.question->objective.direction))},
          {"results", std::move(results)},
          {"scored", std::uint64_t{scores.machines.size()}},
          {"ends_of_grid", std::move(ends)},
          {"machines", rows_json(score_table(shown, machines))}};
}

html::Page score_page(const ShownScores& shown) {
  const Scores& scores = *shown.scores;
  std::vector<std::size_t> machines = best_machines(scores, most_machines_of_page);
  for (const std::size_t m : machines_of_front(scores, scores.machines.size()))
    if (m >= machines.size()) machines.push_back(m);
  html::Page page;
  page.title = title_of(shown);
  page.heading = page.title;
  page.description = fmt::format("The best machine: {}. Score {:.4g}.", machine_text(scores, scores.machines.front()),
                                 scores.machines.front().score);
  page.counts.emplace_back("machines", std::to_string(scores.machines.size()));
  for (std::string& note : notes_of(shown)) page.notices.push_back(std::move(note));
  for (std::size_t r = 0; r < shown.paths.size(); ++r)
    page.provenance.emplace_back(shown.question->results[r].name, printable(shown.paths[r]));
  page.tables.push_back(
      plain_table(score_table(shown, best_machines(scores, machines_of_plain_table)), "The best machines"));
  page.tables.push_back(
      plain_table(score_table(shown, machines_of_front(scores, machines_of_plain_table)), "Machines on the front"));
  report::TableView view{.name = page.title, .kind = "score", .description = page.description, .minimized = {}};
  std::vector<std::string>& better =
      shown.question->objective.direction == Better::lower ? view.minimized : view.maximized;
  better.emplace_back("score");
  for (const UsedMetric& metric : shown.question->objective.used) {
    const Better direction = better_of(*shown.question->results[metric.result].file->column(metric.metric));
    if (direction == Better::lower) view.minimized.push_back(name_of(shown, metric));
    if (direction == Better::higher) view.maximized.push_back(name_of(shown, metric));
  }
  view.decides = "score";
  const std::vector<UsedMetric>& used = shown.question->objective.used;
  for (std::size_t i = 0; i + 1 < used.size(); ++i)
    if (used[i].result != used[i + 1].result)
      view.fronts.emplace_back(name_of(shown, used[i]), name_of(shown, used[i + 1]));
  page.data = to_text(report::table_data(page_columns(shown, machines), view), JsonStyle::one_line);
  return page;
}

}  // namespace dfsweep
