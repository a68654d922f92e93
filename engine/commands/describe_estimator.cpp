/// Describes an estimator: an overview, all of its tables, or single parameters, metrics and statuses.
#include <fmt/format.h>

#include <algorithm>

#include "engine/commands/describe_parts.hpp"
#include "engine/commands/reference_docs.hpp"
#include "engine/console/usage_error.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/tables/rendering.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {
namespace {

std::string title_of(const Estimator& estimator, const Terminal& terminal) {
  return fmt::format("{}: {}\n", toned(terminal, Tone::bold, estimator.name()), estimator.meaning());
}

/// The infos that `keeps`.
template <class Info, class Keeps>
std::vector<Info> chosen(std::span<const Info> infos, Keeps keeps) {
  std::vector<Info> kept;
  std::copy_if(infos.begin(), infos.end(), std::back_inserter(kept), keeps);
  return kept;
}

/// "statuses: ok, failed" over lines of the terminal's width; empty for an empty list.
template <class Info>
std::string names_text(std::string_view what, const std::vector<Info>& infos, const Terminal& terminal) {
  if (infos.empty()) return {};
  std::string names;
  for (const Info& info : infos) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return wrapped(fmt::format("{} ({}): {}", what, infos.size(), names), terminal, 2);
}

std::string metrics_text(const Estimator& estimator, std::span<const MetricInfo> metrics, const Terminal& terminal) {
  const std::string note = shared_statuses_note(estimator, metrics);
  return table_text(metrics_table(estimator, metrics), terminal) + (note.empty() ? "" : wrapped(note, terminal, 2));
}

std::vector<std::string> words_of(const Estimator& estimator) {
  std::vector<std::string> words;
  for (const ParameterInfo& info : estimator.parameters()) words.emplace_back(info.name);
  for (const MetricInfo& info : estimator.metrics()) words.emplace_back(info.name);
  for (const StatusInfo& info : estimator.statuses()) words.emplace_back(info.name);
  return words;
}

}  // namespace

std::string table_text(const DataTable& table, const Terminal& terminal) {
  return table.rows == 0 ? "  none\n" : table_with_note(text_columns(table), terminal, 2);
}

std::string overview_text(const Estimator& estimator, const Terminal& terminal) {
  const auto is_needed = [](const ParameterInfo& info) { return info.absence == Absence::required; };
  const auto views = estimator.views().headline;
  const auto decides = [&](const MetricInfo& info) {
    return views.empty() || std::find(views.begin(), views.end(), info.name) != views.end();
  };
  std::string text = title_of(estimator, terminal) + "\nneeded parameters\n";
  text += table_text(parameters_table(chosen(estimator.parameters(), is_needed)), terminal);
  text += names_text("further parameters", chosen(estimator.parameters(), std::not_fn(is_needed)), terminal);
  text += "\nfirst metrics\n";
  text += metrics_text(estimator, chosen(estimator.metrics(), decides), terminal);
  text += names_text("further metrics", chosen(estimator.metrics(), std::not_fn(decides)), terminal);
  const auto any = [](const StatusInfo&) { return true; };
  text += '\n' + names_text("statuses", chosen(estimator.statuses(), any), terminal);
  for (const DataInfo& info : estimator.data())
    text += wrapped(fmt::format("data {} ({}): {}", info.name, info.required ? "needed" : "optional", info.meaning),
                    terminal, 2);
  return text + fmt::format(
                    "\n'dfsweep describe {0} WORD...' explains parameters, metrics and statuses, "
                    "'dfsweep describe {0} --all' all of them.\n",
                    estimator.name());
}

std::string all_text(const Estimator& estimator, const Terminal& terminal) {
  std::string text = title_of(estimator, terminal);
  text += "\nparameters\n" + table_text(parameters_table(estimator.parameters()), terminal);
  text += "\nmetrics\n" + metrics_text(estimator, estimator.metrics(), terminal);
  text += "\nstatuses\n" + table_text(statuses_table(estimator.statuses()), terminal);
  for (const DataInfo& info : estimator.data())
    text += fmt::format("\ndata {} ({}): {}\n", info.name, info.required ? "needed" : "optional", info.meaning);
  return text;
}

std::string calibration_text(const Estimator& estimator, const Terminal& terminal) {
  if (estimator.calibration().empty())
    return fmt::format("{}: measurements correct no number of this estimator. They do of: {}.\n",
                       toned(terminal, Tone::bold, estimator.name()), listed(correctable_estimators()));
  return fmt::format("{}: numbers of entries of {} that measurements may correct ('dfsweep calibrate')\n\n{}",
                     toned(terminal, Tone::bold, estimator.name()), estimator.calibration().front().parameter,
                     table_text(calibration_table(estimator), terminal));
}

std::string words_text(const Estimator& estimator, std::span<const std::string> words, const Terminal& terminal) {
  const std::vector<std::string> known = words_of(estimator);
  for (const std::string& word : words)
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw UsageError(fmt::format(
          "'{}' has no parameter, metric or status '{}'. {}", estimator.name(), printable(word),
          did_you_mean(word, known, "'dfsweep describe " + std::string(estimator.name()) + "' lists them.")));
  const auto is_asked = [&](const auto& info) {
    return std::find(words.begin(), words.end(), info.name) != words.end();
  };
  const auto parameters = chosen(estimator.parameters(), is_asked);
  const auto metrics = chosen(estimator.metrics(), is_asked);
  const auto statuses = chosen(estimator.statuses(), is_asked);
  std::string text = title_of(estimator, terminal);
  if (!parameters.empty()) text += '\n' + table_text(parameters_table(parameters), terminal);
  if (!metrics.empty()) text += '\n' + metrics_text(estimator, metrics, terminal);
  if (!statuses.empty()) text += '\n' + table_text(statuses_table(statuses), terminal);
  return text;
}

}  // namespace dfsweep
