/// Assertions on our own code: a macro, because the message names file and line.
#pragma once

#include <stdexcept>
#include <string>

namespace dfsweep {

/// A defect of dfsweep itself (never of the user's input).
class LogicError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void broken_promise(const char* condition, const char* file, int line) {
  throw LogicError(std::string(file) + ":" + std::to_string(line) + ": broken promise: " + condition);
}

}  // namespace dfsweep

/// Checked in every build type, so conditions must be cheap.
#define DFSWEEP_EXPECT(condition) \
  ((condition) ? static_cast<void>(0) : ::dfsweep::broken_promise(#condition, __FILE__, __LINE__))
