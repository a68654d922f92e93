/// MersenneTwister: the random numbers of Python's module `random`, from which Vidur draws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dfsweep::vidur {

/// MT19937 with the seeding of Python's random.seed(n): initialisation by the array with the single key n. Source:
/// [mersenne]
class MersenneTwister {
 public:
  explicit MersenneTwister(std::uint32_t seed);

  [[nodiscard]] std::uint32_t next();
  /// random.random(): 53 bits, uniform in [0, 1).
  [[nodiscard]] double uniform();
  /// random.randint(0, bound - 1): the top bits of an output, until they are below the bound. Pre: bound > 0.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound);

 private:
  static constexpr std::size_t size = 624;
  void refill();

  std::array<std::uint32_t, size> state_{};
  std::size_t used_ = size;
};

}  // namespace dfsweep::vidur
