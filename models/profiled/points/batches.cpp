/// Precomputation of the batches of a sweep.
#include "models/profiled/points/batches.hpp"

#include <algorithm>

namespace dfsweep::profiled {

namespace {

double largest(const std::vector<double>& numbers) {
  return *std::max_element(numbers.begin(), numbers.end());
}

}  // namespace

Batches::Batches(const SweepValues& values, const ProfiledValues& decoded)
    : decoded_(decoded),
      lists_(decoded.batches.size()),
      decode_contexts_(values[Parameter::decode_context].values.size()),
      prefill_chunks_(values[Parameter::prefill_chunk].values.size()),
      prefill_contexts_(values[Parameter::prefill_context].values.size()),
      pages_(values[Parameter::block_size].values.size()) {
  decode_cells_ = lists_ + values[Parameter::decode_batch].values.size() * decode_contexts_;
  prefill_cells_ = lists_ + values[Parameter::prefill_batch].values.size() * prefill_chunks_ * prefill_contexts_;
  most_tokens_ =
      largest(decoded.numbers[Parameter::decode_batch]) +
      largest(decoded.numbers[Parameter::prefill_batch]) * largest(decoded.numbers[Parameter::prefill_chunk]);
  most_requests_ =
      largest(decoded.numbers[Parameter::decode_batch]) + largest(decoded.numbers[Parameter::prefill_batch]);
  for (const std::optional<RequestBatch>& list : decoded.batches) {
    is_listed_.push_back(list.has_value());
    for (const double page : decoded.numbers[Parameter::block_size]) {
      const RequestBatch batch = list.value_or(RequestBatch{});
      const Parts parts{part_of(batch.decode, page), part_of(batch.prefill, page)};
      most_tokens_ = std::max(most_tokens_, parts.decode.tokens + parts.prefill.tokens);
      most_requests_ = std::max(most_requests_, parts.decode.requests + parts.prefill.requests);
      listed_parts_.push_back(parts);
    }
  }
}

}  // namespace dfsweep::profiled
