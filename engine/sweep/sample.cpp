#include "engine/sweep/sample.hpp"

#include <algorithm>
#include <cmath>

#include "models/expect.hpp"
#include "models/statistics/random.hpp"

namespace dfsweep {

std::uint64_t key_of(const Sample& sample, SampleStream stream) {
  return CounterRandom(sample.seed).at(static_cast<std::uint64_t>(stream));
}

Design range_design(const Sample& sample) {
  DFSWEEP_EXPECT(sample.count.has_value());
  return {sample.method, *sample.count, sample.ranges.size(), key_of(sample, SampleStream::values)};
}

double number_at(const ContinuousRange& range, UnitFraction u) {
  const long double fraction = static_cast<long double>(u) * 0x1p-64L;
  const long double first = range.from;
  const long double last = range.to;
  const long double number =
      range.scale == Scale::linear ? first + (last - first) * fraction : first * std::pow(last / first, fraction);
  return std::clamp(static_cast<double>(number), range.from, range.to);
}

}  // namespace dfsweep
