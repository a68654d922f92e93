/// Lanes: several numbers that go through the same formula together, each with the bits that it would have alone.
///
/// A formula is a template over the type of its numbers, and uses the functions below instead of branches on them: of
/// `double` it computes one value, of `Lanes<N>` N, whose operations the processor does side by side. Additions,
/// products, quotients and square roots are rounded lane by lane, so that no result depends on its neighbours.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace dfsweep {

// Functions of a few instructions, which compilers else call where a formula has many of them.
#define DFSWEEP_INLINE [[gnu::always_inline]] inline

namespace detail {

/// What one instruction of every 64-bit processor works on.
using NumberPair __attribute__((vector_size(16))) = double;
using MaskPair = decltype(NumberPair{} < NumberPair{});

#if defined(__SSE2__)
// By name, because GCC 12 breaks off where it has merged many comparisons of vectors.
DFSWEEP_INLINE MaskPair less(NumberPair x, NumberPair y) {
  return std::bit_cast<MaskPair>(_mm_cmplt_pd(x, y));
}
DFSWEEP_INLINE MaskPair less_or_equal(NumberPair x, NumberPair y) {
  return std::bit_cast<MaskPair>(_mm_cmple_pd(x, y));
}
DFSWEEP_INLINE MaskPair equal(NumberPair x, NumberPair y) {
  return std::bit_cast<MaskPair>(_mm_cmpeq_pd(x, y));
}
DFSWEEP_INLINE NumberPair lesser_pair(NumberPair x, NumberPair y) {
  return _mm_min_pd(y, x);  // y < x ? y : x
}
DFSWEEP_INLINE NumberPair greater_pair(NumberPair x, NumberPair y) {
  return _mm_max_pd(y, x);  // y > x ? y : x
}
DFSWEEP_INLINE NumberPair root_pair(NumberPair x) {
  return _mm_sqrt_pd(x);
}
#else
DFSWEEP_INLINE MaskPair less(NumberPair x, NumberPair y) {
  return x < y;
}
DFSWEEP_INLINE MaskPair less_or_equal(NumberPair x, NumberPair y) {
  return x <= y;
}
DFSWEEP_INLINE MaskPair equal(NumberPair x, NumberPair y) {
  return x == y;
}
DFSWEEP_INLINE NumberPair lesser_pair(NumberPair x, NumberPair y) {
  return y < x ? y : x;
}
DFSWEEP_INLINE NumberPair greater_pair(NumberPair x, NumberPair y) {
  return x < y ? y : x;
}
DFSWEEP_INLINE NumberPair root_pair(NumberPair x) {
  return NumberPair{std::sqrt(x[0]), std::sqrt(x[1])};
}
#endif

/// The bits of `a` or of `b`.
DFSWEEP_INLINE NumberPair chosen_pair(MaskPair condition, NumberPair a, NumberPair b) {
  return std::bit_cast<NumberPair>((condition & std::bit_cast<MaskPair>(a)) |
                                   (~condition & std::bit_cast<MaskPair>(b)));
}
DFSWEEP_INLINE NumberPair magnitude_pair(NumberPair x) {
  constexpr long long all_but_sign = 0x7FFFFFFFFFFFFFFF;
  return std::bit_cast<NumberPair>(std::bit_cast<MaskPair>(x) & all_but_sign);
}

/// The array of op(a[i], b[i], ...).
template <class Result, class Op, class... Pairs>
DFSWEEP_INLINE Result each(const Op& op, const Pairs&... pairs) {
  Result result;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < result.pair.size(); ++i) result.pair[i] = op(pairs.pair[i]...);
  return result;
}

}  // namespace detail

/// Which of N lanes fulfil a condition. Pre: N is even.
template <std::size_t N>
struct LaneMask {
  std::array<detail::MaskPair, N / 2> pair{};  ///< all bits of a lane set: fulfilled

  LaneMask() = default;
  DFSWEEP_INLINE explicit(false) LaneMask(bool all) { pair.fill(detail::MaskPair{} - (all ? 1 : 0)); }

