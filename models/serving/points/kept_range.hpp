/// KeptRange: the range of rates that neighbouring points of a deployment share, and the highest rate within limits.
#pragma once

#include <optional>

#include "models/serving/points/loaded.hpp"
#include "models/serving/points/situation.hpp"

namespace dfsweep::serving {

/// Pre, of all functions: the deployment is the same in all calls.
class KeptRange {
 public:
  void forget() { key_ = {}; }
  /// Whether the last point had the range of this one, which is noted.
  bool is_known(const Deployment& d, const Demand& demand, const OperatingPoint& o) {
    const RangeKey key = range_key_of(d, demand, o);
    if (key_ == key) return true;
    *this = KeptRange{};
    key_ = key;
    return false;
  }
  /// The range of rates of the point's deployment; null where it depends on the rate. `steps`: times of its steps;
  /// `few`: whether users are no more than may run at once.
  template <class S>
  const queueing::RateRange* range(const Deployment& d, const Demand& demand, const OperatingPoint& o, const S& steps,
                                   bool few = false) {
    using queueing::RangeFor;
    const bool is_stream = demand.traffic == Traffic::rate || demand.traffic == Traffic::share;
    const bool has_range = is_known(d, demand, o) && has_range_;
    const bool lacks = range_ && ((is_stream && !range_->streams) || (!few && !range_->has_full));
    if (!has_range || lacks) {
      const RangeFor use = is_stream ? RangeFor::streams : few ? RangeFor::few_users : RangeFor::users;
      range_ = d.prefill ? range_of_rates_of_pools(d, demand, o, use) : range_of_rates(d, demand, o, steps, use);
      has_range_ = true;
    }
    return range_ ? &*range_ : nullptr;
  }
  /// The closed form's highest rate that keeps the limits of the demand.
  template <class S>
  double capacity(const Deployment& d, const Demand& demand, const OperatingPoint& o, const S& steps) {
    const queueing::RateRange* const known = range(d, demand, o, steps);
    if (is_given(capacity_) && limits_ == demand.limits) return capacity_;
    limits_ = demand.limits;
    capacity_ = d.prefill ? highest_rate_of_pools(d, demand, o, known) : highest_rate(d, demand, o, steps, known);
    return capacity_;
  }

 private:
  RangeKey key_;
  bool has_range_ = false;
  std::optional<queueing::RateRange> range_;
  queueing::Limits limits_;
  double capacity_ = absent;  ///< the highest rate within these limits; NaN: not known
};

}  // namespace dfsweep::serving
