/// Dynamic against static distribution of blocks whose costs differ by 10^4; run it under mpirun with several ranks.
///
/// A block's cost is slept, not computed, so that the figures are those of the mechanism and not of the number of
/// cores. Prints the time of each distribution over the ideal one (total cost / ranks, or the dearest block where that
/// is more).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/parallel/communicator.hpp"
#include "engine/run/dispatcher.hpp"

namespace {

using namespace dfsweep;
using Clock = std::chrono::steady_clock;

constexpr BlockId block_count = 4000;
constexpr double cheap_seconds = 50e-6;
constexpr double dear_factor = 1e4;
constexpr double seconds_of_dear_blocks = 8.0;

std::uint64_t hash(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

/// Dear blocks are clustered, as they are on a grid whose slow axis decides the cost.
double cost(BlockId block) {
  constexpr auto dear_count = static_cast<BlockId>(seconds_of_dear_blocks / (cheap_seconds * dear_factor));
  const bool is_dear = block / 100 == 3 && hash(block) % 100 < dear_count;
  return is_dear ? cheap_seconds * dear_factor : cheap_seconds;
}

void spend(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Seconds from the start of all ranks to the end of the last.
template <class Work>
double makespan(Communicator& ranks, const Work& work) {
  ranks.barrier();
  const auto start = Clock::now();
  work();
  ranks.barrier();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

int main() {
  const std::unique_ptr<Communicator> ranks = make_communicator();
  const double dynamic = makespan(*ranks, [&] {
    std::vector<BlockId> todo(ranks->rank() == 0 ? block_count : 0);
    std::iota(todo.begin(), todo.end(), BlockId{0});
    Dispatcher dispatcher(*ranks, todo,
                          {.tally = [](const Tally&) { return Dispatch::proceed; }, .result = [](const auto&) {}});
    while (const auto block = dispatcher.next([] { return false; })) spend(cost(*block));
    dispatcher.finish();
  });
  const double chunked = makespan(*ranks, [&] {
    const BlockId share = (block_count + ranks->size() - 1) / ranks->size();
    const BlockId end = std::min(block_count, (ranks->rank() + 1) * share);
    for (BlockId block = ranks->rank() * share; block < end; ++block) spend(cost(block));
  });
  const double cyclic = makespan(*ranks, [&] {
    for (BlockId block = ranks->rank(); block < block_count; block += ranks->size()) spend(cost(block));
  });
  if (ranks->rank() != 0) return 0;
  double total = 0.0;
  double dearest = 0.0;
  BlockId dear = 0;
  for (BlockId block = 0; block < block_count; ++block) {
    total += cost(block);
    dearest = std::max(dearest, cost(block));
    dear += cost(block) > cheap_seconds ? 1U : 0U;
  }
  const double ideal = std::max(total / ranks->size(), dearest);
  std::printf("dispatch: %u ranks, %u blocks, %u of them 10^4 times as dear, ideal %.2f s\n", ranks->size(),
              block_count, dear, ideal);
  std::printf("  dynamic           %6.2f s  %5.2f x ideal\n", dynamic, dynamic / ideal);
  std::printf("  static, chunks    %6.2f s  %5.2f x ideal\n", chunked, chunked / ideal);
  std::printf("  static, cyclic    %6.2f s  %5.2f x ideal\n", cyclic, cyclic / ideal);
  std::printf("  static chunks / dynamic: %.2f\n", chunked / dynamic);
}
