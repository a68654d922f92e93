/// Designs: rows of numbers in [0, 1) that fill the unit cube, at random or evenly; each is computed by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dfsweep {

enum class DesignMethod : std::uint8_t {
  random,           ///< independent uniform numbers
  latin_hypercube,  ///< in every dimension, each of `rows` equal parts of [0, 1) has one row
  sobol,            ///< a Sobol sequence with a random digital shift
};

/// A number u in [0, 1) is the whole number u 2^64.
using UnitFraction = std::uint64_t;

class Design {
 public:
  /// The same arguments give the same numbers; those of a dimension do not depend on the number of dimensions. `rows`
  /// matters to Latin hypercubes only. Pre: rows > 0, dimensions <= most_dimensions.
  Design(DesignMethod method, std::uint64_t rows, std::size_t dimensions, std::uint64_t seed);
  static constexpr std::size_t most_dimensions = 1000;

  /// Latin hypercube: (p(row) + jitter) / rows with a random permutation p and jitter in (0, 1) for each dimension.
  /// Source: [mckay1979]. Sobol: with the direction numbers of [joe-kuo]. Pre: row < rows, dimension < dimensions.
  [[nodiscard]] UnitFraction at(std::uint64_t row, std::size_t dimension) const;

 private:
  DesignMethod method_;
  std::uint64_t rows_;
  std::vector<std::uint64_t> keys_;                    ///< [dimension]
  std::vector<std::vector<UnitFraction>> directions_;  ///< [dimension][bit] of Sobol sequences
};

/// floor(u count): the part of `count` equal ones that holds u.
[[nodiscard]] constexpr std::uint64_t part_of(UnitFraction u, std::uint64_t count) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{u} * count) >> 64);
}

}  // namespace dfsweep
