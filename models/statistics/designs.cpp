#include "models/statistics/designs.hpp"

#include <algorithm>
#include <limits>

#include <boost/random/sobol.hpp>

#include "models/expect.hpp"
#include "models/statistics/permutation.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

namespace {

constexpr std::size_t sequence_bits = 40;  ///< of the longest Sobol sequence

/// [dimension][bit] Direction numbers v_k: row n of the sequence is the sum modulo 2 of the v_k of the bits k of the
/// Gray code of n. Source: [joe-kuo]
std::vector<std::vector<UnitFraction>> sobol_directions(std::size_t dimensions) {
  std::vector<std::vector<UnitFraction>> directions(dimensions, std::vector<UnitFraction>(sequence_bits));
  for (std::size_t k = 0; k < sequence_bits; ++k) {
    boost::random::sobol sequence(dimensions);  // its first row is row 1
    sequence.discard(((std::uint64_t{1} << k) - 1) * dimensions);
    for (std::size_t d = 0; d < dimensions; ++d)
      directions[d][k] = sequence() ^ (k > 0 ? directions[d][k - 1] : 0);  // the Gray code of 2^k has bits k and k - 1
  }
  return directions;
}

UnitFraction sobol_number(const std::vector<UnitFraction>& directions, std::uint64_t row) {
  UnitFraction sum = 0;
  std::size_t bit = 0;
  for (std::uint64_t gray = row ^ (row >> 1); gray != 0; gray >>= 1, ++bit)
    if ((gray & 1) != 0) sum ^= directions[bit];
  return sum;
}

/// (part + jitter) / parts. The jitter stays away from the ends of the part, so that rounding cannot leave it.
UnitFraction within_part(std::uint64_t part, std::uint64_t parts, std::uint64_t jitter) {
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t inside = std::clamp(jitter, parts, std::numeric_limits<std::uint64_t>::max() - parts);
  return static_cast<UnitFraction>(((Wide{part} << 64) + inside) / parts);
}

}  // namespace

Design::Design(DesignMethod method, std::uint64_t rows, std::size_t dimensions, std::uint64_t seed)
    : method_(method), rows_(rows) {
  DFSWEEP_EXPECT(rows > 0 && rows >> sequence_bits == 0 && dimensions <= most_dimensions);
  const CounterRandom random(seed);
  for (std::size_t d = 0; d < dimensions; ++d) keys_.push_back(random.at(d));
  if (method == DesignMethod::sobol && dimensions > 0) directions_ = sobol_directions(dimensions);
}

UnitFraction Design::at(std::uint64_t row, std::size_t dimension) const {
  DFSWEEP_EXPECT(dimension < keys_.size());
  const std::uint64_t key = keys_[dimension];
  switch (method_) {
    case DesignMethod::random:
      return random_bits(key, row);
    case DesignMethod::latin_hypercube:
      return within_part(KeyedPermutation(rows_, key)(row), rows_, random_bits(~key, row));
    case DesignMethod::sobol:
      return sobol_number(directions_[dimension], row) ^ key;
  }
  return 0;
}

}  // namespace dfsweep
