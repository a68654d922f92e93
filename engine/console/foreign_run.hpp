/// ForeignRun and NotReady: run directories that cannot be used, ever or yet.
#pragma once

#include <stdexcept>

namespace dfsweep {

/// A run directory that is damaged, or holds another sweep; exit status 4. `what()` says what differs.
class ForeignRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A sound run directory that another process works in, or whose run was stopped before it had a result; exit status
/// 75. `what()` says who works there, or which command continues.
class NotReady : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dfsweep
