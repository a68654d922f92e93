/// Lanes: several numbers that go through the same formula together, each with the bits that it would have alone.
///
/// A formula is a template over the type of its numbers, and uses the functions below instead of branches on them: of
/// `double` it computes one value, of `Lanes<N>` N, whose operations the processor does side by side. Additions,
/// products, quotients and square roots are rounded lane by lane, so that no result depends on its neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "models/lane_registers.hpp"

namespace dfsweep {

namespace detail {

/// The array of op(a[i], b[i], ...).
template <class Result, class Op, class... Several>
DFSWEEP_INLINE Result each(const Op& op, const Several&... several) {
  Result result;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < result.part.size(); ++i) result.part[i] = op(several.part[i]...);
  return result;
}

}  // namespace detail

/// Which of N lanes fulfil a condition. Pre: `Width`, the lanes of a register, divides N.
template <std::size_t N, std::size_t Width = 2>
struct LaneMask {
  using Register = typename detail::Register<Width>::Mask;
  std::array<Register, N / Width> part{};  ///< all bits of a lane set: fulfilled

  LaneMask() = default;
  DFSWEEP_INLINE explicit(false) LaneMask(bool all) { part.fill(Register{} - (all ? 1 : 0)); }

  DFSWEEP_INLINE friend LaneMask operator&(const LaneMask& a, const LaneMask& b) {
    return detail::each<LaneMask>([](Register x, Register y) { return x & y; }, a, b);
  }
  DFSWEEP_INLINE friend LaneMask operator|(const LaneMask& a, const LaneMask& b) {
    return detail::each<LaneMask>([](Register x, Register y) { return x | y; }, a, b);
  }
  DFSWEEP_INLINE friend LaneMask operator!(const LaneMask& a) {
    return detail::each<LaneMask>([](Register x) { return ~x; }, a);
  }
  /// Whether any lane fulfils it.
  DFSWEEP_INLINE friend bool any(const LaneMask& a) {
    Register some{};
    for (const Register& x : a.part) some |= x;
    return detail::any_of_register(some);
  }
};

/// N numbers. Pre: as of LaneMask.
template <std::size_t N, std::size_t Width = 2>
struct Lanes {
  using Mask = LaneMask<N, Width>;
  using Register = typename detail::Register<Width>::Numbers;
  std::array<Register, N / Width> part{};

  Lanes() = default;
  /// The same number in all lanes.
  DFSWEEP_INLINE explicit(false) Lanes(double x) { part.fill(x - Register{}); }

  [[nodiscard]] double operator[](std::size_t i) const { return part[i / Width][i % Width]; }
  void set(std::size_t i, double x) { part[i / Width][i % Width] = x; }

  DFSWEEP_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](Register x, Register y) { return x + y; }, a, b);
  }
  DFSWEEP_INLINE friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](Register x, Register y) { return x - y; }, a, b);
  }
  DFSWEEP_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](Register x, Register y) { return x * y; }, a, b);
  }
  DFSWEEP_INLINE friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](Register x, Register y) { return x / y; }, a, b);
  }
  DFSWEEP_INLINE Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  DFSWEEP_INLINE Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  DFSWEEP_INLINE Lanes& operator*=(const Lanes& b) { return *this = *this * b; }
  DFSWEEP_INLINE friend Mask operator<(const Lanes& a, const Lanes& b) {
    return detail::each<Mask>([](Register x, Register y) { return detail::less(x, y); }, a, b);
  }
  DFSWEEP_INLINE friend Mask operator<=(const Lanes& a, const Lanes& b) {
    return detail::each<Mask>([](Register x, Register y) { return detail::less_or_equal(x, y); }, a, b);
  }
  DFSWEEP_INLINE friend Mask operator>(const Lanes& a, const Lanes& b) { return b < a; }
  DFSWEEP_INLINE friend Mask operator>=(const Lanes& a, const Lanes& b) { return b <= a; }
  DFSWEEP_INLINE friend Mask operator==(const Lanes& a, const Lanes& b) {
    return detail::each<Mask>([](Register x, Register y) { return detail::equal(x, y); }, a, b);
  }
  DFSWEEP_INLINE friend Mask operator!=(const Lanes& a, const Lanes& b) { return !(a == b); }
  DFSWEEP_INLINE friend Lanes lesser(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](Register x, Register y) { return detail::lesser_numbers(x, y); }, a, b);
  }
  DFSWEEP_INLINE friend Lanes greater(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](Register x, Register y) { return detail::greater_numbers(x, y); }, a, b);
  }
  DFSWEEP_INLINE friend Lanes square_root(const Lanes& a) {
    return detail::each<Lanes>([](Register x) { return detail::root_numbers(x); }, a);
  }
  DFSWEEP_INLINE friend Lanes magnitude(const Lanes& a) {
    return detail::each<Lanes>([](Register x) { return detail::magnitudes(x); }, a);
  }
  DFSWEEP_INLINE friend Lanes choose(const Mask& condition, const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>(
        [](typename Mask::Register c, Register x, Register y) { return detail::chosen_numbers(c, x, y); }, condition, a,
        b);
  }
};

