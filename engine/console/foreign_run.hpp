/// ForeignRun: a run directory that cannot be used.
#pragma once

#include <stdexcept>

namespace dfsweep {

/// A run directory that is damaged, or holds another sweep; exit status 4. `what()` says what differs.
class ForeignRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dfsweep
