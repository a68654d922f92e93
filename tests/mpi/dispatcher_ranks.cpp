/// Under mpirun with any number of ranks: every block is handed out exactly once, and everything that is sent arrives.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/parallel/communicator.hpp"
#include "engine/run/dispatcher.hpp"

namespace {

using namespace dfsweep;

constexpr BlockId block_count = 2000;

struct Received {
  std::mutex mutex;
  Tally tally;
  std::size_t results = 0;
  std::size_t result_bytes = 0;
};

int fail(std::string_view what) {
  std::fprintf(stderr, "FAILED: %.*s\n", static_cast<int>(what.size()), what.data());
  return 1;
}

/// Blocks handed out to this rank, in order; closes the dispatcher after `close_after` of them on the last rank.
std::vector<BlockId> work(Communicator& ranks, Received& received, std::size_t close_after,
                          std::chrono::microseconds cost) {
  std::vector<BlockId> todo(ranks.rank() == 0 ? block_count : 0);
  std::iota(todo.begin(), todo.end(), BlockId{0});
  Dispatcher dispatcher(ranks, todo,
                        {.tally =
                             [&](const Tally& tally) {
                               const std::lock_guard lock(received.mutex);
                               received.tally.add(tally);
                               return Dispatch::proceed;
                             },
                         .result =
                             [&](const std::vector<std::byte>& result) {
                               const std::lock_guard lock(received.mutex);
                               ++received.results;
                               received.result_bytes += result.size();
                             }});
  std::vector<BlockId> mine;
  while (const auto block = dispatcher.next([] { return false; })) {
    mine.push_back(*block);
    std::this_thread::sleep_for(cost);
    dispatcher.note({*block, std::chrono::duration<double>(cost).count()});
    Tally tally;
    tally.blocks = 1;
    dispatcher.report(tally);
    if (*block % 16 == 0) dispatcher.deliver(std::vector<std::byte>(100000));  // larger than an eager message
    if (ranks.rank() + 1 == ranks.size() && mine.size() == close_after) dispatcher.close();
  }
  dispatcher.finish();
  return mine;
}

int check_all_handed_out_once(Communicator& ranks) {
  Received received;
  const std::vector<BlockId> mine = work(ranks, received, block_count + 1, std::chrono::microseconds(50));
  std::vector<std::uint64_t> times(block_count);
  for (const BlockId block : mine) ++times[block];
  ranks.sum(times);
  for (const std::uint64_t count : times)
    if (count != 1) return fail("a block was handed out more than once or not at all");
  if (ranks.rank() != 0) return 0;
  if (received.tally.blocks != block_count) return fail("a tally is lost");
  if (received.results != block_count / 16 || received.result_bytes != 100000 * received.results)
    return fail("a result is lost");
  return 0;
}

int check_close_stops_all(Communicator& ranks) {
  Received received;
  const std::vector<BlockId> mine = work(ranks, received, 5, std::chrono::microseconds(1000));
  std::uint64_t sum[] = {mine.size()};
  ranks.sum(sum);
  return ranks.size() > 1 && sum[0] >= block_count ? fail("close() on one rank did not stop the others") : 0;
}

}  // namespace

int main() {
  const std::unique_ptr<Communicator> ranks = make_communicator();
  std::uint64_t failed[] = {0};
  failed[0] += static_cast<std::uint64_t>(check_all_handed_out_once(*ranks));
  failed[0] += static_cast<std::uint64_t>(check_close_stops_all(*ranks));
  ranks->sum(failed);
  return failed[0] == 0 ? 0 : 1;
}
