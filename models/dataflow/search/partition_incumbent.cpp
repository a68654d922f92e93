/// Incumbents from orders of the kernels.
#include "models/dataflow/search/partition_incumbent.hpp"

#include <algorithm>

#include "models/dataflow/search/partition_expansion.hpp"

namespace dfsweep::dataflow {

namespace {

using Order = std::array<std::uint8_t, most_kernels>;

/// A depth-first topological order: ready sinks first, then the kernel that became ready last, so chains stay together.
Order deep_order(const PartitionInstance& instance) {
  Order order{};
  KernelSet done = 0;
  std::vector<std::size_t> stack;
  const auto push_ready = [&](KernelSet candidates) {
    for (const KernelSet part : {candidates & ~instance.sinks, candidates & instance.sinks})
      for (KernelSet rest = part; rest != 0; rest &= rest - 1)
        if (contains(done, instance.predecessors[lowest(rest)])) stack.push_back(lowest(rest));
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

/// Optimal cuts of an order: least[c][j] = time of the first j kernels in c partitions (c is always 0 without a limit).
class OrderCut {
 public:
  explicit OrderCut(const PartitionInstance& instance) : instance_(instance), rules_(instance) {
    layers_ = instance.count_rule == CountRule::any ? 1 : instance.count + 1;
  }

  /// Least time of an order; `int_infinity` where no cut fits.
  Ticks least(const Order& order) {
    order_ = order;
    cells_.assign(layers_ * (instance_.kernels + 1), {});
    cell(0, 0).time = 0;
    WholeBytes live = 0;
    KernelSet done = 0;
    for (std::size_t begin = 0; begin < instance_.kernels; ++begin) {
      extend(begin, done, live);
      const std::size_t kernel = order_[begin];
      done |= just(kernel);
      live += instance_.live_leaving[kernel] - instance_.live_arriving[kernel];
    }
    return cell(last_layer(), instance_.kernels).time;
  }

  /// The cut found by least().
  Incumbent traced() {
    Incumbent incumbent;
    std::size_t layer = last_layer();
    incumbent.time = cell(layer, instance_.kernels).time;
    if (incumbent.time == int_infinity) return incumbent;
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

  /// Partitions evaluated so far.
  [[nodiscard]] std::int64_t nodes() const { return nodes_; }

 private:
  struct Cell {
    Ticks time = int_infinity;
    std::size_t begin = 0;
  };
  Cell& cell(std::size_t layer, std::size_t end) { return cells_[layer * (instance_.kernels + 1) + end]; }

  [[nodiscard]] std::size_t last_layer() {
    std::size_t last = layers_ - 1;
    if (instance_.count_rule == CountRule::at_most)
      for (std::size_t c = 0; c < layers_; ++c)
        if (cell(c, instance_.kernels).time < cell(last, instance_.kernels).time) last = c;
    return last;
  }

  /// Evaluates every partition of consecutive kernels that starts at `begin`.
  void extend(std::size_t begin, KernelSet done, WholeBytes live) {
    bool reached = false;
    for (std::size_t c = 0; c < layers_; ++c) reached |= cell(c, begin).time != int_infinity;
    if (!reached) return;
    Growth growth;
    const bool only_forward = instance_.apart && !contains(done, instance_.forward);
    for (std::size_t end = begin; end < instance_.kernels; ++end) {
      const std::size_t kernel = order_[end];
      if (only_forward && !contains(instance_.forward, just(kernel))) return;
      ++nodes_;
      growth = rules_.joined(growth, kernel, rules_.joining(growth, kernel));
      if (!rules_.fits(growth)) return;
      if (live + growth.live > instance_.live_capacity) continue;
      const Ticks time = rules_.time(growth);
      for (std::size_t c = 0; c < layers_; ++c) {
        const std::size_t next = layers_ == 1 ? 0 : c + 1;
        if (next >= layers_ || cell(c, begin).time == int_infinity) continue;
        if (cell(c, begin).time + time < cell(next, end + 1).time)
          cell(next, end + 1) = {cell(c, begin).time + time, begin};
      }
    }
  }

  const PartitionInstance& instance_;
  GrowthRules rules_;
  Order order_{};
  std::size_t layers_ = 1;
  std::vector<Cell> cells_;
  std::int64_t nodes_ = 0;
};

/// Kernels of the partitions, each in the order of the instance.
Order order_of(const PartitionInstance& instance, const Incumbent& incumbent) {
  if (incumbent.partitions.empty()) return instance.order;
  Order order{};
  std::size_t at = 0;
  for (const KernelSet inside : incumbent.partitions)
    for (std::size_t i = 0; i < instance.kernels; ++i)
      if (contains(inside, just(instance.order[i]))) order[at++] = instance.order[i];
  return order;
}

/// A fixed pseudo-random sequence: 64-bit xorshift (Marsaglia, Journal of Statistical Software 8/14, 2003).
class Sequence {
 public:
  [[nodiscard]] std::size_t below(std::size_t count) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<std::size_t>(state_ % count);
  }

 private:
  std::uint64_t state_ = 88172645463325252U;
};

/// Moves a kernel to another place between its producers and its consumers; false where no other place exists.
bool move_one(const PartitionInstance& instance, Sequence& sequence, Order& order) {
  const std::size_t at = sequence.below(instance.kernels);
  const std::uint8_t kernel = order[at];
  std::size_t first = at;
  std::size_t last = at;
  while (first > 0 && !contains(instance.predecessors[kernel], just(order[first - 1]))) --first;
  while (last + 1 < instance.kernels && !contains(instance.consumers[kernel], just(order[last + 1]))) ++last;
  const std::size_t to = first + sequence.below(last - first + 1);
  if (to == at) return false;
  const auto place = [&order](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
  if (to < at)
    std::rotate(place(to), place(at), place(at + 1));
  else
    std::rotate(place(at), place(at + 1), place(to + 1));
  return true;
}

}  // namespace

Incumbent first_incumbent(const PartitionInstance& instance) {
  OrderCut plain(instance);
  OrderCut deep(instance);
  return deep.least(deep_order(instance)) < plain.least(instance.order) ? deep.traced() : plain.traced();
}

void improve_by_orders(const PartitionInstance& instance, std::int64_t nodes, Incumbent& incumbent,
                       std::int64_t& looked_at) {
  constexpr std::int64_t tolerance = 256;  // initially a change may lengthen the mapping by 1/256
  Sequence sequence;
  OrderCut cut(instance);
  Order order = order_of(instance, incumbent);
  Ticks time = cut.least(order);
  // A kernel without room to move evaluates no partition, so tries are limited too.
  for (std::int64_t tries = 0; tries < nodes && cut.nodes() < nodes && incumbent.time > instance.least(); ++tries) {
    Order changed = order;
    if (!move_one(instance, sequence, changed)) continue;
    const Ticks changed_time = cut.least(changed);
    const Ticks allowed = time / tolerance / 64 * (64 - 64 * cut.nodes() / nodes);
    if (changed_time > time + allowed) continue;
    order = changed;
    time = changed_time;
    if (time < incumbent.time) incumbent = cut.traced();
  }
  looked_at += cut.nodes();
}

bool fits_live(const PartitionInstance& instance, const Incumbent& incumbent) {
  const GrowthRules rules(instance);
  WholeBytes live = 0;
  for (const KernelSet inside : incumbent.partitions) {
    const Growth growth = rules.grown(inside);
    if (live + growth.live > instance.live_capacity) return false;
    live += growth.live_change;
  }
  return true;
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

}  // namespace dfsweep::dataflow
