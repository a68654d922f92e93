/// ForeignRun and NotReady: run directories that cannot be used at all, or not yet.
#pragma once

#include <stdexcept>

namespace dfsweep {

/// A run directory that is damaged or belongs to another sweep; exit status 4. `what()` names the difference.
class ForeignRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An intact run directory that another process uses, or whose run was stopped before it had a result; exit status 75.
/// `what()` names the process, or the command to resume.
class NotReady : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dfsweep
