#include "engine/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/report/provenance.hpp"
#include "engine/report/report_json.hpp"
#include "engine/results/rejections.hpp"
#include "io/number_format.hpp"
#include "io/suggestion.hpp"
#include "io/terminal.hpp"
#include "models/cost/source.hpp"
#include "models/enum_array.hpp"

namespace dfsweep::report {

namespace {

/// Digits in groups of three: "12 345 678".
std::string grouped(std::uint64_t number) {
  constexpr std::size_t group = 3;
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > group;) text.insert(at -= group, 1, ' ');
  return text;
}

NamedTexts counts_of(const Subject& subject) {
  const std::uint64_t failed = subject.status_rows[status_failed];
  const std::uint64_t rejected = subject.rows() - subject.ok_rows() - failed;
  NamedTexts counts{{"rows", grouped(subject.rows())}, {"feasible", grouped(subject.ok_rows())}};
  if (rejected != 0) counts.emplace_back("rejected", grouped(rejected));
  if (failed != 0) counts.emplace_back("failed", grouped(failed));
  return counts;
}

std::string names_of_axes_outside(const Report& report) {
  std::vector<std::string> names;
  const auto& cube = report.reduction.axes;
  for (std::size_t a = 0; a < report.subject.axes.size(); ++a)
    if (report.subject.axes[a].values.size() > 1 && std::find(cube.begin(), cube.end(), a) == cube.end())
      names.push_back(printable(report.subject.axes[a].column->name));
  return listed(names, names.size());
}

std::string names_of_front_axes(const Report& report) {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < report.kept.front_axes; ++a)
    names.push_back(printable(report.subject.axes[report.reduction.axes[a]].column->name));
  return names.empty() ? "no axis" : listed(names, names.size());
}

std::vector<std::string> notices_of(const Report& report, const std::optional<BlockProgress>& progress) {
  const Subject& subject = report.subject;
  std::vector<std::string> notices;
  if (progress)
    notices.push_back(fmt::format("This sweep is not finished: {} ({} of {}). The page shows finished blocks only.",
                                  progress_text(*progress, *subject.file), grouped(subject.rows()),
                                  grouped(subject.file->row_count())));
  if (subject.missing && subject.status_rows[*subject.missing] != 0)
    notices.push_back(fmt::format("Not evaluated: {} of {} rows. They are not counted.",
                                  grouped(subject.status_rows[*subject.missing]),
                                  grouped(subject.file->complete_count())));
  if (const std::uint64_t failed = subject.status_rows[status_failed]; failed != 0)
    notices.push_back(fmt::format("{} no result because of a defect of the program.",
                                  failed == 1 ? "1 row has" : grouped(failed) + " rows have"));
  if (subject.rows() == 0)
    notices.emplace_back("There are no rows yet.");
  else if (subject.ok_rows() == 0)
    notices.emplace_back("No row is feasible. The table of statuses says why rows were rejected.");
  return notices;
}

std::string searched_remark(const DatasetReader& file) {
  const std::string conditions = file.attribute("search_where");
  return fmt::format("A row is the best execution that a search found for its point{}.",
                     conditions.empty() ? "" : ", of those that meet " + printable(conditions));
}

/// Whether all rows or some of them have a price or a power that follows from the parts of a device.
void add_derived(const Subject& subject, std::vector<std::string>& remarks) {
  constexpr std::pair<std::string_view, std::string_view> figures[] = {{"price_source", "Prices"},
                                                                       {"power_source", "Nameplate powers"}};
  const auto derived = static_cast<double>(index_of(cost::Source::derived));
  for (const auto& [column, figure] : figures)
    for (const SubjectMetric& metric : subject.metrics)
      if (metric.column->name == column && metric.most == derived)
        remarks.push_back(fmt::format("{} of {} rows are derived from the parts of a device ({}).", figure,
                                      metric.least == derived ? "all" : "some", column));
}

/// Whether some rows have parts of a step whose measured operators are all too far from theirs.
void add_far_operators(const Subject& subject, std::vector<std::string>& remarks) {
  for (const SubjectMetric& metric : subject.metrics) {
    if (metric.column->name != "time_source") continue;
    const auto found = std::find(metric.names.begin(), metric.names.end(), "far_operators");
    if (found != metric.names.end() && metric.most == static_cast<double>(found - metric.names.begin()))
      remarks.emplace_back(
          "Where time_source is far_operators, no measured operator is near to some parts of a step; these parts keep "
          "their "
          "closed form.");
  }
}

/// What the page can and cannot show of the rows.
std::vector<std::string> remarks_of(const Report& report) {
  const Subject& subject = report.subject;
  std::vector<std::string> remarks;
  if (is_of_search(*subject.file)) remarks.push_back(searched_remark(*subject.file));
  if (!report.kept.are_fronts_whole)
    remarks.emplace_back("A front has too many rows for a page. The page has some of them, evenly chosen.");
  else if (!are_fronts_exact(report))
    remarks.push_back(fmt::format("Fronts are exact for filters on {}. With other filters they may lack rows.",
                                  names_of_front_axes(report)));
  for (const SubjectAxis& axis : subject.axes)
    if (axis.has_rest)
      remarks.push_back(fmt::format(
          "{} has {} values. The page names the {} most frequent ones; all others are '{}'. The "
          "result file has the name of every row.",
          printable(axis.column->name), grouped(axis.names.size()), grouped(axis.values.size()), rest_name));
  add_derived(subject, remarks);
  add_far_operators(subject, remarks);
  if (const std::string names = names_of_axes_outside(report); !names.empty())
    remarks.push_back(fmt::format("There are no filters for {}: every cell shows its best row over them.", names));
  return remarks;
}

}  // namespace

html::Page report_page(const Report& report, const std::optional<BlockProgress>& progress) {
  const SweepTitle title = sweep_title(*report.subject.file);
  html::Page page;
  page.title = printable(title.name);
  page.heading = page.title;
  page.description = printable(title.description);
  page.notices = notices_of(report, progress);
  page.remarks = remarks_of(report);
  page.counts = counts_of(report.subject);
  page.provenance = provenance_of(*report.subject.file);
  for (auto& [name, text] : page.provenance) text = printable_lines(text);
  page.tables = report_tables(report);
  return page;
}

}  // namespace dfsweep::report
