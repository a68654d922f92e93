/// Agreement: a step of all ranks; if it fails on any rank, all ranks end with one message and one exit status.
#pragma once

#include <functional>
#include <optional>

#include "engine/console/exit_status.hpp"
#include "engine/parallel/communicator.hpp"

namespace dfsweep {

/// Collective. Runs `step` on every rank. Returns nothing if it succeeded everywhere. If it throws on rank 0, the error
/// is printed once and every rank gets its exit status. If it throws on other ranks only, the failing rank prints its
/// error and aborts all ranks. With a single rank, exceptions propagate.
[[nodiscard]] std::optional<ExitStatus> agree(Communicator& communicator, const std::function<void()>& step);

/// The same for a step that only rank 0 runs.
[[nodiscard]] std::optional<ExitStatus> agree_on_first(Communicator& communicator, const std::function<void()>& step);

}  // namespace dfsweep
