/// The threads of this rank: how many there are, and a loop over them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace dfsweep {

class Communicator;

/// Cores that the affinity mask of this process allows; at least 1.
[[nodiscard]] unsigned allowed_cores();

/// Collective: how many threads this rank uses, and what the user should know about it.
struct ThreadChoice {
  unsigned threads = 1;
  std::string warning;  ///< empty where all is well; names the launcher's option that helps
};
/// `asked` of 0 means: the cores of the affinity mask, divided by the ranks that share that mask on this host.
[[nodiscard]] ThreadChoice choose_threads(unsigned asked, Communicator& communicator);

/// Calls body(0) ... body(count - 1) on at most `threads` threads; the first exception is rethrown after all have
/// ended.
void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body);

}  // namespace dfsweep
