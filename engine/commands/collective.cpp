#include "engine/commands/collective.hpp"

#include <cstdio>
#include <exception>
#include <memory>

#include "engine/console/error_report.hpp"
#include "engine/console/usage_error.hpp"

namespace dfsweep {

ExitStatus run_collectively(const std::function<ExitStatus(Communicator&)>& command) {
  if (detect_launch() == Launch::copies)
    throw UsageError("srun started several copies that cannot talk to each other; use srun --mpi=pmix, or mpirun");
  const std::unique_ptr<Communicator> communicator = make_communicator();
  if (communicator->size() == 1) return command(*communicator);
  try {
    return command(*communicator);
  } catch (...) {
    const ErrorReport report = report_of(std::current_exception());
    std::fputs(report.text.c_str(), stderr);
    communicator->abort(static_cast<int>(report.status));
    return report.status;
  }
}

}  // namespace dfsweep
