#include "models/queueing/simulation/tally.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace dfsweep::queueing {

namespace {

constexpr std::size_t most_values = 65536;
// Bins: the upper bits of a double, from 2^-40 to 2^24 seconds, 256 for each power of two.
constexpr int dropped_bits = 44;
constexpr std::uint64_t first_bin = std::uint64_t{1023 - 40} << 8;
constexpr std::uint64_t bins = std::uint64_t{64} << 8;

std::size_t bin_of(double seconds) {
  const std::uint64_t bin = std::bit_cast<std::uint64_t>(std::max(seconds, 0.0)) >> dropped_bits;
  return static_cast<std::size_t>(std::clamp(bin, first_bin, first_bin + bins - 1) - first_bin);
}

double lower_edge(std::size_t bin) {
  return std::bit_cast<double>((std::uint64_t{bin} + first_bin) << dropped_bits);
}

}  // namespace

void BatchMeans::add(double value) {
  sums_[full_] += value;
  if (++filled_ < size_) return;
  filled_ = 0;
  if (++full_ < sums_.size()) return;
  for (std::size_t i = 0; i < sums_.size() / 2; ++i) sums_[i] = sums_[2 * i] + sums_[2 * i + 1];
  std::fill(sums_.begin() + sums_.size() / 2, sums_.end(), 0.0);
  full_ = sums_.size() / 2;
  size_ *= 2;
}

double BatchMeans::standard_error() const {
  if (full_ < sums_.size() / 2 || size_ < 2) return 0.0;
  const double n = static_cast<double>(full_);
  double mean = 0.0;
  for (std::size_t i = 0; i < full_; ++i) mean += sums_[i] / n;
  double squares = 0.0;
  for (std::size_t i = 0; i < full_; ++i) squares += (sums_[i] - mean) * (sums_[i] - mean);
  return std::sqrt(squares / (n - 1.0) / n) / static_cast<double>(size_);
}

void TimeTally::spill() {
  counts_.assign(bins, 0);
  for (const double value : values_) ++counts_[bin_of(value)];
  values_ = {};
}

void TimeTally::add(double seconds) {
  ++count_;
  sum_ += seconds;
  batches_.add(seconds);
  if (!counts_.empty()) {
    ++counts_[bin_of(seconds)];
    return;
  }
  values_.push_back(seconds);
  if (values_.size() > most_values) spill();
}

double TimeTally::quantile(double p) {
  // The value at place (count - 1) p of the sorted values, between two neighbours in proportion.
  const double place = p * static_cast<double>(count_ - 1);
  if (counts_.empty()) {
    const auto low = static_cast<std::ptrdiff_t>(place);
    std::nth_element(values_.begin(), values_.begin() + low, values_.end());
    const double at = values_[static_cast<std::size_t>(low)];
    const double share = place - static_cast<double>(low);
    if (share <= 0.0) return at;
    return at + share * (*std::min_element(values_.begin() + low + 1, values_.end()) - at);
  }
  double before = 0.0;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    const auto here = static_cast<double>(counts_[bin]);
    if (before + here > place) {
      const double share = (place - before + 0.5) / here;
      return lower_edge(bin) + std::min(share, 1.0) * (lower_edge(bin + 1) - lower_edge(bin));
    }
    before += here;
  }
  return lower_edge(counts_.size());
}

TimeSummary TimeTally::summary() {
  if (count_ == 0) return {};
  return {sum_ / static_cast<double>(count_), quantile(0.5), quantile(0.9), quantile(0.99), batches_.standard_error()};
}

}  // namespace dfsweep::queueing
