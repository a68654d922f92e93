#include "models/law_fits/runs/selection.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"

namespace dfsweep::law_fits {

void RunMoments::add(double run_u, double run_v, double run_s, double weight) {
  const double a = run_u * run_u;
  const double b = run_u * run_v;
  const double c = run_v * run_v;
  const double ws = weight * run_s;
  n += weight;
  u += weight * run_u;
  v += weight * run_v;
  uu += weight * a;
  uv += weight * b;
  vv += weight * c;
  uuu += weight * (a * run_u);
  uuv += weight * (a * run_v);
  uvv += weight * (c * run_u);
  vvv += weight * (c * run_v);
  uuuu += weight * (a * a);
  uuuv += weight * (a * b);
  uuvv += weight * (a * c);
  uvvv += weight * (b * c);
  vvvv += weight * (c * c);
  s += ws;
  su += ws * run_u;
  sv += ws * run_v;
  suu += ws * a;
  suv += ws * b;
  svv += ws * c;
  ss += ws * run_s;
}

RunMoments& RunMoments::operator+=(const RunMoments& other) {
  n += other.n;
  u += other.u;
  v += other.v;
  uu += other.uu;
  uv += other.uv;
  vv += other.vv;
  uuu += other.uuu;
  uuv += other.uuv;
  uvv += other.uvv;
  vvv += other.vvv;
  uuuu += other.uuuu;
  uuuv += other.uuuv;
  uuvv += other.uuvv;
  uvvv += other.uvvv;
  vvvv += other.vvvv;
  s += other.s;
  su += other.su;
  sv += other.sv;
  suu += other.suu;
  suv += other.suv;
  svv += other.svv;
  ss += other.ss;
  return *this;
}

RunSelection::RunSelection(const GroupMinimum& minimum, std::span<const double> windows)
    : windows_(windows.begin(), windows.end()),
      least_loss_(minimum.loss),
      reference_(minimum.argmin()),
      rings_(windows.size()) {
  DFSWEEP_EXPECT(std::is_sorted(windows.begin(), windows.end()));
}

void RunSelection::add(double learning_rate, double batch_tokens, double loss) {
  const double ratio = loss / least_loss_;
  const double rel = ratio - 1.0;
  if (windows_.empty() || !(rel < windows_.back())) return;
  std::size_t ring = 0;
  while (!(rel < windows_[ring])) ++ring;
  rings_[ring].add(std::log(learning_rate) - reference_.x, std::log(batch_tokens) - reference_.y, std::log(ratio), 1.0);
}

void RunSelection::merge(const RunSelection& later) {
  for (std::size_t ring = 0; ring < rings_.size(); ++ring) rings_[ring] += later.rings_[ring];
}

std::vector<RunMoments> RunSelection::moments() const {
  std::vector<RunMoments> windows = rings_;
  for (std::size_t window = 1; window < windows.size(); ++window) windows[window] += windows[window - 1];
  return windows;
}

std::size_t SelectedRuns::window(double bound) const {
  const auto found = std::find(windows.begin(), windows.end(), bound);
  DFSWEEP_EXPECT(found != windows.end());
  return static_cast<std::size_t>(found - windows.begin());
}

SelectedRuns select_runs(const GroupedRuns& runs, std::span<const double> windows, double kept_below) {
  SelectedRuns selected;
  selected.windows.assign(windows.begin(), windows.end());
  selected.kept_below = kept_below;
  selected.groups.reserve(runs.groups.size());
  std::vector<std::pair<std::size_t, KeptRun>> kept;  // with the position of the run in the file
  for (const RunGroup& group : runs.groups) {
    RunSelection selection(group.minimum, windows);
    const auto number = static_cast<std::uint32_t>(selected.groups.size());
    for (std::size_t run = group.begin; run < group.end; ++run) {
      selection.add(runs.learning_rate[run], runs.batch_tokens[run], runs.loss[run]);
      if (runs.rel[run] < kept_below)
        kept.push_back({runs.file_row[run],
                        {number, std::log(runs.learning_rate[run]), std::log(runs.batch_tokens[run]),
                         std::log(runs.loss[run] / group.minimum.loss), runs.rel[run]}});
    }
    selected.groups.push_back(
        {group.key, group.scale(), group.minimum, group.minimum.argmin(), group.minimum.box(), selection.moments()});
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  selected.kept.reserve(kept.size());
  for (const auto& [row, run] : kept) selected.kept.push_back(run);
  return selected;
}

}  // namespace dfsweep::law_fits
