/// NoGrowth: why no row of a result can be used for another sweep.
#pragma once

#include <stdexcept>

namespace dfsweep {

/// what() continues a sentence whose subject is the result, without a full stop.
class NoGrowth : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dfsweep
