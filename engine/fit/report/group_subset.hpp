/// The groups that a law is fitted to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dfsweep::fit {

/// "dense", "moe", and "joint" where there are both.
struct GroupSubset {
  std::string name;
  std::vector<std::size_t> groups;  ///< ascending
};

}  // namespace dfsweep::fit
