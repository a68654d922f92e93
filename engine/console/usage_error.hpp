/// UsageError: an invalid command line; exit status 2.
#pragma once

#include <stdexcept>

namespace dfsweep {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dfsweep
