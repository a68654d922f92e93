/// Attention forms, term by term.
#include "models/operators/attention_forms.hpp"

#include <algorithm>
#include <cmath>

#include "models/operators/smooth_sum.hpp"

namespace dfsweep::operators {

namespace {

/// Tokens that the last token sees.
double last_span(const AttentionShape& s) {
  const double all = s.context + s.tokens;
  return s.window > 0.0 ? std::min(s.window, all) : all;
}

/// Numbers of the latent of a token in the cache, and the part of it that becomes values.
constexpr double latent_numbers = 576.0;
constexpr double latent_values = 512.0;
/// Numbers of a key and of a value of a head of a prompt.
constexpr double prompt_key = 192.0;
constexpr double prompt_value = 128.0;

}  // namespace

double seen_pairs(const AttentionShape& s) {
  const double all = s.context + s.tokens;
  if (!(s.window > 0.0) || s.window >= all) return s.tokens * (s.context + 0.5 * (s.tokens + 1.0));
  const double growing = std::max(s.window - s.context, 0.0);  // tokens that see all before them
  return growing * (s.context + 0.5 * (growing + 1.0)) + (s.tokens - growing) * s.window;
}

Bytes cache_bytes(const AttentionShape& s) {
  const double reach = s.context + s.tokens;
  const double seen = s.window > 0.0 ? std::min(reach, s.window + s.tokens) : reach;
  return Bytes{2.0 * s.cache_bytes * s.key_value_heads * s.head_size * seen * s.requests};
}

Bytes moved_bytes(const AttentionShape& s) {
  return Bytes{2.0 * 2.0 * s.heads * s.head_size * s.tokens * s.requests};
}

OperatorWork attention_work(const AttentionShape& s) {
  return {Flop{4.0 * s.heads * s.head_size * seen_pairs(s) * s.requests}, cache_bytes(s) + moved_bytes(s)};
}

Seconds prompt_time(const AttentionShape& shape, const DeviceRates& rates, const PromptNumbers& numbers) {
  const double size =
      4.0 * (shape.head_size + numbers.width) * (1.0 + shape.head_size / numbers.narrow) / rates.peak.value();
  AttentionShape computed = shape;
  if (shape.window > 0.0) computed.window += numbers.edge;
  const double pairs = seen_pairs(computed) + numbers.half * shape.tokens + numbers.corner;
  const double compute = size * shape.requests * shape.heads * pairs / numbers.share;
  const double longest = size * 128.0 * (last_span(computed) + numbers.half) / numbers.block_share;
  const double bytes = (moved_bytes(shape) + numbers.cached * cache_bytes(shape)).value();
  const double read = bytes * bytes / (bytes + numbers.warm);
  const double traffic = read / (rates.bandwidth.value() * numbers.memory_share);
  return Seconds{numbers.launch + overlapped(compute + longest, traffic)};
}

Seconds decode_time(const AttentionShape& shape, const DeviceRates& rates, const DecodeNumbers& numbers) {
  const OperatorWork work = attention_work(shape);
  const double bytes = work.bytes.value();
  const double group = shape.heads / (shape.key_value_heads * numbers.limit);
  const double fourth = group * group * group * group;
  const double eighth = fourth * fourth;
  const double read = bytes * bytes / (bytes + numbers.warm) / (rates.bandwidth.value() * numbers.memory_share) *
                      (1.0 + numbers.loss * eighth / (1.0 + eighth));
  const double compute = work.flop.value() / (rates.peak.value() * numbers.share);
  const double walked = numbers.walk * std::min(last_span(shape), numbers.chunk);
  return Seconds{numbers.launch + overlapped(overlapped(read, compute), walked) +
                 shape.requests * (shape.heads * numbers.per_head + shape.key_value_heads * numbers.per_group)};
}

OperatorWork latent_prompt_work(const LatentShape& s) {
  const double pairs = s.tokens * (s.context + 0.5 * (s.tokens + 1.0));
  const double cache = s.cache_bytes * latent_numbers * (s.context + s.tokens);
  const double moved = 2.0 * s.heads * (2.0 * prompt_key + 2.0 * prompt_value) * s.tokens;
  return {Flop{2.0 * s.heads * (prompt_key + prompt_value) * pairs * s.requests}, Bytes{(cache + moved) * s.requests}};
}

OperatorWork latent_decode_work(const LatentShape& s) {
  const double seen = s.tokens * (s.context + 0.5 * (s.tokens + 1.0));
  const double cache = s.cache_bytes * latent_numbers * (s.context + s.tokens);
  const double moved = 2.0 * s.heads * (latent_numbers + latent_values) * s.tokens;
  return {Flop{2.0 * s.heads * (latent_numbers + latent_values) * seen * s.requests},
          Bytes{(cache + moved) * s.requests}};
}

Seconds latent_time(const OperatorWork& work, const LatentShape& shape, const DeviceRates& rates,
                    const LatentNumbers& numbers) {
  const double rate = rates.peak.value() * numbers.share;
  const double compute = work.flop.value() / rate * (1.0 + numbers.half / shape.tokens);
  const double traffic = work.bytes.value() / (rates.bandwidth.value() * numbers.memory_share);
  const double longest = numbers.walk * std::min(shape.context + shape.tokens, numbers.chunk);
  const double projections = numbers.projected * shape.heads * shape.tokens * shape.requests / rate;
  return Seconds{numbers.launch + longest + overlapped(compute, traffic) + projections};
}

}  // namespace dfsweep::operators
