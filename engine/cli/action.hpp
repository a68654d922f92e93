/// Action: what the program does once its arguments are read.
#pragma once

#include <functional>

#include "engine/console/exit_status.hpp"

namespace dfsweep {

using Action = std::function<ExitStatus()>;

}  // namespace dfsweep
