/// Who sends requests: users of a closed loop, an open stream, or a trace; and how long their requests are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/queueing/arrivals.hpp"
#include "models/queueing/lengths.hpp"
#include "models/queueing/request_source.hpp"
#include "models/queueing/workload.hpp"

namespace dfsweep::queueing {

/// A session that begins: its first request is sent at `time`. A trace gives the lengths; else they are 0.
struct NewSession {
  double time = 0.0;
  std::uint64_t requests = 1;
  std::uint32_t prompt = 0;
  std::uint32_t output = 0;
};

struct RequestLengths {
  std::uint32_t prompt = 1;
  std::uint32_t output = 1;
};

class RequestFeed {
 public:
  explicit RequestFeed(const Workload& workload);
  explicit RequestFeed(RequestSource& source);

  /// The next session in the order of time; nothing at the end.
  [[nodiscard]] std::optional<NewSession> next();
  /// Lengths of the request of this number, in the order of sending. Pre: no trace.
  [[nodiscard]] RequestLengths lengths(std::uint64_t request) const;
  [[nodiscard]] std::uint32_t turns() const { return turns_; }
  [[nodiscard]] std::uint32_t shared_tokens() const { return shared_tokens_; }
  [[nodiscard]] double think() const { return think_; }
  [[nodiscard]] double largest_output() const { return largest_output_; }

 private:
  std::optional<NewSession> next_traced();

  std::uint32_t turns_ = 1;
  std::uint32_t shared_tokens_ = 0;
  double think_ = 0.0;
  double largest_output_ = 1.0;
  std::uint64_t sessions_left_ = 0;
  std::uint64_t requests_left_ = 0;
  std::uint64_t requests_of_session_ = 1;
  CounterRandom random_;
  LengthSampler prompt_;
  LengthSampler output_;
  std::optional<ArrivalTimes> arrivals_;
  RequestSource* source_ = nullptr;
  std::vector<TracedRequest> block_;
  std::size_t taken_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace dfsweep::queueing
