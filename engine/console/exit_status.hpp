/// The exit statuses of the program.
#pragma once

namespace dfsweep {

enum class ExitStatus : int {
  complete = 0,  ///< everything requested is complete and verified
  internal_error = 1,
  usage = 2,
  invalid_input = 3,  ///< invalid sweep or data file
  foreign_run = 4,    ///< damaged or foreign run directory
  failed_points = 5,  ///< finished, but some points failed
  input_output = 74,
  stopped = 75,  ///< signal, time limit, or a directory that is not ready: run the same command again to resume
};

}  // namespace dfsweep
