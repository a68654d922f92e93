/// Collective: what chips do together on the network, and a table with one value for each.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/enum_array.hpp"

namespace dfsweep::dataflow {

enum class Collective : std::uint8_t {
  all_reduce,  ///< partial sums of a kernel that is sharded along k
  all_gather,  ///< shards of a tensor to whole tensors
  all_to_all,  ///< shards along rows to shards along columns, or back
  exchange,    ///< DLRM, FFT: all chips of the machine to all
  gradient,    ///< all-reduce of gradients over the replicas, per step
  broadcast,   ///< HPL: a block column along the rows of the grid of chips
  shift,       ///< HPL: a block column along its columns
  count,
};

template <class Value>
using PerCollective = EnumArray<Collective, Value>;

/// As tables of an explanation call them.
inline constexpr PerCollective<std::string_view> collective_names{
    {"all-reduce", "all-gather", "all-to-all", "exchange over the machine", "gradient all-reduce, per step",
     "broadcast", "shift"}};

}  // namespace dfsweep::dataflow
