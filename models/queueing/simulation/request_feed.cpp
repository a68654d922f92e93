#include "models/queueing/simulation/request_feed.hpp"

#include <algorithm>
#include <cmath>

namespace dfsweep::queueing {

namespace {

constexpr std::size_t block_requests = 4096;
/// Streams of one seed.
constexpr std::uint64_t lengths_stream = 0;
constexpr std::uint64_t arrivals_stream = 1;

std::uint64_t whole(double count) {
  return static_cast<std::uint64_t>(std::max(1.0, std::floor(count + 0.5)));
}

}  // namespace

RequestFeed::RequestFeed(const Workload& workload)
    : turns_(std::max(1u, workload.turns)),
      shared_tokens_(static_cast<std::uint32_t>(workload.shared_prompt_tokens)),
      think_(workload.think.value()),
      largest_output_(std::floor(moments_of(workload.output).largest + 0.5)),
      random_(random_bits(workload.seed, lengths_stream)),
      prompt_(workload.prompt),
      output_(workload.output) {
  const Arrivals& arrivals = workload.arrivals;
  if (arrivals.law == ArrivalLaw::closed) {
    sessions_left_ = whole(arrivals.users);
    requests_of_session_ = whole(arrivals.requests_per_user);
    requests_left_ = sessions_left_ * requests_of_session_;
  } else {
    arrivals_.emplace(arrivals, turns_, random_bits(workload.seed, arrivals_stream));
    requests_left_ = arrivals.requests;
    sessions_left_ = (requests_left_ + turns_ - 1) / turns_;
    requests_of_session_ = turns_;
  }
}

RequestFeed::RequestFeed(RequestSource& source)
    : largest_output_(source.largest_output()),
      random_(0),
      prompt_(LengthDistribution{}),
      output_(LengthDistribution{}),
      source_(&source),
      block_(block_requests) {}

std::optional<NewSession> RequestFeed::next_traced() {
  if (taken_ == filled_) {
    taken_ = 0;
    filled_ = source_->next(block_);
    if (filled_ == 0) return std::nullopt;
  }
  const TracedRequest& request = block_[taken_++];
  return NewSession{request.arrival.value(), 1, std::max(1u, request.prompt_tokens),
                    std::max(1u, request.output_tokens)};
}

std::optional<NewSession> RequestFeed::next() {
  if (source_ != nullptr) return next_traced();
  if (sessions_left_ == 0) return std::nullopt;
  --sessions_left_;
  const std::uint64_t requests = std::min(requests_of_session_, requests_left_);
  requests_left_ -= requests;
  return NewSession{arrivals_ ? arrivals_->next().value() : 0.0, requests, 0, 0};
}

RequestLengths RequestFeed::lengths(std::uint64_t request) const {
  return {prompt_.at(random_, 2 * request), output_.at(random_, 2 * request + 1)};
}

}  // namespace dfsweep::queueing
