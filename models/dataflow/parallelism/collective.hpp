/// Collective: what chips do together on the network, and a table with one value for each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dfsweep::dataflow {

enum class Collective : std::uint8_t {
  all_reduce,  ///< partial sums of a kernel that is sharded along k
  all_gather,  ///< shards of a tensor to whole tensors
  all_to_all,  ///< shards along rows to shards along columns, or back
  exchange,    ///< DLRM, FFT: all chips of the machine to all
  gradient,    ///< all-reduce of gradients over the replicas, per step
  broadcast,   ///< HPL: a block column along the rows of the grid of chips
  shift,       ///< HPL: a block column along its columns
};
inline constexpr std::size_t collective_count = 7;

/// In the order of Collective; as tables of an explanation call them.
inline constexpr std::array<std::string_view, collective_count> collective_names{
    "all-reduce", "all-gather", "all-to-all", "exchange over the machine", "gradient all-reduce, per step",
    "broadcast",  "shift"};

/// What a kernel causes in every pass, in the order in which times are added.
inline constexpr std::array pass_collectives{Collective::all_reduce, Collective::all_gather, Collective::all_to_all,
                                             Collective::exchange};

template <class Value>
class PerCollective {
 public:
  [[nodiscard]] constexpr Value& operator[](Collective collective) {
    return values_[static_cast<std::size_t>(collective)];
  }
  [[nodiscard]] constexpr const Value& operator[](Collective collective) const {
    return values_[static_cast<std::size_t>(collective)];
  }
  bool operator==(const PerCollective&) const = default;

 private:
  std::array<Value, collective_count> values_{};
};

/// Calls visit(collective) for each, in order.
template <class Visit>
constexpr void for_each_collective(Visit visit) {
  for (std::size_t c = 0; c < collective_count; ++c) visit(static_cast<Collective>(c));
}

}  // namespace dfsweep::dataflow
