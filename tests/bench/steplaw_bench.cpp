/// Bench: bootstraps of step laws per second on one core, beside the same resamples in batched numpy, and everything
/// that is fitted to the released runs, or to synthetic ones without DFSWEEP_STEPLAW_RUNS.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "engine/fit/report/make_report.hpp"
#include "models/law_fits/fits/recommendation.hpp"
#include "models/law_fits/intervals/bootstrap.hpp"
#include "tests/support/steplaw_runs.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::law_fits;
using namespace dfsweep::testing;

constexpr FitMethod authors = {LawEstimator::kept_rows, 0.0025};

/// Of the released runs; empty where the environment names none.
std::string released_folder() {
  const char* const folder = std::getenv("DFSWEEP_STEPLAW_RUNS");
  return folder == nullptr ? "" : folder;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Processor time of this process, so that other work on the machine does not count.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Least processor time of the repetitions that fit into half a second, at least three.
template <typename Work>
double least_seconds(Work work) {
  double least = 1e300;
  const double begin = processor_seconds();
  for (int repetition = 0; repetition < 3 || processor_seconds() < begin + 0.5; ++repetition) {
    const double start = processor_seconds();
    work();
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

std::vector<std::size_t> every_group(const SelectedRuns& runs) {
  std::vector<std::size_t> groups(runs.groups.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  return groups;
}

/// Replicates per second of processor time, all coefficients kept.
double replicates_per_second(const SelectedRuns& runs, const LawForm& form, const FitMethod& method, ResampleUnit unit,
                             std::size_t replicates) {
  const LawBootstrap bootstrap(runs, every_group(runs), form, method, unit, 42);
  std::vector<double> coefficients(replicates * bootstrap.width());
  const double seconds = least_seconds([&] { bootstrap.run(0, coefficients); });
  const double rate = static_cast<double>(replicates) / seconds;
  fmt::print("{:<10} {:<16} {:<6} {:>4} draws  {:>12.0f} replicates/s\n", form.name, method_name(method),
             unit == ResampleUnit::row ? "rows" : "groups", bootstrap.items(), rate);
  return rate;
}

/// Pairs per second of the numpy script on the same kept rows; 0 where there is no numpy.
double numpy_pairs_per_second(const SelectedRuns& runs) {
  const std::filesystem::path rows = std::filesystem::temp_directory_path() / "dfsweep_steplaw_rows.csv";
  std::ofstream out(rows);
  for (const KeptRun& run : runs.kept) {
    if (!(run.rel < authors.window)) continue;
    const auto features = features_of(runs.groups[run.group].scale);
    out << fmt::format("{},{},{},{}\n", features[0], features[2], run.x, run.y);
  }
  out.close();
  const std::string script = std::string(DFSWEEP_SOURCE_DIR) + "/tests/bench/steplaw_numpy.py";
  const std::string command = fmt::format(
      "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 /usr/bin/python3 -B '{}' '{}' 2>/dev/null", script, rows.string());
  double rate = 0.0;
  if (FILE* const pipe = popen(command.c_str(), "r")) {
    if (std::fscanf(pipe, "%lf", &rate) != 1) rate = 0.0;
    pclose(pipe);
  }
  std::filesystem::remove(rows);
  return rate;
}

/// Replicates of a law and percentiles of its coefficients.
void resample(const SelectedRuns& runs, const LawForm& form, const FitMethod& method, ResampleUnit unit) {
  constexpr std::size_t replicates = 10'000;
  const LawBootstrap bootstrap(runs, every_group(runs), form, method, unit, 42);
  std::vector<double> coefficients(replicates * bootstrap.width());
  bootstrap.run(0, coefficients);
  std::vector<double> column(replicates);
  for (std::size_t c = 0; c < bootstrap.width(); ++c) {
    for (std::size_t r = 0; r < replicates; ++r) column[r] = coefficients[r * bootstrap.width() + c];
    if (summarize(column).count == 0.0) fmt::print("no replicate\n");
  }
}

/// Every law by every estimator, every law without each group in turn, and both bootstraps of the recommended one: by
/// groups as it is, by rows as kept rows, which are the only rows there are.
void whole_analysis(const std::string& folder) {
  const auto start = std::chrono::steady_clock::now();
  const double processor_start = processor_seconds();
  const GroupedRuns grouped = group_runs(folder.empty() ? synthetic_runs(1, 33) : released_runs(folder));
  const double loading = seconds_since(start);
  const SelectedRuns runs = select_runs(grouped, fit_windows, 0.04);
  const auto groups = every_group(runs);
  std::size_t fits = 0;
  for (const LawForm& form : law_forms())
    for (const FitMethod& method : fit_methods()) fits += fit_law(runs, form, method).defect == FitDefect::none ? 1 : 0;
  const double fitting = seconds_since(start);
  const ScoringGroups scoring = scoring_groups(grouped, runs);
  const auto splits = leave_one_group_out(groups);
  std::size_t scores = 0;
  for (const LawForm& form : law_forms())
    for (const FitMethod& method : fit_methods()) scores += cross_validate(runs, scoring, splits, form, method).size();
  const double scored = seconds_since(start);
  std::vector<CandidateRegrets> candidates;
  for (const LawCandidate& candidate : law_candidates())
    candidates.push_back(left_out_regrets(runs, scoring, groups, candidate));
  const LawCandidate recommended = candidates[recommend(candidates)].candidate;
  const double recommending = seconds_since(start);
  const FitMethod rows = recommended.method.estimator == LawEstimator::kept_rows ? recommended.method : authors;
  resample(runs, recommended.form, rows, ResampleUnit::row);
  resample(runs, recommended.form, recommended.method, ResampleUnit::group);
  const double total = seconds_since(start);
  fmt::print(
      "{} runs, one thread: loading {:.4f} s; {} fits {:.4f} s; {} scores of groups left out {:.4f} s; "
      "recommending {} by {} {:.4f} s; 2 x 10000 replicates of it {:.4f} s; together {:.4f} s, of processor time "
      "{:.4f} s\n",
      grouped.loss.size(), loading, fits, fitting - loading, scores, scored - fitting, recommended.form.name,
      method_name(recommended.method), recommending - scored, total - recommending, total,
      processor_seconds() - processor_start);
}

/// Processor time of the whole analysis of synthetic groups.
double analysis_seconds(std::size_t groups) {
  const fit::LoadedRuns loaded{synthetic_runs(1, groups), {}, {}};
  fit::FitSettings settings;
  settings.predict = {{7e9, 7e9, 1.4e12, 0.0, 0.0}};
  const double start = processor_seconds();
  const fit::FitReport report = fit::report_of(loaded, settings);
  const double seconds = processor_seconds() - start;
  fmt::print("whole analysis of {} groups of 120 runs, one thread: {:.2f} s, {} laws cross-validated\n", groups,
             seconds, report.judged.validation.size());
  return seconds;
}

/// Twice the groups are twice the work.
void growth() {
  constexpr std::size_t groups = 250;
  const double once = analysis_seconds(groups);
  const double twice = analysis_seconds(2 * groups);
  fmt::print("twice the groups take {:.2f} times as long\n", twice / once);
}

}  // namespace

int main() {
  const std::string folder = released_folder();
  const GroupedRuns grouped = group_runs(folder.empty() ? synthetic_runs(1, 17) : released_dense_runs(folder));
  const SelectedRuns runs = select_runs(grouped, fit_windows, 0.04);
  const LawForm& step = *find_law_form("step");
  const double rows = replicates_per_second(runs, step, authors, ResampleUnit::row, 10'000);
  const double groups = replicates_per_second(runs, step, authors, ResampleUnit::group, 20'000);
  const double numpy = numpy_pairs_per_second(runs);
  if (numpy > 0.0)
    fmt::print("batched numpy, one thread: {:.0f} pairs/s; ours by rows {:.1f} times, by groups {:.0f} times as many\n",
               numpy, rows / numpy, groups / numpy);
  else
    fmt::print("batched numpy: not here\n");
  for (const LawForm& form : law_forms()) {
    replicates_per_second(runs, form, authors, ResampleUnit::row, 10'000);
    replicates_per_second(runs, form, authors, ResampleUnit::group, 20'000);
  }
  for (const FitMethod method : {FitMethod{LawEstimator::quadratic, 0.01},
                                 {LawEstimator::quadratic_weighted, 0.01},
                                 {LawEstimator::joint_surface, 0.01}}) {
    replicates_per_second(runs, step, method, ResampleUnit::group, 1'000);
    replicates_per_second(runs, *find_law_form("step_full"), method, ResampleUnit::group, 1'000);
  }
  whole_analysis(folder);
  growth();
}
