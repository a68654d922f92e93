/// Batches of a sweep.
#include "models/inference/points/batches.hpp"

#include <algorithm>

namespace dfsweep::inference::profiled {

namespace {

double largest(const std::vector<double>& numbers) {
  return *std::max_element(numbers.begin(), numbers.end());
}

}  // namespace

Batches::Batches(const SweepValues& values, const ProfiledValues& decoded)
    : decoded_(decoded),
      lists_(decoded.requests.size()),
      decode_contexts_(values.parameters[decode_context].values.size()),
      prefill_chunks_(values.parameters[prefill_chunk].values.size()),
      prefill_contexts_(values.parameters[prefill_context].values.size()),
      pages_(values.parameters[block_size].values.size()) {
  decode_cells_ = lists_ + values.parameters[decode_batch].values.size() * decode_contexts_;
  prefill_cells_ = lists_ + values.parameters[prefill_batch].values.size() * prefill_chunks_ * prefill_contexts_;
  most_tokens_ = largest(decoded.numbers[decode_batch]) +
                 largest(decoded.numbers[prefill_batch]) * largest(decoded.numbers[prefill_chunk]);
  for (const std::optional<Batch>& list : decoded.requests) {
    is_listed_.push_back(list.has_value());
    for (const double page : decoded.numbers[block_size]) {
      const Batch batch = list.value_or(Batch{});
      const Parts parts{part_of(batch.decode, page), part_of(batch.prefill, page)};
      most_tokens_ = std::max(most_tokens_, parts.decode.tokens + parts.prefill.tokens);
      listed_parts_.push_back(parts);
    }
  }
}

}  // namespace dfsweep::inference::profiled
