/// Requests offered to simulated replicas: drawn by the parameters of a point, or read from a trace.
#pragma once

#include <span>
#include <vector>

#include "models/estimator.hpp"
#include "models/queueing/vidur/generators.hpp"

namespace dfsweep::profiled {

/// A trace and the problems of its table.
struct TraceReading {
  std::vector<vidur::OfferedRequest> requests;  ///< in the order of the file; empty: no trace
  std::vector<DataProblem> errors;
};
/// Reads data "trace" where it is given. Columns arrival (s), prompt and output (tokens), also under the names of
/// Vidur: arrived_at, num_prefill_tokens, num_decode_tokens. Tokens are whole numbers from 1.
[[nodiscard]] TraceReading read_trace(const SweepValues& values);

/// What the requests of a point depend on.
struct Demand {
  vidur::Arrivals arrivals = vidur::Arrivals::poisson;
  double variation = 0.5;
  double rate = absent;  ///< requests/s; NaN: the times of the trace, 1/s without one
  std::uint32_t count = 1;
  std::uint32_t seed = 42;
  vidur::LengthRange prompts;
  vidur::LengthRange outputs;
  std::uint32_t most_tokens = 4096;  ///< prompts are cut so that prompt and output have at most this length
};

/// The requests of a point at other rates.
class OfferedRequests {
 public:
  /// `trace`: empty if the sweep gives no trace. With a rate, the times of the trace are stretched to this mean rate.
  OfferedRequests(const Demand& demand, std::span<const vidur::OfferedRequest> trace);

  /// Mean rate of the requests in 1/s.
  [[nodiscard]] double rate() const { return rate_; }
  [[nodiscard]] const std::vector<vidur::OfferedRequest>& requests() const { return requests_; }
  /// The same requests at another rate: every time of arrival at rate 1 is divided by it.
  [[nodiscard]] std::vector<vidur::OfferedRequest> at_rate(double rate) const;

 private:
  double rate_ = 1.0;
  std::vector<double> unit_arrivals_;
  std::vector<vidur::OfferedRequest> requests_;
};

}  // namespace dfsweep::profiled
