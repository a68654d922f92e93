/// Scale: a range of a metric, linear or logarithmic; its bins, and its codes of 16 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dfsweep::report {

inline constexpr std::size_t bin_count = 48;
inline constexpr std::uint16_t missing_code = 65535;

struct Scale {
  enum class Kind : std::uint8_t { linear, log };
  Kind kind = Kind::linear;
  double low = 0.0;
  double high = 0.0;
  /// 0 ... 65534 over the range, its ends included; NaN and numbers outside: missing_code.
  [[nodiscard]] std::uint16_t code(double value) const;
};

/// Logarithmic where all values are positive and differ by more than a factor of 8. NaN: no values.
[[nodiscard]] Scale scale_of(double least, double most);

/// Counts numbers in bins of equal width on the scale.
class Histogram {
 public:
  explicit Histogram(const Scale& scale);
  [[nodiscard]] const Scale& scale() const { return scale_; }
  /// NaN, and numbers outside the range, do not count.
  void add(double value);
  void join(const Histogram& other);
  void clear() { counts_.fill(0); }
  [[nodiscard]] std::span<const std::uint64_t> counts() const { return counts_; }

 private:
  /// Near the bin of a value of the range, never above the last one.
  [[nodiscard]] std::size_t guess(double value) const;

  Scale scale_;
  double low_key_ = 0.0;
  double bins_per_key_ = 0.0;
  std::array<double, bin_count + 1> edges_{};
  std::array<std::uint64_t, bin_count> counts_{};
};

}  // namespace dfsweep::report
