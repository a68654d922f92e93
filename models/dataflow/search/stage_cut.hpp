/// Stage cut: stages from consecutive kernels of a topological order, the first solution of the exact search.
#pragma once

#include <vector>

#include "models/dataflow/search/stage_instance.hpp"

namespace dfsweep::dataflow {

struct StageCut {
  Ticks slowest = int_infinity;
  std::vector<KernelSet> stages;  ///< empty where no cut holds its data
};

using KernelOrder = std::vector<std::size_t>;

/// Two topological orders: by number, and each kernel as soon as possible after its producers.
[[nodiscard]] std::vector<KernelOrder> stage_orders(const StageInstance& instance);

/// The cut of one of these orders whose slowest stage takes the least time; the first on a tie.
[[nodiscard]] StageCut first_cut(const StageInstance& instance);

}  // namespace dfsweep::dataflow
