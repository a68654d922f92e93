/// First mappings from orders of the kernels.
#include "models/dataflow/partition_incumbent.hpp"

#include "models/dataflow/partition_expansion.hpp"

namespace dfsweep {

namespace {

using Order = std::array<std::uint8_t, most_kernels>;

/// Sinks as soon as they are ready, then the kernel that became ready last: chains stay together.
Order deep_order(const PartitionInstance& instance) {
  Order order{};
  KernelSet done = 0;
  std::vector<std::size_t> stack;
  const auto push_ready = [&](KernelSet candidates) {
    for (const KernelSet part : {candidates & ~instance.sinks, candidates & instance.sinks})
      for (KernelSet rest = part; rest != 0; rest &= rest - 1)
        if (contains(done, instance.awaits[lowest(rest)])) stack.push_back(lowest(rest));
  };
  push_ready(instance.all);
  for (std::size_t i = 0; i < instance.kernels; ++i) {
    const std::size_t kernel = stack.back();
    stack.pop_back();
    order[i] = static_cast<std::uint8_t>(kernel);
    done |= just(kernel);
    push_ready(instance.consumers[kernel]);
  }
  return order;
}

/// Best cut of one order: least[c][j] = time of the first j kernels in c partitions (c is always 0 without a limit).
class OrderCut {
 public:
  OrderCut(const PartitionInstance& instance, const Order& order)
      : instance_(instance), rules_(instance), order_(order) {
    layers_ = instance.count_rule == CountRule::any ? 1 : instance.count + 1;
    cells_.resize(layers_ * (instance.kernels + 1));
    cell(0, 0).time = 0;
  }

  Incumbent best() {
    WholeBytes live = 0;
    KernelSet done = 0;
    for (std::size_t begin = 0; begin < instance_.kernels; ++begin) {
      extend(begin, done, live);
      const std::size_t kernel = order_[begin];
      done |= just(kernel);
      live += instance_.live_leaving[kernel] - instance_.live_arriving[kernel];
    }
    std::size_t last = layers_ - 1;
    if (instance_.count_rule == CountRule::at_most)
      for (std::size_t c = 0; c < layers_; ++c)
        if (cell(c, instance_.kernels).time < cell(last, instance_.kernels).time) last = c;
    return traced(last);
  }

 private:
  struct Cell {
    Ticks time = endless;
    std::size_t begin = 0;
  };
  Cell& cell(std::size_t layer, std::size_t end) { return cells_[layer * (instance_.kernels + 1) + end]; }

  /// Tries every partition of consecutive kernels that starts at `begin`.
  void extend(std::size_t begin, KernelSet done, WholeBytes live) {
    Growth growth;
    const bool only_forward = instance_.apart && !contains(done, instance_.forward);
    for (std::size_t end = begin; end < instance_.kernels; ++end) {
      const std::size_t kernel = order_[end];
      if (only_forward && !contains(instance_.forward, just(kernel))) return;
      growth = rules_.joined(growth, kernel, rules_.joining(growth, kernel));
      if (!rules_.fits(growth)) return;
      if (live + growth.live > instance_.live_capacity) continue;
      const Ticks time = rules_.time(growth);
      for (std::size_t c = 0; c < layers_; ++c) {
        const std::size_t next = layers_ == 1 ? 0 : c + 1;
        if (next >= layers_ || cell(c, begin).time == endless) continue;
        if (cell(c, begin).time + time < cell(next, end + 1).time)
          cell(next, end + 1) = {cell(c, begin).time + time, begin};
      }
    }
  }

  Incumbent traced(std::size_t layer) {
    Incumbent incumbent;
    incumbent.time = cell(layer, instance_.kernels).time;
    if (incumbent.time == endless) return incumbent;
    for (std::size_t end = instance_.kernels; end > 0;) {
      const std::size_t begin = cell(layer, end).begin;
      KernelSet inside = 0;
      for (std::size_t i = begin; i < end; ++i) inside |= just(order_[i]);
      incumbent.partitions.insert(incumbent.partitions.begin(), inside);
      end = begin;
      if (layers_ > 1) --layer;
    }
    return incumbent;
  }

  const PartitionInstance& instance_;
  GrowthRules rules_;
  Order order_;
  std::size_t layers_ = 1;
  std::vector<Cell> cells_;
};

}  // namespace

Incumbent first_incumbent(const PartitionInstance& instance) {
  Incumbent best = OrderCut(instance, instance.order).best();
  Incumbent deep = OrderCut(instance, deep_order(instance)).best();
  return deep.time < best.time ? deep : best;
}

void join_partitions(const PartitionInstance& instance, Incumbent& incumbent) {
  if (instance.count_rule == CountRule::exactly) return;
  const GrowthRules rules(instance);
  WholeBytes live = 0;
  KernelSet done = 0;
  for (std::size_t p = 0; p + 1 < incumbent.partitions.size();) {
    const KernelSet first = incumbent.partitions[p];
    const KernelSet second = incumbent.partitions[p + 1];
    const Growth joined = rules.grown(first | second);
    const Ticks apart = rules.time(rules.grown(first)) + rules.time(rules.grown(second));
    const bool mixed = instance.apart && contains(instance.forward, first) && !contains(instance.forward, second);
    if (!mixed && rules.fits(joined) && live + joined.live <= instance.live_capacity && rules.time(joined) <= apart) {
      incumbent.time += rules.time(joined) - apart;
      incumbent.partitions[p] = first | second;
      incumbent.partitions.erase(incumbent.partitions.begin() + static_cast<std::ptrdiff_t>(p) + 1);
      p = 0;
      live = 0;
      done = 0;
      continue;
    }
    done |= first;
    live = 0;
    for (std::size_t k = 0; k < instance.kernels; ++k)
      if (contains(done, just(k))) live += instance.live_leaving[k] - instance.live_arriving[k];
    ++p;
  }
}

}  // namespace dfsweep
