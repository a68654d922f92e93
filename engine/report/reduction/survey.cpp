/// The survey: one pass over axes and metrics that only asks which values there are.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <sstream>
#include <unordered_set>

#include "engine/parallel/threads.hpp"
#include "engine/report/reduction/row_slabs.hpp"
#include "engine/report/reduction/subject.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/scan.hpp"
#include "models/expect.hpp"

namespace dfsweep::report {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Distinct numbers, up to a limit, and whether there are more.
class ValueSet {
 public:
  explicit ValueSet(std::size_t most = most_axis_values) : most_(most) {}
  void add(double value) {
    if (value == last_) return;  // neighbours mostly share their values
    last_ = value;
    double& recent = recent_[place_of(value)];
    if (recent == value) return;
    recent = value;
    if (values_.size() <= most_) values_.insert(value);
  }
  void join(const ValueSet& other) {
    for (const double value : other.values_) add(value);
  }
  [[nodiscard]] std::vector<double> ascending() const {
    std::vector<double> sorted(values_.begin(), values_.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }
  [[nodiscard]] bool is_too_large() const { return values_.size() > most_; }

 private:
  static std::size_t place_of(double value) {
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(value) * golden >> 56U);
  }

  std::size_t most_;
  double last_ = absent;
  std::array<double, 256> recent_ = [] {
    std::array<double, 256> none;
    none.fill(absent);
    return none;
  }();
  std::unordered_set<double> values_;
};

/// What some of the rows hold.
struct Seen {
  Seen(const Subject& subject, std::size_t most_values)
      : axes(subject.axes.size(), ValueSet(most_values)),
        axis_ranges(subject.axes.size()),
        lacks(subject.axes.size()),
        metrics(subject.metrics.size()) {}

  struct Range {
    double least = infinity;
    double most = -infinity;
    std::uint64_t with_value = 0;
    void join(const Range& other) {
      least = std::min(least, other.least);
      most = std::max(most, other.most);
      with_value += other.with_value;
    }
  };
  std::array<std::uint64_t, 256> status_rows{};
  std::vector<ValueSet> axes;
  std::vector<Range> axis_ranges;
  std::vector<std::uint8_t> lacks;
  std::vector<Range> metrics;

  void join(const Seen& other) {
    for (std::size_t s = 0; s < status_rows.size(); ++s) status_rows[s] += other.status_rows[s];
    for (std::size_t a = 0; a < axes.size(); ++a) {
      axes[a].join(other.axes[a]);
      lacks[a] |= other.lacks[a];
      axis_ranges[a].join(other.axis_ranges[a]);
    }
    for (std::size_t m = 0; m < metrics.size(); ++m) metrics[m].join(other.metrics[m]);
  }
};

class SlabSurvey {
 public:
  SlabSurvey(const Subject& subject, std::size_t most_values)
      : subject_(&subject), seen_(subject, most_values), status_(chunk_rows), values_(chunk_rows) {}

  void add(const RowRange& slab) {
    for (std::uint64_t done = 0; done < slab.count; done += chunk_rows)
      add_chunk(slab.first + done, static_cast<std::size_t>(std::min(chunk_rows, slab.count - done)));
  }
  [[nodiscard]] const Seen& seen() const { return seen_; }

 private:
  void add_chunk(std::uint64_t first, std::size_t count) {
    const DatasetReader& file = *subject_->file;
    const std::span<double> status = std::span(status_).first(count);
    const std::span<double> values = std::span(values_).first(count);
    file.read(*subject_->status, first, status);
    for (const double code : status) ++seen_.status_rows[static_cast<std::uint8_t>(code)];
    const double missing = subject_->missing ? *subject_->missing : -1.0;
    for (std::size_t a = 0; a < subject_->axes.size(); ++a) {
      read_values(file, *subject_->axes[a].column, first, values);
      for (std::size_t i = 0; i < count; ++i) {
        if (is_given(values[i]))
          seen_.axes[a].add(values[i]);
        else if (status[i] != missing)
          seen_.lacks[a] = 1;
      }
      add_range(seen_.axis_ranges[a], status, values);
    }
    for (std::size_t m = 0; m < subject_->metrics.size(); ++m) {
      read_values(file, *subject_->metrics[m].column, first, values);
      add_range(seen_.metrics[m], status, values);
    }
  }

  static void add_range(Seen::Range& range, std::span<const double> status, std::span<const double> values) {
    double least = range.least;
    double most = range.most;
    std::uint64_t with_value = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool counts = status[i] == 0.0 && std::abs(values[i]) < infinity;
      with_value += counts ? 1 : 0;
      least = std::min(least, counts ? values[i] : infinity);
      most = std::max(most, counts ? values[i] : -infinity);
    }
    range = {least, most, range.with_value + with_value};
  }

