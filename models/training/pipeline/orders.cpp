#include "models/training/pipeline/orders.hpp"

#include <algorithm>
#include <array>
#include <deque>

namespace dfsweep::training {

namespace {

using enum Pass;

OperationGroup whole_backward(int end, int stage, int micro) {
  return {{backward_input, end, stage, micro}, {backward_weight, end, stage, micro}};
}

/// Writes the list of one device of a dual pipe as its published implementation numbers the steps.
class DualPipeDevice {
 public:
  DualPipeDevice(int device, int stages, int micro_batches)
      : device_(device), stages_(stages), mirrored_(device >= stages / 2) {
    const int half = stages / 2;
    const int rank = mirrored_ ? stages - 1 - device : device;
    for (int i = 0; i < 2 * (half - rank - 1); ++i) add({next(forward, 0)});
    for (int i = 0; i < rank + 1; ++i) add({next(forward, 0)}), add({next(forward, 1)});
    for (int i = 0; i < half - rank - 1; ++i) backward(1, true), weight(), add({next(forward, 1)});
    for (int i = 0; i < micro_batches / 2 - stages + rank + 1; ++i) {
      if (i == 0 && rank == half - 1)
        add({next(forward, 0)}), backward(1, false);
      else
        both(0, 1);
      both(1, 0);
    }
    for (int i = 0; i < half - rank - 1; ++i) backward(1, false), both(1, 0);
    bool split = false;
    for (int i = 0; i < rank + 1; ++i) {
      if (i == (rank + 1) / 2 && rank % 2 == 1) split = true;
      backward(1, split);
      if (i == (rank + 1) / 2 && rank % 2 == 0) split = true;
      backward(0, split);
    }
    for (int i = 0; i < half - rank - 1; ++i) weight(), backward(0, true);
    for (int i = 0; i < rank + 1; ++i) weight();
  }
  [[nodiscard]] std::vector<OperationGroup> list() const { return list_; }

 private:
  /// The next pass of the near (0) or far (1) direction as this device sees them.
  Operation next(Pass pass, int direction) {
    const int end = mirrored_ ? 1 - direction : direction;
    int& count = pass == forward ? forwards_[static_cast<std::size_t>(end)] : backwards_[static_cast<std::size_t>(end)];
    return {pass, end, end == 0 ? device_ : stages_ - 1 - device_, count++};
  }
  void add(OperationGroup group) { list_.push_back(std::move(group)); }
  void backward(int direction, bool split) {
    const Operation input = next(backward_input, direction);
    if (split) {
      late_.push_back({backward_weight, input.end, input.stage, input.micro});
      add({input});
    } else {
      add(whole_backward(input.end, input.stage, input.micro));
    }
  }
  void both(int forward_direction, int backward_direction) {
    OperationGroup group{next(forward, forward_direction)};
    const Operation input = next(backward_input, backward_direction);
    for (const Operation& operation : whole_backward(input.end, input.stage, input.micro)) group.push_back(operation);
    add(group);
  }
  void weight() {
    add({late_.front()});
    late_.pop_front();
  }

  int device_;
  int stages_;
  bool mirrored_;
  std::array<int, 2> forwards_{};
  std::array<int, 2> backwards_{};
  std::deque<Operation> late_;
  std::vector<OperationGroup> list_;
};

}  // namespace

double most_held(const PipelineOrders& orders, std::size_t device) {
  int held = 0;
  int most = 0;
  for (const OperationGroup& group : orders.devices[device])
    for (const Operation& operation : group) {
      if (operation.pass == forward) ++held;
      most = std::max(most, held);
      if (operation.pass == backward_weight) --held;
    }
  return static_cast<double>(most) / orders.chunks;
}

PipelineOrders one_forward_one_backward(int stages, int micro_batches) {
  PipelineOrders orders{{}, stages, 1};
  for (int stage = 0; stage < stages; ++stage) {
    std::vector<OperationGroup>& list = orders.devices.emplace_back();
    const int ahead = std::min(micro_batches, stages - 1 - stage);
    for (int micro = 0; micro < ahead; ++micro) list.push_back({{forward, 0, stage, micro}});
    for (int micro = 0; micro < micro_batches; ++micro) {
      if (micro + ahead < micro_batches) list.push_back({{forward, 0, stage, micro + ahead}});
      list.push_back(whole_backward(0, stage, micro));
    }
  }
  return orders;
}

PipelineOrders interleaved(int stages, int chunks, int micro_batches, int group) {
  PipelineOrders orders{{}, stages * chunks, chunks};
  const int all = micro_batches * chunks;
  const auto begin_of = [&](int step) { return step / (group * chunks) * group; };
  const auto size_of = [&](int step) { return std::min(group, micro_batches - begin_of(step)); };
  const auto micro_of = [&](int step) { return begin_of(step) + step % (group * chunks) % size_of(step); };
  const auto chunk_of = [&](int step) { return step % (group * chunks) / size_of(step); };
  for (int device = 0; device < stages; ++device) {
    std::vector<OperationGroup>& list = orders.devices.emplace_back();
    const int ahead = std::min(all, 2 * (stages - device - 1) + (chunks - 1) * group);
    const auto add_forward = [&](int step) {
      list.push_back({{forward, 0, chunk_of(step) * stages + device, micro_of(step)}});
    };
    for (int step = 0; step < ahead; ++step) add_forward(step);
    for (int step = 0; step < all; ++step) {
      if (step + ahead < all) add_forward(step + ahead);
      list.push_back(whole_backward(0, (chunks - 1 - chunk_of(step)) * stages + device, micro_of(step)));
    }
  }
  return orders;
}

PipelineOrders zero_bubble(int stages, int micro_batches) {
  PipelineOrders orders{{}, stages, 1};
  for (int stage = 0; stage < stages; ++stage) {
    std::vector<OperationGroup>& list = orders.devices.emplace_back();
    const int ahead = std::min(micro_batches, stages - 1 - stage);
    for (int micro = 0; micro < ahead; ++micro) list.push_back({{forward, 0, stage, micro}});
    for (int micro = 0; micro < micro_batches; ++micro) {
      if (micro + ahead < micro_batches) list.push_back({{forward, 0, stage, micro + ahead}});
      list.push_back({{backward_input, 0, stage, micro}});
      if (micro >= stage) list.push_back({{backward_weight, 0, stage, micro - stage}});
    }
    for (int micro = std::max(0, micro_batches - stage); micro < micro_batches; ++micro)
      list.push_back({{backward_weight, 0, stage, micro}});
  }
  return orders;
}

PipelineOrders dual_pipe(int stages, int micro_batches) {
  PipelineOrders orders{{}, stages, 1};
  for (int device = 0; device < stages; ++device)
    orders.devices.push_back(DualPipeDevice(device, stages, micro_batches).list());
  return orders;
}

PipelineOrders orders_of(const PipelineShape& shape) {
  const int stages = static_cast<int>(shape.stages);
  const int micro_batches = static_cast<int>(shape.micro_batches);
  switch (shape.schedule) {
    case Schedule::zero_bubble:
      return zero_bubble(stages, micro_batches);
    case Schedule::dual_pipe:
      return dual_pipe(stages, micro_batches);
    default:
      if (shape.chunks <= 1) return one_forward_one_backward(stages, micro_batches);
      return interleaved(stages, static_cast<int>(shape.chunks), micro_batches,
                         static_cast<int>(interleaved_group(shape)));
  }
}

}  // namespace dfsweep::training
