/// Quantities in lanes: those of several points at once, as numbers are in `Lanes`.
#pragma once

#include <algorithm>
#include <cstddef>

#include "models/lanes.hpp"
#include "models/units.hpp"

namespace dfsweep {

/// Quantities in lanes.
template <class D, std::size_t N, std::size_t Width>
class QuantityLanes {
 public:
  QuantityLanes() = default;
  DFSWEEP_INLINE explicit QuantityLanes(const Lanes<N, Width>& base_units) : value_{base_units} {}
  DFSWEEP_INLINE explicit(false) QuantityLanes(Quantity<D> all) : value_{all.value()} {}
  [[nodiscard]] const Lanes<N, Width>& value() const { return value_; }
  DFSWEEP_INLINE friend QuantityLanes operator+(const QuantityLanes& a, const QuantityLanes& b) {
    return QuantityLanes{a.value_ + b.value_};
  }
  DFSWEEP_INLINE friend QuantityLanes operator*(const Lanes<N, Width>& a, const QuantityLanes& b) {
    return QuantityLanes{a * b.value_};
  }
  DFSWEEP_INLINE friend QuantityLanes operator/(const QuantityLanes& a, const Lanes<N, Width>& b) {
    return QuantityLanes{a.value_ / b};
  }
  DFSWEEP_INLINE QuantityLanes& operator+=(const QuantityLanes& b) { return *this = *this + b; }
  DFSWEEP_INLINE friend QuantityLanes greater(const QuantityLanes& a, const QuantityLanes& b) {
    return QuantityLanes{greater(a.value_, b.value_)};
  }
  DFSWEEP_INLINE friend QuantityLanes choose(const LaneMask<N, Width>& condition, const QuantityLanes& a,
                                             const QuantityLanes& b) {
    return QuantityLanes{choose(condition, a.value_, b.value_)};
  }

 private:
  Lanes<N, Width> value_;
};

namespace detail {
template <class Single, class Number>
struct InLanes {
  using type = Single;
};
template <std::size_t N, std::size_t Width>
struct InLanes<double, Lanes<N, Width>> {
  using type = Lanes<N, Width>;
};
template <class D, std::size_t N, std::size_t Width>
struct InLanes<Quantity<D>, Lanes<N, Width>> {
  using type = QuantityLanes<D, N, Width>;
};
}  // namespace detail

/// What a quantity or number is in formulas over `Number`: itself, or lanes of it.
template <class Single, class Number>
using InLanes = typename detail::InLanes<Single, Number>::type;
template <class Number>
using SecondsOf = InLanes<Seconds, Number>;

template <class D, std::size_t N, std::size_t Width>
[[nodiscard]] DFSWEEP_INLINE QuantityLanes<D, N, Width> operator*(const Lanes<N, Width>& a, Quantity<D> b) {
  return QuantityLanes<D, N, Width>{a * b.value()};
}
template <class D, std::size_t N, std::size_t Width>
[[nodiscard]] Quantity<D> lane(const QuantityLanes<D, N, Width>& x, std::size_t i) {
  return Quantity<D>{x.value()[i]};
}
/// Products and quotients have the resulting dimension.
template <class A, class B, std::size_t N, std::size_t Width>
[[nodiscard]] DFSWEEP_INLINE auto operator*(const QuantityLanes<A, N, Width>& a, Quantity<B> b) {
  return InLanes<decltype(Quantity<A>{} * b), Lanes<N, Width>>{a.value() * b.value()};
}
template <class A, class B, std::size_t N, std::size_t Width>
[[nodiscard]] DFSWEEP_INLINE auto operator/(const QuantityLanes<A, N, Width>& a, const QuantityLanes<B, N, Width>& b) {
  return InLanes<decltype(Quantity<A>{} / Quantity<B>{}), Lanes<N, Width>>{a.value() / b.value()};
}
template <class D>
[[nodiscard]] Quantity<D> greater(Quantity<D> a, Quantity<D> b) {
  return std::max(a, b);
}
template <class D>
[[nodiscard]] Quantity<D> choose(bool condition, Quantity<D> a, Quantity<D> b) {
  return condition ? a : b;
}

/// The time f(i) in every lane i.
template <class Number, class Function>
[[nodiscard]] SecondsOf<Number> times_by_lane(const Function& f) {
  return SecondsOf<Number>{by_lane<Number>([&](std::size_t i) { return Seconds{f(i)}.value(); })};
}

}  // namespace dfsweep