  DFSWEEP_INLINE friend LaneMask operator&(const LaneMask& a, const LaneMask& b) {
    return detail::each<LaneMask>([](auto x, auto y) { return x & y; }, a, b);
  }
  DFSWEEP_INLINE friend LaneMask operator|(const LaneMask& a, const LaneMask& b) {
    return detail::each<LaneMask>([](auto x, auto y) { return x | y; }, a, b);
  }
  DFSWEEP_INLINE friend LaneMask operator!(const LaneMask& a) {
    return detail::each<LaneMask>([](auto x) { return ~x; }, a);
  }
  /// Whether any lane fulfils it.
  DFSWEEP_INLINE friend bool any(const LaneMask& a) {
    detail::MaskPair some{};
    for (const detail::MaskPair& x : a.pair) some |= x;
    return (some[0] | some[1]) != 0;
  }
};

/// N numbers. Pre: N is even.
template <std::size_t N>
struct Lanes {
  using Mask = LaneMask<N>;
  std::array<detail::NumberPair, N / 2> pair{};

  Lanes() = default;
  /// The same number in all lanes.
  DFSWEEP_INLINE explicit(false) Lanes(double x) { pair.fill(detail::NumberPair{x, x}); }

  [[nodiscard]] double operator[](std::size_t i) const { return pair[i / 2][i % 2]; }
  void set(std::size_t i, double x) { pair[i / 2][i % 2] = x; }

  DFSWEEP_INLINE friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](auto x, auto y) { return x + y; }, a, b);
  }
  DFSWEEP_INLINE friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](auto x, auto y) { return x - y; }, a, b);
  }
  DFSWEEP_INLINE friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](auto x, auto y) { return x * y; }, a, b);
  }
  DFSWEEP_INLINE friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>([](auto x, auto y) { return x / y; }, a, b);
  }
  DFSWEEP_INLINE Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  DFSWEEP_INLINE Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  DFSWEEP_INLINE Lanes& operator*=(const Lanes& b) { return *this = *this * b; }
  DFSWEEP_INLINE friend Mask operator<(const Lanes& a, const Lanes& b) {
    return detail::each<Mask>(detail::less, a, b);
  }
  DFSWEEP_INLINE friend Mask operator<=(const Lanes& a, const Lanes& b) {
    return detail::each<Mask>(detail::less_or_equal, a, b);
  }
  DFSWEEP_INLINE friend Mask operator>(const Lanes& a, const Lanes& b) { return b < a; }
  DFSWEEP_INLINE friend Mask operator>=(const Lanes& a, const Lanes& b) { return b <= a; }
  DFSWEEP_INLINE friend Mask operator==(const Lanes& a, const Lanes& b) {
    return detail::each<Mask>(detail::equal, a, b);
  }
  DFSWEEP_INLINE friend Mask operator!=(const Lanes& a, const Lanes& b) { return !(a == b); }
  DFSWEEP_INLINE friend Lanes lesser(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>(detail::lesser_pair, a, b);
  }
  DFSWEEP_INLINE friend Lanes greater(const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>(detail::greater_pair, a, b);
  }
  DFSWEEP_INLINE friend Lanes square_root(const Lanes& a) { return detail::each<Lanes>(detail::root_pair, a); }
  DFSWEEP_INLINE friend Lanes magnitude(const Lanes& a) { return detail::each<Lanes>(detail::magnitude_pair, a); }
  DFSWEEP_INLINE friend Lanes choose(const Mask& condition, const Lanes& a, const Lanes& b) {
    return detail::each<Lanes>(detail::chosen_pair, condition, a, b);
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
template <std::size_t N>
inline constexpr std::size_t lane_count<Lanes<N>> = N;

[[nodiscard]] inline double lane(double x, std::size_t) {
  return x;
}
template <std::size_t N>
[[nodiscard]] double lane(const Lanes<N>& x, std::size_t i) {
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
template <std::size_t N>
DFSWEEP_INLINE void write_lanes(const Lanes<N>& x, std::size_t count, double* to) {
  if (count == N)
    std::memcpy(to, &x, sizeof x);
  else
    for (std::size_t i = 0; i < count; ++i) to[i] = x[i];
}
/// Lanes of the numbers from `from` on, of which there are `count`; the last one is in the lanes beyond them. Pre:
/// count > 0.
template <class Number>
[[nodiscard]] Number read_lanes(const double* from, std::size_t count) {
  return by_lane<Number>([&](std::size_t i) { return from[std::min(i, count - 1)]; });
}

}  // namespace dfsweep
