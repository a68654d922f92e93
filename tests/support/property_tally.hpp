/// PropertyTally: how often properties were tried and failed.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace dfsweep::testing {

/// How often each property was tried and failed, with the first failure.
class PropertyTally {
 public:
  void check(const std::string& property, bool holds, const std::function<std::string()>& example) {
    Count& count = counts_[property];
    ++count.tried;
    if (holds) return;
    if (count.failed++ == 0) count.first = example();
  }
  struct Count {
    long tried = 0;
    long failed = 0;
    std::string first;
  };
  [[nodiscard]] const std::map<std::string, Count>& counts() const { return counts_; }

 private:
  std::map<std::string, Count> counts_;
};

}  // namespace dfsweep::testing