  const Subject* subject_;
  Seen seen_;
  std::vector<double> status_;
  std::vector<double> values_;
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(std::move(word));
  return words;
}

Subject unseen(const DatasetReader& file, const std::vector<const DatasetColumn*>& metrics) {
  Subject subject;
  subject.file = &file;
  subject.point = file.column("point");
  subject.status = file.column("status");
  DFSWEEP_EXPECT(subject.point != nullptr && subject.status != nullptr);
  subject.statuses = value_names(file, *subject.status);
  const auto missing = std::find(subject.statuses.begin(), subject.statuses.end(), "missing");
  if (missing != subject.statuses.end())
    subject.missing = static_cast<std::uint8_t>(missing - subject.statuses.begin());
  const std::vector<std::string> searched = words_of(file.attribute("search_over"));
  for (const DatasetColumn* column : axis_columns(file)) {
    const bool is_searched = std::find(searched.begin(), searched.end(), column->name) != searched.end();
    subject.axes.push_back({column, value_names(file, *column), {}, false, is_searched});
  }
  for (const DatasetColumn* column : metrics)
    subject.metrics.push_back({.column = column, .better = better_of(*column), .names = value_names(file, *column)});
  return subject;
}

void set_range(SubjectMetric& metric, const Seen::Range& range) {
  metric.with_value = range.with_value;
  metric.least = range.with_value != 0 ? range.least : absent;
  metric.most = range.with_value != 0 ? range.most : absent;
}

/// The codes that most rows have, ascending; of equally frequent ones the first.
std::vector<double> most_frequent(const DatasetReader& file, const SubjectAxis& axis, std::size_t most) {
  std::vector<std::uint64_t> rows(axis.names.size());
  const DatasetColumn* column = axis.column;
  scan_rows(file, std::span(&column, 1), {}, [&](const RowChunk& chunk) {
    for (const double code : chunk.values[0])
      if (code >= 0.0 && code < static_cast<double>(rows.size())) ++rows[static_cast<std::size_t>(code)];
  });
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] > rows[b]; });
  order.resize(std::min(order.size(), most));
  std::sort(order.begin(), order.end());
  return {order.begin(), order.end()};
}

/// Axes whose values codes cannot count: numbers become metrics, of names the most frequent ones keep a code.
void turn_large_axes(Subject& subject, const Seen& seen, std::size_t names) {
  for (std::size_t a = subject.axes.size(); a-- > 0;) {
    SubjectAxis& axis = subject.axes[a];
    if (!seen.axes[a].is_too_large()) continue;
    if (!axis.names.empty()) {
      axis.values = most_frequent(*subject.file, axis, names);
      axis.has_rest = true;
      continue;
    }
    SubjectMetric& metric = subject.metrics.emplace_back();
    metric.column = axis.column;
    metric.is_parameter = true;
    set_range(metric, seen.axis_ranges[a]);
    subject.axes.erase(subject.axes.begin() + static_cast<std::ptrdiff_t>(a));
  }
}

Seen seen_in(const Subject& subject, unsigned threads, std::size_t most_values) {
  const std::vector<RowRange> slabs = row_slabs(*subject.file);
  Seen all(subject, most_values);
  std::mutex joining;
  std::atomic<std::size_t> next = 0;
  const std::size_t workers = std::min<std::size_t>(reducing_threads(threads), slabs.size());
  parallel_for(workers, static_cast<unsigned>(workers), [&](std::size_t) {
    SlabSurvey worker(subject, most_values);
    for (std::size_t s = next++; s < slabs.size(); s = next++) worker.add(slabs[s]);
    const std::scoped_lock lock(joining);  // sets, sums and ranges are the same in any order
    all.join(worker.seen());
  });
  return all;
}

}  // namespace

std::uint64_t Subject::rows() const {
  std::uint64_t sum = 0;
  for (std::size_t code = 0; code < status_rows.size(); ++code) sum += code == missing ? 0 : status_rows[code];
  return sum;
}

Subject survey(const DatasetReader& file, std::vector<const DatasetColumn*> metrics, unsigned threads,
               std::size_t most_values, std::size_t names) {
  Subject subject = unseen(file, metrics);
  const Seen seen = seen_in(subject, threads, most_values);
  subject.status_rows = seen.status_rows;
  for (std::size_t a = 0; a < subject.axes.size(); ++a) {
    subject.axes[a].values = seen.axes[a].ascending();
    subject.axes[a].lacks_values = seen.lacks[a] != 0;
  }
  for (std::size_t m = 0; m < subject.metrics.size(); ++m) set_range(subject.metrics[m], seen.metrics[m]);
  turn_large_axes(subject, seen, names);
  return subject;
}

}  // namespace dfsweep::report