/// The same functions of one number.
[[nodiscard]] DFSWEEP_INLINE double lesser(double a, double b) {
  return std::min(a, b);
}
[[nodiscard]] DFSWEEP_INLINE double greater(double a, double b) {
  return std::max(a, b);
}
[[nodiscard]] DFSWEEP_INLINE double square_root(double a) {
  return std::sqrt(a);
}
[[nodiscard]] DFSWEEP_INLINE double magnitude(double a) {
  return std::abs(a);
}
[[nodiscard]] DFSWEEP_INLINE double choose(bool condition, double a, double b) {
  return condition ? a : b;
}
[[nodiscard]] DFSWEEP_INLINE bool any(bool condition) {
  return condition;
}
/// `x`, but not below `low` and not above `high`. Pre: low <= high.
template <class Number>
[[nodiscard]] DFSWEEP_INLINE Number clamped(const Number& x, std::type_identity_t<Number> low,
                                            std::type_identity_t<Number> high) {
  return choose(x < low, low, choose(high < x, high, x));
}

namespace detail {
template <class Number>
struct MaskOf {
  using type = typename Number::Mask;
};
template <>
struct MaskOf<double> {
  using type = bool;
};
}  // namespace detail

/// Which of the numbers fulfil a condition.
template <class Number>
using MaskOf = typename detail::MaskOf<Number>::type;

template <class Number>
inline constexpr std::size_t lane_count = 1;
template <std::size_t N, std::size_t Width>
inline constexpr std::size_t lane_count<Lanes<N, Width>> = N;

[[nodiscard]] inline double lane(double x, std::size_t) {
  return x;
}
template <std::size_t N, std::size_t Width>
[[nodiscard]] double lane(const Lanes<N, Width>& x, std::size_t i) {
  return x[i];
}

/// The number f(i) in every lane i, for functions that know nothing of lanes.
template <class Number, class Function>
[[nodiscard]] Number by_lane(const Function& f) {
  if constexpr (lane_count<Number> == 1) {
    return f(0);
  } else {
    Number result;
    for (std::size_t i = 0; i < lane_count<Number>; ++i) result.set(i, f(i));
    return result;
  }
}

/// Stores the first `count` lanes from `to` on. Pre: count <= N.
template <std::size_t N, std::size_t Width>
DFSWEEP_INLINE void write_lanes(const Lanes<N, Width>& x, std::size_t count, double* to) {
  if (count == N)
    std::memcpy(to, &x, sizeof x);
  else
    for (std::size_t i = 0; i < count; ++i) to[i] = x[i];
}
/// Lanes of the numbers from `from` on, of which there are `count`; the last one is in the lanes beyond them. Pre:
/// count > 0.
template <class Number>
[[nodiscard]] Number read_lanes(const double* from, std::size_t count) {
  constexpr std::size_t lanes = lane_count<Number>;
  if constexpr (lanes == 1) {
    return *from;
  } else {
    if (count < lanes) return by_lane<Number>([&](std::size_t i) { return from[std::min(i, count - 1)]; });
    Number all;
    std::memcpy(all.part.data(), from, sizeof all.part);
    return all;
  }
}

}  // namespace dfsweep
