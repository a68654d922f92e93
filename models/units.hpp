/// Quantities: doubles in base SI units with compile-time dimensions.
#pragma once

namespace dfsweep {

/// Exponents of the base units second, byte, FLOP, joule and US dollar.
template <int Second, int Byte, int Flop, int Joule, int Dollar>
struct Dimension {};

template <class D>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double base_units) : value_{base_units} {}
  /// The number in base units (s, B, FLOP, J, USD and their products).
  [[nodiscard]] constexpr double value() const { return value_; }

  // Single operators, because a three-way comparison of doubles adds a NaN test to every formula.
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Quantity a, Quantity b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.value_ < b.value_; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.value_ > b.value_; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.value_ >= b.value_; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{a.value_ + b.value_}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{a.value_ - b.value_}; }
  friend constexpr Quantity operator*(double a, Quantity b) { return Quantity{a * b.value_}; }
  friend constexpr Quantity operator*(Quantity a, double b) { return Quantity{a.value_ * b}; }
  friend constexpr Quantity operator/(Quantity a, double b) { return Quantity{a.value_ / b}; }
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }

 private:
  double value_ = 0.0;
};

namespace detail {
template <class D>
struct Collapsed {
  using type = Quantity<D>;
};
template <>
struct Collapsed<Dimension<0, 0, 0, 0, 0>> {
  using type = double;
};
}  // namespace detail

/// Products and quotients have the resulting dimension; a dimensionless result is a plain double.
template <int S1, int B1, int F1, int J1, int D1, int S2, int B2, int F2, int J2, int D2>
constexpr auto operator/(Quantity<Dimension<S1, B1, F1, J1, D1>> a, Quantity<Dimension<S2, B2, F2, J2, D2>> b) {
  using Result = Dimension<S1 - S2, B1 - B2, F1 - F2, J1 - J2, D1 - D2>;
  return typename detail::Collapsed<Result>::type{a.value() / b.value()};
}
template <int S1, int B1, int F1, int J1, int D1, int S2, int B2, int F2, int J2, int D2>
constexpr auto operator*(Quantity<Dimension<S1, B1, F1, J1, D1>> a, Quantity<Dimension<S2, B2, F2, J2, D2>> b) {
  using Result = Dimension<S1 + S2, B1 + B2, F1 + F2, J1 + J2, D1 + D2>;
  return typename detail::Collapsed<Result>::type{a.value() * b.value()};
}

/// A number divided by a quantity.
template <int S, int B, int F, int J, int D>
constexpr auto operator/(double a, Quantity<Dimension<S, B, F, J, D>> b) {
  return Quantity<Dimension<-S, -B, -F, -J, -D>>{a / b.value()};
}

using Seconds = Quantity<Dimension<1, 0, 0, 0, 0>>;
using Bytes = Quantity<Dimension<0, 1, 0, 0, 0>>;
using Flop = Quantity<Dimension<0, 0, 1, 0, 0>>;
using Joules = Quantity<Dimension<0, 0, 0, 1, 0>>;
using Dollars = Quantity<Dimension<0, 0, 0, 0, 1>>;
using Bandwidth = Quantity<Dimension<-1, 1, 0, 0, 0>>;          ///< B/s
using Throughput = Quantity<Dimension<-1, 0, 1, 0, 0>>;         ///< FLOP/s
using Watts = Quantity<Dimension<-1, 0, 0, 1, 0>>;              ///< J/s
using Frequency = Quantity<Dimension<-1, 0, 0, 0, 0>>;          ///< Hz
using SecondsPerFlop = Quantity<Dimension<1, 0, -1, 0, 0>>;     ///< inverse throughput
using SecondsPerByte = Quantity<Dimension<1, -1, 0, 0, 0>>;     ///< inverse bandwidth, the "ratio" of collectives
using PricePerBandwidth = Quantity<Dimension<1, -1, 0, 0, 1>>;  ///< USD/(B/s)
using PowerPerBandwidth = Quantity<Dimension<0, -1, 0, 1, 0>>;  ///< W/(B/s)

static_assert(sizeof(Bytes) == sizeof(double));

}  // namespace dfsweep
