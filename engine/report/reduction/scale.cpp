/// Bins are found by a guess that costs one multiplication and is put right by comparing with their edges.
#include "engine/report/reduction/scale.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/absent.hpp"

namespace dfsweep::report {

namespace {

constexpr double worth_a_log = 8.0;

/// Ascending in positive numbers, and within 9 % of an octave of their binary logarithm.
double rough_logarithm(double value) {
  constexpr double mantissas = 4503599627370496.0;  // 2^52
  return static_cast<double>(std::bit_cast<std::int64_t>(value)) / mantissas;
}

}  // namespace

Scale scale_of(double least, double most) {
  if (!is_given(least)) return {Scale::Kind::linear, absent, absent};
  const bool is_log = least > 0.0 && most > worth_a_log * least;
  return {is_log ? Scale::Kind::log : Scale::Kind::linear, least, most};
}

std::uint16_t Scale::code(double value) const {
  constexpr double most = 65534.0;
  if (!(value >= low && value <= high)) return missing_code;
  if (high == low) return 0;
  const double share = kind == Kind::log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return static_cast<std::uint16_t>(std::lround(std::clamp(share, 0.0, 1.0) * most));
}

Histogram::Histogram(const Scale& scale) : scale_(scale) {
  for (std::size_t i = 0; i <= bin_count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(bin_count);
    edges_[i] = scale.kind == Scale::Kind::log ? scale.low * std::pow(scale.high / scale.low, share)
                                               : scale.low + (scale.high - scale.low) * share;
  }
  edges_.front() = scale.low;
  edges_.back() = scale.high;
  const bool is_log = scale.kind == Scale::Kind::log;
  low_key_ = is_log ? rough_logarithm(scale.low) : scale.low;
  const double span = (is_log ? rough_logarithm(scale.high) : scale.high) - low_key_;
  bins_per_key_ = span > 0.0 ? static_cast<double>(bin_count) / span : 0.0;
}

std::size_t Histogram::guess(double value) const {
  const double key = scale_.kind == Scale::Kind::log ? rough_logarithm(value) : value;
  return std::min(static_cast<std::size_t>((key - low_key_) * bins_per_key_), bin_count - 1);
}

void Histogram::add(double value) {
  if (!(value >= scale_.low && value <= scale_.high)) return;
  std::size_t bin = guess(value);
  while (bin > 0 && value < edges_[bin]) --bin;
  while (bin + 1 < bin_count && value >= edges_[bin + 1]) ++bin;
  ++counts_[bin];
}

void Histogram::join(const Histogram& other) {
  for (std::size_t i = 0; i < bin_count; ++i) counts_[i] += other.counts_[i];
}

}  // namespace dfsweep::report
