#include "engine/report/reduction/slab_reduction.hpp"

#include <algorithm>

#include "engine/report/reduction/row_slabs.hpp"
#include "io/checksum.hpp"
#include "models/expect.hpp"

namespace dfsweep::report {

namespace {

double sign_of(const SubjectMetric& metric) {
  return metric.better == Better::higher ? -1.0 : 1.0;
}

std::size_t place_in(const std::vector<std::size_t>& list, std::size_t item) {
  const auto found = std::find(list.begin(), list.end(), item);
  DFSWEEP_EXPECT(found != list.end());
  return static_cast<std::size_t>(found - list.begin());
}

}  // namespace

SlabReduction::SlabReduction(const Subject& subject, const Views& views)
    : subject_(&subject),
      views_(&views),
      reduced_(empty_reduction(subject, views)),
      status_(chunk_rows),
      axis_(chunk_rows),
      points_(chunk_rows),
      hashes_(chunk_rows),
      cells_(chunk_rows),
      metrics_(views.metrics.size(), std::vector<double>(chunk_rows)) {
  for (const std::size_t axis : views.cube_axes) coders_.emplace_back(subject.axes[axis]);
  if (views.task) task_coder_.emplace_back(subject.axes[*views.task]);
  for (const std::size_t m : views.objectives) objective_places_.push_back(place_in(views.metrics, m));
  for (const auto& [x, y] : views.trade_offs)
    pair_places_.emplace_back(place_in(views.metrics, x), place_in(views.metrics, y));
}

void SlabReduction::reduce(const RowRange& slab, const Reduction& so_far) {
  restart(so_far);
  for (std::uint64_t done = 0; done < slab.count; done += chunk_rows) {
    read(slab.first + done, static_cast<std::size_t>(std::min(chunk_rows, slab.count - done)));
    count_rows();
    add_metrics();
    add_ranked();
    add_fronts();
    add_sample();
  }
  for (PairFronts& pair : reduced_.pairs)
    for (const std::uint32_t cell : reduced_.cube.touched()) pair.of_cell(cell).settle();
}

void SlabReduction::restart(const Reduction& so_far) {
  for (std::size_t p = 0; p < reduced_.pairs.size(); ++p) {
    PairFronts& pair = reduced_.pairs[p];
    for (const std::uint32_t cell : reduced_.cube.touched()) pair.of_cell(cell).clear();
    pair.widen(so_far.pairs[p].width);
  }
  reduced_.cube.clear();
  for (std::size_t o = 0; o < reduced_.tops.size(); ++o) reduced_.tops[o].restart(so_far.tops[o].limit());
  for (std::size_t t = 0; t < reduced_.ranked.size(); ++t) reduced_.ranked[t].restart(so_far.ranked[t].limit());
  reduced_.sample.restart(so_far.sample.limit());
  for (Histogram& histogram : reduced_.histograms) histogram.clear();
  reduced_.ok_rows.clear();
}

void SlabReduction::read(std::uint64_t first, std::size_t count) {
  const DatasetReader& file = *subject_->file;
  first_row_ = first;
  status_.resize(count);
  file.read(*subject_->status, first, std::span(status_));
  points_.resize(count);
  file.read(*subject_->point, first, std::span(points_));
  cells_.assign(count, 0);
  axis_.resize(count);
  for (std::size_t a = 0; a < coders_.size(); ++a) {
    const SubjectAxis& axis = subject_->axes[views_->cube_axes[a]];
    read_values(file, *axis.column, first, axis_);
    const auto size = static_cast<std::uint32_t>(axis.values.size());
    for (std::size_t i = 0; i < count; ++i) cells_[i] = cells_[i] * size + coders_[a].code(axis_[i]);
  }
  tasks_.assign(count, 0);
  if (views_->task) {
    const SubjectAxis& axis = subject_->axes[*views_->task];
    read_values(file, *axis.column, first, axis_);
    for (std::size_t i = 0; i < count; ++i)
      tasks_[i] = std::min(task_coder_.front().code(axis_[i]), static_cast<std::uint32_t>(axis.codes()));
  }
  for (std::size_t m = 0; m < metrics_.size(); ++m) {
    metrics_[m].resize(count);
    read_values(file, *subject_->metrics[views_->metrics[m]].column, first, metrics_[m]);
  }
}

void SlabReduction::count_rows() {
  ok_.clear();
  const bool keeps_all = subject_->ok_rows() <= whole_rows;
  for (std::size_t i = 0; i < status_.size(); ++i) {
    const auto code = static_cast<std::uint8_t>(status_[i]);
    if (code == subject_->missing) continue;
    DFSWEEP_EXPECT(cells_[i] < reduced_.cube.cells() && code < subject_->statuses.size());
    reduced_.cube.count(cells_[i], code);
    if (code != status_ok) continue;
    ok_.push_back(static_cast<std::uint32_t>(i));
    if (keeps_all) reduced_.ok_rows.push_back(first_row_ + i);
  }
}

void SlabReduction::add_metrics() {
  for (std::size_t m = 0; m < metrics_.size(); ++m)
    for (const std::uint32_t i : ok_) reduced_.histograms[m].add(metrics_[m][i]);
  for (std::size_t o = 0; o < objective_places_.size(); ++o) {
    const std::vector<double>& values = metrics_[objective_places_[o]];
    const double sign = sign_of(subject_->metrics[views_->objectives[o]]);
    TopRows& top = reduced_.tops[o];
    for (const std::uint32_t i : ok_) {
      const double cost = sign * values[i];
      if (!is_given(cost)) continue;
      reduced_.cube.offer(o, cells_[i], cost, first_row_ + i);
      top.offer(cost, first_row_ + i);
    }
  }
}

void SlabReduction::add_ranked() {
  if (!views_->decides) return;
  const std::vector<double>& values = metrics_[place_in(views_->metrics, *views_->decides)];
  const double sign = sign_of(subject_->metrics[*views_->decides]);
  for (const std::uint32_t i : ok_)
    if (const double cost = sign * values[i]; is_given(cost)) reduced_.ranked[tasks_[i]].offer(cost, first_row_ + i);
}

void SlabReduction::add_fronts() {
  for (std::size_t p = 0; p < pair_places_.size(); ++p) {
    const std::vector<double>& xs = metrics_[pair_places_[p].first];
    const std::vector<double>& ys = metrics_[pair_places_[p].second];
    const double sign_x = sign_of(subject_->metrics[views_->trade_offs[p].first]);
    const double sign_y = sign_of(subject_->metrics[views_->trade_offs[p].second]);
    PairFronts& pair = reduced_.pairs[p];
    for (const std::uint32_t i : ok_) {
      const FrontMember member{sign_x * xs[i], sign_y * ys[i], first_row_ + i};
      if (!is_given(member.x) || !is_given(member.y)) continue;
      pair.of_cell(cells_[i]).offer(member);
    }
  }
}

void SlabReduction::add_sample() {
  hashes_.resize(points_.size());
  xxh3_64(points_, hashes_);
  for (const std::uint32_t i : ok_) reduced_.sample.offer(hashes_[i], first_row_ + i);
}

}  // namespace dfsweep::report
