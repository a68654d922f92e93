/// Runs, groups and laws as tables.
#include "engine/fit/output/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/number_format.hpp"

namespace dfsweep::fit {

using namespace law_fits;

namespace {

constexpr std::size_t most_named = 8;
constexpr std::size_t most_groups = 60;

std::string named_runs(const FitInput& from) {
  std::string text;
  const LineNumbers lines(from.input, from.findings);
  std::size_t count = 0;
  const auto files = from.input.files();
  const bool are_seeds = std::any_of(files.begin(), files.end(), [](const auto& file) { return file->has_seeds(); });
  for (const DefectiveRun& run : from.findings.named()) {
    // Too many to be of use here, or as they should be; --json names them.
    if (run.defect == RunDefect::diverged || (run.defect == RunDefect::repeated && are_seeds)) continue;
    if (++count > most_named) continue;
    text += fmt::format("  {}: {} ({})\n", lines.place(run.place), name_of(run.defect), run.detail);
  }
  if (count > most_named) text += fmt::format("  and {} more; --json names them\n", count - most_named);
  return text;
}

/// Of the laws that a table shows.
bool is_shown(const FitReport& report, const SubsetFit& each) {
  const bool is_whole = each.subset + 1 == report.fitted.subsets.size();
  const std::string_view form = each.fit.form.name;
  const bool is_usual = form == "step" || form == "step_full" || form == "unified";
  const bool is_window = each.fit.method.estimator != LawEstimator::quadratic || each.fit.method.window == 0.01;
  return is_whole && is_usual && is_window;
}

}  // namespace

std::string section(const Terminal& terminal, std::string_view title, const std::string& body) {
  if (body.empty()) return {};
  return toned(terminal, Tone::bold, title) + "\n" + body + "\n";
}

std::string per_cent(double share) {
  return std::isfinite(share) ? fmt::format("{:.3f} %", 100.0 * share) : "-";
}

std::string count_text(double number) {
  return fmt::format("{:.4g}", number);
}

std::string runs_text(const FitReport& report, const FitInput& from, const Terminal& terminal) {
  double runs = 0.0;
  std::size_t dense = 0;
  for (const SelectedGroup& group : report.read.selected.groups) {
    runs += group.minimum.runs;
    dense += group.key.family == RunFamily::dense ? 1 : 0;
  }
  const std::size_t groups = report.read.selected.groups.size();
  std::string text = fmt::format("  {} in {} ({} dense, {} MoE) of {}; {} set aside\n",
                                 counted(static_cast<std::uint64_t>(runs), "run"), counted(groups, "group"), dense,
                                 groups - dense, counted(from.input.files().size(), "file"), from.findings.set_aside());
  if (!report.read.grouped)
    text += "  kept as sums per group: no scores, no resamples of single runs, no pictures of groups\n";
  std::vector<std::size_t> kinds;
  for (std::size_t kind = 0; kind < run_defect_count; ++kind)
    if (from.findings.counts[kind] > 0) kinds.push_back(kind);
  TableOf<std::size_t> defects("defects", "what was found in the runs", std::move(kinds));
  defects.view("runs", [&](std::size_t kind) { return from.findings.counts[kind]; })
      .view("defect", [](std::size_t kind) { return name_of(static_cast<RunDefect>(kind)); })
      .view("meaning", [](std::size_t kind) { return meaning_of(static_cast<RunDefect>(kind)); });
  const ShownColumn view[] = {{"runs", "runs", 2}, {"defect", "defect", 3}, {"meaning", "meaning", 1}};
  return section(terminal, "runs", text + view_text(defects.take(), view, terminal) + named_runs(from));
}

std::string groups_text(const FitReport& report, const Terminal& terminal) {
  const std::string kept = "runs_within_" + shortest(report.settings.threshold);
  const ShownColumn view[] = {{"recipe", "recipe", 6},
                              {"parameters", "N", 9},
                              {"activated_parameters", "Na", 4},
                              {"train_tokens", "D", 9},
                              {"runs", "runs", 3},
                              {kept, "kept", 3},
                              {"min_loss", "least loss", 5, decimals(4)},
                              {"argmin_learning_rate", "best lr", 5},
                              {"argmin_batch_tokens", "best tokens", 5, decimals(0)},
                              {"surface_learning_rate", "surface lr", 8},
                              {"surface_batch_tokens", "tokens", 8, decimals(0)},
                              {"plateau_learning_rate", "lr x/÷", 7, significant(3)},
                              {"plateau_batch_tokens", "tokens x/÷", 7, significant(3)},
                              {"surface_defect", "note", 2}};
  const std::size_t count = std::min(report.read.selected.groups.size(), most_groups);
  std::string text = view_text(groups_table(report), view, terminal, most_groups);
  if (report.read.selected.groups.size() > count)
    text += fmt::format("  and {} more groups; --json and -o FILE.h5 hold them\n",
                        report.read.selected.groups.size() - count);
  text += wrapped(
      fmt::format("  kept: within {:.4g} % of the group's least loss; surface: quadratic through the runs within "
                  "1 %; x/÷: factor either way that costs at most 0.25 %",
                  100.0 * report.settings.threshold),
      terminal, 2);
  return section(terminal, "groups", text);
}

std::string laws_text(const FitReport& report, const Terminal& terminal) {
  const ShownColumn view[] = {{"form", "form", 8},
                              {"method", "estimator", 9},
                              {"learning_rate_rows", "rows", 2, decimals(0)},
                              {"learning_rate_law", "learning rate", 7},
                              {"learning_rate_errors", "± N, D", 3},
                              {"batch_tokens_law", "tokens per step", 7},
                              {"batch_tokens_errors", "± N, Na, D", 3}};
  std::vector<SubsetFit> fits;
  for (const SubsetFit& each : report.fitted.fits)
    if (is_shown(report, each)) fits.push_back(each);
  const std::string title = fmt::format("laws of {} groups, by every estimator", report.fitted.subsets.back().name);
  const auto is_bad = [](const SubsetFit& each) { return each.fit.defect != FitDefect::none; };
  if (!fits.empty() && std::all_of(fits.begin(), fits.end(), is_bad))
    return section(terminal, title,
                   wrapped(fmt::format("  none could be fitted: {}", describe(fits.back().fit.defect)), terminal, 2));
  std::string text = view_text(fits_table(report, std::move(fits)), view, terminal);
  if (!text.empty())
    text += wrapped(
        "  near: every run within that many per cent of its group's least loss, the step law authors' way; "
        "their spread over the thresholds exceeds their standard errors",
        terminal, 2);
  return section(terminal, title, text);
}

std::string warnings_text(const FitReport& report, const Terminal& terminal) {
  std::string text;
  for (const std::string& warning : report.warnings) text += wrapped("  " + warning, terminal, 4);
  return text.empty() ? text : section(terminal, toned(terminal, Tone::yellow, "warnings"), text);
}

std::string fit_text(const FitReport& report, const FitInput& from, const Terminal& terminal) {
  return runs_text(report, from, terminal) + groups_text(report, terminal) + laws_text(report, terminal) +
         scores_text(report, terminal) + bootstraps_text(report, terminal) + plateau_text(report, terminal) +
         loss_law_text(report, terminal) + batch_time_text(report, terminal) + recommended_text(report, terminal) +
         seed_text(report, terminal) + advice_text(report, terminal) + warnings_text(report, terminal);
}

std::string short_fit_text(const FitReport& report, const Terminal& terminal) {
  return recommended_text(report, terminal);
}

}  // namespace dfsweep::fit
