/// Part: one of several independent runs that share a run directory.
#pragma once

#include <cstdint>

namespace dfsweep::store {

/// Part i of n (--part i/n) evaluates the blocks b with b % count == index.
struct Part {
  std::uint32_t index = 0;  ///< from 0
  std::uint32_t count = 1;  ///< 1: the whole run
};

}  // namespace dfsweep::store
