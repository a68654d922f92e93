/// The figures of given batches in lanes of one width. Sources that include this are compiled for processors which have
/// registers of that width.
#pragma once

#include <algorithm>

#include "models/serving/points/figure_columns.hpp"
#include "models/serving/points/figure_writing.hpp"
#include "models/serving/points/given_batches.hpp"

namespace dfsweep::serving::detail {

/// Compiled as one function, like others here, because lanes that are handed over between functions go through memory.
template <class Number>
[[nodiscard, gnu::flatten]] BasicService<Number> service_at(const GivenBatches& all, const Number& batch) {
  return service_of_batches(all.o, all.demand.batching, batch, all.times_of(batch));
}

template <class Number>
[[nodiscard, gnu::flatten]] BasicBatchWork<Number> work_of(const GivenBatches& all, const BasicService<Number>& s) {
  const Deployment& d = all.deployment;
  const BasicPace<Number> pace{together(s.batch), s.step, s.prefill};
  BasicBatchWork<Number> work;
  if (all.wanted.phase) work.phase = phase_work(d, all.o.request, all.demand.phase, pace);
  if (all.wanted.flops) work.phase.flop_share = flop_share_of(d, all.o.request, all.demand.phase, pace);
  if (all.wanted.watts) work.average = average_watts(d, all.o, pace, s.request_rate);
  return work;
}

/// Which batches do not fit, which limits others break, and how far.
template <class Number>
[[gnu::flatten]] void write_statuses(const GivenBatches& all, const BasicService<Number>& s, std::size_t count,
                                     FigureColumns::Points& out) {
  const Capacity& c = all.deployment.capacity;
  const bool has_limits = all.demand.limits != queueing::Limits{};
  const auto used = memory_used(c, cache_bytes(c, all.demand.tokens, s.batch));
  Number shortfall = absent;
  for (std::size_t i = 0; i < count; ++i) {
    Status status = Status::ok;
    if (lane(used, i) > c.memory) {
      status = Status::out_of_memory;
      shortfall.set(i, memory_shortfall(all.deployment, all.demand, lane(s.batch, i)));
    } else if (has_limits) {
      Service one;
      one.first_token = lane(s.first_token, i);
      one.output_token = lane(s.output_token, i);
      status = broken_limit(all.demand, one);
      shortfall.set(i, shortfall_of(all.demand, one, status));
    }
    out.set_status(i, status);
  }
  out.set(Metric::shortfall, shortfall);
}

template <class Number>
[[gnu::flatten]] void write_some(const GivenBatches& all, const BasicService<Number>& s,
                                 const BasicBatchWork<Number>& work, FigureColumns::Points& out) {
  write_batch(out, all.wanted, all.deployment, all.demand, all.o, s.batch, s, work);
}

template <class Number>
void write_batches(const GivenBatches& all, FigureColumns::Points& out) {
  constexpr std::size_t lanes = lane_count<Number>;
  for (std::size_t k = 0; k < all.sizes.size(); k += lanes) {
    const std::size_t count = std::min(lanes, all.sizes.size() - k);
    const BasicService<Number> s = service_at(all, read_lanes<Number>(all.sizes.data() + k, count));
    out.choose(k, count);
    write_statuses(all, s, count, out);
    write_some(all, s, work_of(all, s), out);
  }
}

}  // namespace dfsweep::serving::detail
