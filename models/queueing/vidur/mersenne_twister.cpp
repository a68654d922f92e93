/// The generator MT19937.
#include "models/queueing/vidur/mersenne_twister.hpp"

#include <bit>

namespace dfsweep::vidur {

MersenneTwister::MersenneTwister(std::uint32_t seed) {
  state_[0] = 19650218u;
  for (std::size_t i = 1; i < size; ++i)
    state_[i] = 1812433253u * (state_[i - 1] ^ (state_[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
  std::size_t i = 1;
  const auto step = [&] {
    if (++i < size) return;
    state_[0] = state_[size - 1];
    i = 1;
  };
  for (std::size_t k = 0; k < size; ++k, step())
    state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1664525u)) + seed;
  for (std::size_t k = 1; k < size; ++k, step())
    state_[i] = (state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * 1566083941u)) - static_cast<std::uint32_t>(i);
  state_[0] = 0x80000000u;
}

void MersenneTwister::refill() {
  constexpr std::size_t shift = 397;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t joined = (state_[i] & 0x80000000u) | (state_[(i + 1) % size] & 0x7fffffffu);
    state_[i] = state_[(i + shift) % size] ^ (joined >> 1) ^ ((joined & 1u) != 0 ? 0x9908b0dfu : 0u);
  }
  used_ = 0;
}

std::uint32_t MersenneTwister::next() {
  if (used_ == size) refill();
  std::uint32_t y = state_[used_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

double MersenneTwister::uniform() {
  const std::uint32_t upper = next() >> 5;
  const std::uint32_t lower = next() >> 6;
  return (upper * 67108864.0 + lower) * (1.0 / 9007199254740992.0);
}

std::uint32_t MersenneTwister::below(std::uint32_t bound) {
  const int shift = 32 - static_cast<int>(std::bit_width(bound));
  std::uint32_t drawn = next() >> shift;
  while (drawn >= bound) drawn = next() >> shift;
  return drawn;
}

}  // namespace dfsweep::vidur
