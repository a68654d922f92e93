/// RequestBatch: the requests that one step of inference processes together.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dfsweep {

/// Equal requests.
struct RequestGroup {
  double count = 1.0;    ///< number of requests
  double tokens = 1.0;   ///< tokens per request in this step; 1 when decoding
  double context = 0.0;  ///< cached tokens per request before this step
  bool operator==(const RequestGroup&) const = default;
};

struct RequestBatch {
  std::vector<RequestGroup> decode;   ///< requests after their prompt: one token each
  std::vector<RequestGroup> prefill;  ///< requests with a chunk of their prompt each
  bool operator==(const RequestBatch&) const = default;
  [[nodiscard]] bool empty() const { return decode.empty() && prefill.empty(); }
};

/// Upper limit, above the capacity of any accelerator; sums of two such numbers are exact.
inline constexpr double most_requests = 1e6;
inline constexpr double most_request_tokens = 1e8;
inline constexpr double most_batch_tokens = 2e9;

/// Sums over groups: requests, tokens processed in this step, tokens in the cache after it.
struct BatchPart {
  double requests = 0.0;
  double tokens = 0.0;
  double cached_tokens = 0.0;  ///< in whole pages: every request starts a new page
};
[[nodiscard]] BatchPart part_of(const std::vector<RequestGroup>& groups, double page_tokens);

/// Why a text is not a batch: "item 2, 'x7', is not a request".
struct BatchProblem {
  std::string problem;
  std::string reason;
};

/// Parses items separated by ";": "d1@K" decodes one token after K tokens, "pC@K" processes a chunk of C tokens after K
/// tokens, "NxITEM" is N times the item. Blanks around items and a trailing ";" are allowed. An empty text is an empty
/// batch.
[[nodiscard]] std::variant<RequestBatch, BatchProblem> parse_batch(std::string_view text);

/// A batch of one group of decoding requests and one group of prompts. A group without requests or tokens is left out.
[[nodiscard]] RequestBatch uniform_batch(const RequestGroup& decode, const RequestGroup& prefill);

}  // namespace dfsweep
