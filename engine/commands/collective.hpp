/// Collective: starts a command alone or as one of many ranks, and ends all ranks where one of them cannot go on.
#pragma once

#include <functional>

#include "engine/console/exit_status.hpp"
#include "engine/parallel/communicator.hpp"

namespace dfsweep {

/// Calls `command` with the communicator of this process.
///
/// Alone, what it throws is thrown on. As one of many ranks, an exception is printed and ends all ranks with its exit
/// status. Throws UsageError where a launcher started copies that cannot talk to each other.
[[nodiscard]] ExitStatus run_collectively(const std::function<ExitStatus(Communicator&)>& command);

}  // namespace dfsweep
