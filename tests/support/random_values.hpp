/// RandomValues: numbers and choices for random points of property tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace dfsweep::testing {

class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed) {}

  /// A whole number from `low` to `high`, uniform in its logarithm.
  double whole(double low, double high) {
    return std::floor(std::exp(std::uniform_real_distribution(std::log(low), std::log(high + 1))(random_)));
  }
  double rate(double low, double high) {
    return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random_));
  }
  bool one_in(std::uint64_t n) { return random_() % n == 0; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[random_() % choices.size()];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace dfsweep::testing
