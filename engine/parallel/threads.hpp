/// Threads of this rank: their number, and a parallel loop.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace dfsweep {

class Communicator;

/// Number of cores in the affinity mask of this process; at least 1.
[[nodiscard]] unsigned allowed_cores();

/// Number of threads of this rank, and a warning for the user.
struct ThreadChoice {
  unsigned threads = 1;
  std::string warning;  ///< empty, or names the option of the launcher that fixes the binding
};
/// Collective. `asked`: the value of --threads; 0: the cores of the affinity mask, divided by the ranks on this host
/// that share the mask.
[[nodiscard]] ThreadChoice choose_threads(unsigned asked, Communicator& communicator);

/// Calls body(0) ... body(count - 1) on at most `threads` threads; rethrows the first exception after all have ended.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body);

/// What happens to items that are made one after another, worked on by several threads, and finished in their order.
/// An item is in one of `slots` places from take() to finish(), and alone there.
struct OrderedWork {
  std::function<bool(std::size_t slot)> take;    ///< by one thread at a time, in order; false: there are no more items
  std::function<void(std::size_t slot)> work;    ///< by any thread
  std::function<void(std::size_t slot)> finish;  ///< by one thread at a time, in order
};
/// Rethrows the first exception after all threads have ended. Pre: slots >= 1.
void parallel_in_order(std::size_t slots, unsigned threads, const OrderedWork& items);

}  // namespace dfsweep
