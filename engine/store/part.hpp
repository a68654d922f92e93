/// Part: one of several invocations that share a run directory.
#pragma once

#include <cstdint>

namespace dfsweep::store {

/// One of several independent invocations that share a run directory (--part i/n): blocks b with b % count == index.
struct Part {
  std::uint32_t index = 0;  ///< from 0
  std::uint32_t count = 1;
};

}  // namespace dfsweep::store
