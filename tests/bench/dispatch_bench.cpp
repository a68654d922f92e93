/// Dynamic against static distribution of blocks whose costs differ by 10^4; run it under mpirun with several ranks.
///
/// A rank sleeps for the cost of a block instead of computing, so that the figures describe the mechanism and do not
/// depend on the number of cores. The program prints the ratio of the time of each distribution to the ideal time: the
/// total cost divided by the ranks, or the cost of the most expensive block if that is greater.
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
constexpr double expensive_factor = 1e4;
constexpr double seconds_of_expensive_blocks = 8.0;

std::uint64_t hash(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

/// Expensive blocks are clustered, as they are on a grid whose slowest axis decides the cost.
double cost(BlockId block) {
  constexpr auto expensive_count =
      static_cast<BlockId>(seconds_of_expensive_blocks / (cheap_seconds * expensive_factor));
  const bool is_expensive = block / 100 == 3 && hash(block) % 100 < expensive_count;
  return is_expensive ? cheap_seconds * expensive_factor : cheap_seconds;
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
    while (const auto block = dispatcher.next([] { return false; })) {
      spend(cost(*block));
      dispatcher.note({*block, cost(*block)});
    }
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
  double most_expensive = 0.0;
  BlockId expensive = 0;
  for (BlockId block = 0; block < block_count; ++block) {
    total += cost(block);
    most_expensive = std::max(most_expensive, cost(block));
    expensive += cost(block) > cheap_seconds ? 1U : 0U;
  }
  const double ideal = std::max(total / ranks->size(), most_expensive);
  std::printf("dispatch: %u ranks, %u blocks, %u of them 10^4 times as expensive, ideal %.2f s\n", ranks->size(),
              block_count, expensive, ideal);
  std::printf("  dynamic           %6.2f s  %5.2f x ideal\n", dynamic, dynamic / ideal);
  std::printf("  static, chunks    %6.2f s  %5.2f x ideal\n", chunked, chunked / ideal);
  std::printf("  static, cyclic    %6.2f s  %5.2f x ideal\n", cyclic, cyclic / ideal);
  std::printf("  static chunks / dynamic: %.2f\n", chunked / dynamic);
}
