/// Collective error handling.
#include "engine/parallel/agreement.hpp"

#include <array>
#include <cstdio>

#include "engine/console/error_report.hpp"

namespace dfsweep {

std::optional<ExitStatus> agree(Communicator& communicator, const std::function<void()>& step) {
  if (communicator.size() == 1) {
    step();
    return std::nullopt;
  }
  std::optional<ErrorReport> failure;
  try {
    step();
  } catch (...) {
    failure = report_of(std::current_exception());
  }
  const bool is_first = communicator.rank() == 0;
  std::array<std::uint64_t, 2> failed = {};  // [0] exit status of rank 0, [1] number of other ranks that failed
  if (failure) failed[is_first ? 0 : 1] = is_first ? static_cast<std::uint64_t>(failure->status) : 1;
  communicator.sum(failed);
  const bool reports = failure && (is_first || failed[0] == 0);
  if (reports) std::fputs(failure->text.c_str(), stderr);
  if (failed[0] != 0) return static_cast<ExitStatus>(failed[0]);
  if (failure) communicator.abort(static_cast<int>(failure->status));
  if (failed[1] != 0) communicator.barrier();  // wait until the failing rank aborts this one
  return std::nullopt;
}

std::optional<ExitStatus> agree_on_first(Communicator& communicator, const std::function<void()>& step) {
  return agree(
      communicator, communicator.rank() == 0 ? step : [] {});
}

}  // namespace dfsweep
