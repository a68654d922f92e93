/// ExactCount: a sum of whole numbers that stays exact until a fraction is added to it.
#pragma once

#include <cstdint>

namespace dfsweep::calculon {

/// Sums of FLOP pass 2^53, where a double no longer holds every whole number. Adding a fraction turns the sum into a
/// double; from then on every addition rounds [Calculon, mixed integer and floating sums].
class ExactCount {
 public:
  constexpr ExactCount() = default;
  constexpr explicit ExactCount(std::int64_t whole) : whole_(whole) {}
  [[nodiscard]] static constexpr ExactCount fraction(double real) {
    ExactCount count;
    count.real_ = real;
    count.is_whole_ = false;
    return count;
  }
  /// Rounded once where the sum is exact.
  [[nodiscard]] constexpr double value() const { return is_whole_ ? static_cast<double>(whole_) : real_; }

  constexpr ExactCount& operator+=(const ExactCount& other) {
    if (is_whole_ && other.is_whole_)
      whole_ += other.whole_;
    else
      *this = fraction(value() + other.value());
    return *this;
  }
  friend constexpr ExactCount operator+(ExactCount a, const ExactCount& b) { return a += b; }
  friend constexpr ExactCount operator*(std::int64_t factor, const ExactCount& count) {
    if (!count.is_whole_) return fraction(static_cast<double>(factor) * count.real_);
    ExactCount product;
    product.whole_ = factor * count.whole_;
    return product;
  }

 private:
  __int128 whole_ = 0;
  double real_ = 0.0;
  bool is_whole_ = true;
};

}  // namespace dfsweep::calculon
