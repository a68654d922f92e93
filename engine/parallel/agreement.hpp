/// Agreement: a step that every rank does, whose failure ends all ranks with one message and one exit status.
#pragma once

#include <functional>
#include <optional>

#include "engine/console/exit_status.hpp"
#include "engine/parallel/communicator.hpp"

namespace dfsweep {

/// Collective. Alone, the step is simply done and throws what it throws. As one of many: where it fails on rank 0 that
/// error is printed once and every rank gets its status; where it fails elsewhere only, the failing rank prints its
/// error and ends all ranks. Nothing where the step succeeded everywhere.
[[nodiscard]] std::optional<ExitStatus> agree(Communicator& communicator, const std::function<void()>& step);

/// The same for a step of rank 0 that the others wait for.
[[nodiscard]] std::optional<ExitStatus> agree_on_first(Communicator& communicator, const std::function<void()>& step);

}  // namespace dfsweep
