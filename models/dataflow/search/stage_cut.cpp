/// Topological orders and their cuts by dynamic programming.
#include "models/dataflow/search/stage_cut.hpp"

#include <algorithm>

namespace dfsweep::dataflow {

namespace {

/// A topological order; `pick` selects among the ready kernels the lowest one or the one that became ready last.
template <class Pick>
KernelOrder order_of(const StageInstance& instance, Pick pick) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> ready;
  KernelSet done = 0;
  KernelSet seen = 0;
  while (order.size() < instance.kernels) {
    for (std::size_t k = 0; k < instance.kernels; ++k)
      if (!contains(seen, just(k)) && contains(done, instance.predecessors[k])) {
        ready.push_back(k);
        seen |= just(k);
      }
    const auto chosen = pick(ready);
    order.push_back(*chosen);
    done |= just(*chosen);
    ready.erase(chosen);
  }
  return order;
}

/// The optimal cut of an order into consecutive stages, by dynamic programming.
class StageOrderCut {
 public:
  StageOrderCut(const StageInstance& instance, const std::vector<std::size_t>& order)
      : instance_(instance), order_(order) {
    for (const std::size_t k : order) {
      work_.push_back(work_.back() + instance.work[k]);
      held_.push_back(held_.back() + instance.held[k]);
      sending_.push_back(sending_.back() - instance.arriving[k] + instance.leaving[k]);
    }
  }

  StageCut best() const {
    const std::size_t n = order_.size();
    std::vector<std::vector<Ticks>> slowest(instance_.stages + 1, std::vector<Ticks>(n + 1, int_infinity));
    std::vector<std::vector<std::size_t>> from(instance_.stages + 1, std::vector<std::size_t>(n + 1, 0));
    slowest[0][0] = 0;
    for (std::size_t s = 1; s <= instance_.stages; ++s)
      for (std::size_t last = s; last <= n; ++last)
        for (std::size_t first = s - 1; first < last; ++first) {
          const Ticks time = std::max(slowest[s - 1][first], time_of(first, last));
          if (time >= slowest[s][last]) continue;
          slowest[s][last] = time;
          from[s][last] = first;
        }
    StageCut cut;
    std::size_t used = 0;
    for (std::size_t s = 1; s <= instance_.stages; ++s)
      if (slowest[s][n] < cut.slowest) {
        cut.slowest = slowest[s][n];
        used = s;
      }
    for (std::size_t last = n; used > 0; --used) {
      const std::size_t first = from[used][last];
      KernelSet inside = 0;
      for (std::size_t position = first; position < last; ++position) inside |= just(order_[position]);
      cut.stages.insert(cut.stages.begin(), inside);
      last = first;
    }
    return cut;
  }

 private:
  Ticks time_of(std::size_t first, std::size_t last) const {
    if (held_[last] - held_[first] > instance_.capacity) return int_infinity;
    return instance_.time(work_[last] - work_[first], sending_[last]);
  }

  const StageInstance& instance_;
  const std::vector<std::size_t>& order_;
  std::vector<StageWork> work_{StageWork{}};  ///< [position] prefix sums: work of the kernels before it
  std::vector<WholeBytes> held_{0};
  std::vector<Sending> sending_{Sending{}};
};

}  // namespace

std::vector<KernelOrder> stage_orders(const StageInstance& instance) {
  return {order_of(instance, [](KernelOrder& ready) { return std::min_element(ready.begin(), ready.end()); }),
          order_of(instance, [](KernelOrder& ready) { return ready.end() - 1; })};
}

StageCut first_cut(const StageInstance& instance) {
  StageCut best;
  for (const KernelOrder& order : stage_orders(instance)) {
    StageCut cut = StageOrderCut(instance, order).best();
    if (cut.slowest < best.slowest) best = std::move(cut);
  }
  return best;
}

}  // namespace dfsweep::dataflow
