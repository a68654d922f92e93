/// Best rows: one pass with a bounded heap per group.
#include "engine/results/best.hpp"

#include <algorithm>

#include "engine/results/group_numbers.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"

namespace dfsweep {
namespace {

constexpr std::size_t distinct_limit = std::size_t{1} << 24;

struct Ranked {
  double cost = 0.0;  ///< the metric, negated if higher is better
  std::uint64_t row = 0;
  auto operator<=>(const Ranked&) const = default;
};

/// The `top` best rows of a group, as a heap with the worst one in front.
struct Group {
  std::vector<std::uint32_t> codes;
  std::vector<Ranked> heap;

  void offer(const Ranked& candidate, std::size_t top) {
    if (heap.size() == top) {
      if (!(candidate < heap.front())) return;
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    heap.push_back(candidate);
    std::push_heap(heap.begin(), heap.end());
  }
};

class BestScan {
 public:
  BestScan(const BestQuestion& question, std::vector<ValueCodes> by)
      : question_(&question), by_(std::move(by)), numbers_(sizes(by_)), codes_(by_.size()) {}

  /// Columns of the chunk: metric, status, then `by`.
  void visit(const RowChunk& chunk) {
    for (std::size_t i = 0; i < chunk.kept.size(); ++i) {
      if (chunk.kept[i] == 0) continue;
      ++result_.counts.considered;
      const double value = chunk.values[0][i];
      if (question_->ok_only && chunk.values[1][i] != 0.0)
        ++result_.counts.not_ok[static_cast<std::uint8_t>(chunk.values[1][i])];
      else if (!is_given(value))
        ++result_.counts.no_value;
      else
        offer(chunk, i, question_->direction == Better::higher ? -value : value);
    }
  }

  BestRows take() {
    std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) { return a.codes < b.codes; });
    for (Group& group : groups_) {
      std::sort_heap(group.heap.begin(), group.heap.end());
      for (const Ranked& ranked : group.heap) result_.rows.push_back(ranked.row);
    }
    return std::move(result_);
  }

 private:
  static std::vector<std::uint64_t> sizes(const std::vector<ValueCodes>& by) {
    std::vector<std::uint64_t> found;
    for (const ValueCodes& codes : by) found.push_back(codes.values().size());
    return found;
  }

  void offer(const RowChunk& chunk, std::size_t i, double cost) {
    for (std::size_t b = 0; b < by_.size(); ++b) {
      const double value = chunk.values[2 + b][i];
      if (!is_given(value) || value < by_[b].values().front())
        return;  // no value: a searched axis of a row without execution
      codes_[b] = by_[b].code(value);
    }
    const std::uint32_t number = by_.empty() ? 0 : numbers_.number(codes_);
    if (number >= groups_.size()) groups_.push_back({.codes = codes_, .heap = {}});
    groups_[number].offer({.cost = cost, .row = chunk.first_row + i}, question_->top);
  }

  const BestQuestion* question_;
  std::vector<ValueCodes> by_;
  GroupNumbers numbers_;
  std::vector<std::uint32_t> codes_;
  std::vector<Group> groups_;
  BestRows result_;
};

}  // namespace

BestRows find_best(const DatasetReader& file, const BestQuestion& question, const RowFilter& filter) {
  DFSWEEP_EXPECT(question.metric != nullptr && question.direction != Better::neither && question.top > 0);
  const DatasetColumn* status = file.column("status");
  DFSWEEP_EXPECT(status != nullptr);
  std::vector<const DatasetColumn*> columns = {question.metric, status};
  columns.insert(columns.end(), question.by.begin(), question.by.end());
  std::vector<ValueCodes> by;
  for (const DatasetColumn* column : question.by)
    by.emplace_back(distinct_values(file, *column, filter, distinct_limit));
  BestScan scan(question, std::move(by));
  scan_rows(file, columns, filter, [&](const RowChunk& chunk) { scan.visit(chunk); });
  return scan.take();
}

}  // namespace dfsweep
