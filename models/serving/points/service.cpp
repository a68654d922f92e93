#include "models/serving/points/service.hpp"

namespace dfsweep::serving {

Status broken_limit(const Demand& demand, const Service& s) {
  constexpr double rounding = 1 + 1e-9;
  if (s.first_token > rounding * demand.limits.first_token) return Status::first_token_limit;
  return s.output_token > rounding * demand.limits.token_time ? Status::latency_limit : Status::ok;
}

double shortfall_of(const Demand& demand, const Service& s, Status status) {
  if (status != Status::ok && is_given(demand.limit_quantile)) return s.too_few;
  if (status == Status::first_token_limit) return s.first_token / demand.limits.first_token;
  if (status == Status::latency_limit) return s.output_token / demand.limits.token_time;
  return absent;
}

}  // namespace dfsweep::serving
