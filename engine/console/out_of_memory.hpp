/// What the process does when memory runs out.
#pragma once

namespace dfsweep {

/// From now on, an allocation that fails ends the process with a message and ExitStatus::internal_error. No destructor
/// runs: they and the libraries below need memory themselves. Files are as after a kill, so a run can be resumed. Needs
/// no initialised library.
void end_when_out_of_memory() noexcept;

}  // namespace dfsweep
