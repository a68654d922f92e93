/// BatchView: the batch whose time is requested, as sums and request by request.
#pragma once

#include <span>

#include "models/queueing/vidur/request.hpp"

namespace dfsweep::vidur {

/// Sums over the requests of a batch. "Before": tokens in the cache before the batch.
struct BatchSums {
  std::uint32_t requests = 0;
  std::uint32_t decodes = 0;         ///< requests after their prompt; one token each
  std::uint64_t tokens = 0;          ///< tokens processed in the batch
  std::uint64_t before = 0;          ///< tokens before, of all requests
  std::uint64_t decodes_before = 0;  ///< tokens before, of the decodes
  std::uint64_t attended = 0;        ///< sum of tokens (tokens + before), for the work of attention

  /// Adds a request with its tokens of the batch.
  void add(const RequestState& r) {
    ++requests;
    tokens += r.batch_tokens;
    before += r.processed;
    attended += std::uint64_t{r.batch_tokens} * (r.batch_tokens + std::uint64_t{r.processed});
    decodes += r.is_decoding ? 1 : 0;
    decodes_before += r.is_decoding ? r.processed : 0;
  }
  /// Adds decodes whose tokens before are already in `before`. Pre: it has no others.
  void add_decodes(std::uint32_t count) {
    requests += count;
    decodes += count;
    tokens += count;
    decodes_before = before;
    attended = before + count;
  }
  /// Adds what one more token for each of the decodes changes. Pre: all requests are decodes.
  void advance() {
    before += requests;
    decodes_before += requests;
    attended += requests;
  }
};

/// One request of a batch.
struct BatchMember {
  std::uint32_t tokens = 0;
  std::uint32_t before = 0;
  bool is_decode = false;
};

class BatchView {
 public:
  /// `ahead`: tokens that every request has received beyond its state.
  BatchView(const BatchSums& sums, std::span<const RequestIndex> members, const RequestState* requests,
            std::uint32_t ahead)
      : sums_(sums), members_(members), requests_(requests), ahead_(ahead) {}

  [[nodiscard]] const BatchSums& sums() const { return sums_; }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  [[nodiscard]] BatchMember operator[](std::size_t i) const {
    const RequestState& r = requests_[members_[i]];
    return {r.batch_tokens, r.processed + ahead_, r.is_decoding};
  }

 private:
  const BatchSums& sums_;
  std::span<const RequestIndex> members_;
  const RequestState* requests_;
  std::uint32_t ahead_;
};

}  // namespace dfsweep::vidur
