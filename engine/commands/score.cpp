#include "engine/commands/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "engine/commands/score_output.hpp"
#include "engine/console/output.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/results/open_result.hpp"
#include "engine/scores/scores.hpp"
#include "io/atomic_file.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

bool is_result_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// "NAME=PATH" as name and path; a path alone has the letter of its place.
std::pair<std::string, std::string> named_path(const std::string& text, std::size_t place) {
  const std::size_t sign = text.find('=');
  if (sign != std::string::npos && is_result_name(std::string_view(text).substr(0, sign)))
    return {text.substr(0, sign), text.substr(sign + 1)};
  return {std::string(1, static_cast<char>('A' + place)), text};
}

/// The conditions of all results, and of result `name`, joined by &&.
std::string condition_of(const ScoreOptions& options, const std::string& name,
                         const std::vector<NamedResult>& results) {
  std::string joined;
  for (const std::string& text : options.where) {
    const std::size_t colon = text.find(':');
    const std::string before = colon == std::string::npos ? std::string() : text.substr(0, colon);
    const bool is_of_one = is_result_name(before);
    const bool is_known =
        std::any_of(results.begin(), results.end(), [&](const NamedResult& result) { return result.name == before; });
    if (is_of_one && !is_known)
      throw UsageError(fmt::format("--where '{}': '{}' is not a result.", printable(text), before));
    if (is_of_one && before != name) continue;
    const std::string condition = is_of_one ? text.substr(colon + 1) : text;
    joined += joined.empty() ? "(" + condition + ")" : " && (" + condition + ")";
  }
  return joined;
}

void check(const ScoreOptions& options) {
  constexpr std::size_t most_results = 26;
  if (options.results.size() > most_results)
    throw UsageError(fmt::format("a score joins at most {} results.", most_results));
  if (options.minimize.empty() == options.maximize.empty())
    throw UsageError("give the objective, by --minimize EXPR or --maximize EXPR.");
}

ScoreQuestion question_of(const ScoreOptions& options, std::deque<DatasetReader>& files,
                          std::vector<std::string>& paths) {
  ScoreQuestion question{.results = {}, .conditions = {}, .by = options.by, .objective = {}};
  for (const std::string& text : options.results) {
    auto [name, path] = named_path(text, question.results.size());
    for (const NamedResult& other : question.results)
      if (other.name == name) throw UsageError(fmt::format("two results are called {}.", name));
    files.push_back(open_result(path));
    question.results.push_back({name, &files.back()});
    paths.push_back(path);
  }
  std::vector<ScoredName> names;
  for (const NamedResult& result : question.results) {
    question.conditions.push_back(row_condition(*result.file, condition_of(options, result.name, question.results)));
    names.push_back({result.name, scorable_columns(*result.file)});
  }
  const bool is_least = options.maximize.empty();
  question.objective =
      objective_of(is_least ? options.minimize : options.maximize, is_least ? Better::lower : Better::higher,
                   is_least ? "--minimize" : "--maximize", names);
  return question;
}

/// "cost(A) and price(A)": what the objective uses of a result.
std::string metrics_of(const ScoreQuestion& question, std::size_t result) {
  std::vector<std::string> metrics;
  for (const UsedMetric& used : question.objective.used)
    if (used.result == result) metrics.push_back(fmt::format("{}({})", used.metric, question.results[result].name));
  return fmt::format("{}", fmt::join(metrics, " and "));
}

/// Why no machine has a score.
[[noreturn]] void refuse_empty(const ScoreQuestion& question, const Scores& scores) {
  std::vector<std::string> counts;
  for (std::size_t r = 0; r < question.results.size(); ++r)
    if (scores.counts[r].no_value > 0 && scores.machines_of[r] == 0)
      throw UsageError(
          fmt::format("none of the {} feasible rows of result {} has a value of {} and of the axes. 'dfsweep describe "
                      "{}' says what a "
                      "metric needs.",
                      scores.counts[r].no_value, question.results[r].name, metrics_of(question, r),
                      question.results[r].file->attribute("estimator")));
  for (std::size_t r = 0; r < question.results.size(); ++r)
    counts.push_back(fmt::format("{} has {}", question.results[r].name, scores.machines_of[r]));
  throw UsageError(fmt::format("no machine has a feasible row with a value in every result (machines: {}).",
                               listed(counts, counts.size())));
}

}  // namespace

ExitStatus run_score(const ScoreOptions& options) {
  check(options);
  std::deque<DatasetReader> files;
  ShownScores shown;
  const ScoreQuestion question = question_of(options, files, shown.paths);
  const Scores scores = scores_of(question);
  if (scores.machines.empty()) refuse_empty(question, scores);
  shown.question = &question;
  shown.scores = &scores;
  if (!options.page.empty()) write_user_file(options.page, html::html_page(score_page(shown)));
  const bool as_json = options.form == OutputForm::json;
  const std::size_t most = as_json && options.top == 0 ? scores.machines.size() : std::max<std::size_t>(options.top, 1);
  const std::vector<std::size_t> machines =
      options.shown == ScoreOptions::Shown::front ? machines_of_front(scores, most) : best_machines(scores, most);
  write_results(as_json ? to_text(score_json(shown, machines))
                        : score_text(shown, machines, terminal_of(1, options.colour)));
  return ExitStatus::complete;
}

}  // namespace dfsweep
