/// Batch: the requests that one step of inference processes together.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dfsweep::inference {

/// Requests that are alike.
struct RequestGroup {
  double count = 1.0;    ///< requests
  double tokens = 1.0;   ///< that each of them processes in this step; 1 when decoding
  double context = 0.0;  ///< tokens of each that are in the cache before this step
  bool operator==(const RequestGroup&) const = default;
};

struct Batch {
  std::vector<RequestGroup> decode;   ///< prompt complete: one token each
  std::vector<RequestGroup> prefill;  ///< a chunk of the prompt each
  bool operator==(const Batch&) const = default;
  [[nodiscard]] bool empty() const { return decode.empty() && prefill.empty(); }
};

/// More than any accelerator holds; sums of two such numbers are exact.
inline constexpr double most_requests = 1e6;
inline constexpr double most_request_tokens = 1e8;
inline constexpr double most_batch_tokens = 2e9;

/// Of some groups: how many requests, tokens processed in this step, tokens in the cache after it.
struct BatchPart {
  double requests = 0.0;
  double tokens = 0.0;
  double cached_tokens = 0.0;  ///< whole pages: every request starts a page of its own
};
[[nodiscard]] BatchPart part_of(const std::vector<RequestGroup>& groups, double page_tokens);

/// What a text is no batch for: "item 2, 'x7', is no request".
struct BatchProblem {
  std::string problem;
  std::string reason;
};

/// Items separated by ";": "d1@K" decodes one token behind K tokens, "pC@K" processes a chunk of C tokens behind K
/// tokens, "NxITEM" is N times the item. Blanks around items and ";" at the end are allowed. An empty text is an empty
/// batch.
[[nodiscard]] std::variant<Batch, BatchProblem> parse_batch(std::string_view text);

/// The batch of equal requests: `decode_requests` that decode behind `decode_context` tokens and `prefill_requests`
/// that process `prefill_chunk` tokens behind `prefill_context`. A group without requests or tokens is left out.
[[nodiscard]] Batch uniform_batch(const RequestGroup& decode, const RequestGroup& prefill);

}  // namespace dfsweep::inference
