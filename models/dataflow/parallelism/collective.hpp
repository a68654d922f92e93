/// Collective: kinds of collective communication, and a table with one value for each kind.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/enum_array.hpp"

namespace dfsweep::dataflow {

enum class Collective : std::uint8_t {
  all_reduce,  ///< partial sums of a kernel that is sharded along k
  all_gather,  ///< from shards of a tensor to the whole tensor
  all_to_all,  ///< from shards along rows to shards along columns, or back
  exchange,    ///< DLRM, FFT: all-to-all over the whole machine
  gradient,    ///< all-reduce of gradients over the replicas, per step
  broadcast,   ///< HPL: a block column along the rows of the grid of chips
  shift,       ///< HPL: a block column along the columns of the grid
  count,
};

template <class Value>
using PerCollective = EnumArray<Collective, Value>;

/// Names in explanations.
inline constexpr PerCollective<std::string_view> collective_names{
    {"all-reduce", "all-gather", "all-to-all", "exchange over the machine", "gradient all-reduce, per step",
     "broadcast", "shift"}};

}  // namespace dfsweep::dataflow
