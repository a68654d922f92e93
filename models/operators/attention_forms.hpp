/// Closed forms of attention kernels: prompts, decoding, and both with a latent cache.
///
/// Fitted to measured tables: docs/measured-operators.md.
#pragma once

#include "models/measured_tables/operator_work.hpp"
#include "models/units.hpp"

namespace dfsweep::operators {

/// Equal requests with `tokens` new tokens each after `context` cached ones; causal.
struct AttentionShape {
  double requests = 1.0;
  double tokens = 1.0;   ///< of a prompt; 1 when decoding
  double context = 0.0;  ///< cached tokens before the new ones
  double heads = 1.0;
  double key_value_heads = 1.0;
  double head_size = 128.0;
  double window = 0.0;       ///< tokens that a token sees at most; 0: all
  double cache_bytes = 2.0;  ///< of one number of the cache
};

/// Pairs of a token and one that it sees, in one request: the sum of min(window, context + i) over its tokens i.
[[nodiscard]] double seen_pairs(const AttentionShape& shape);
/// Bytes of the keys and values that are seen, in the cache.
[[nodiscard]] Bytes cache_bytes(const AttentionShape& shape);
/// Bytes of queries and results, in 16 bits.
[[nodiscard]] Bytes moved_bytes(const AttentionShape& shape);
/// FLOP 4 heads head_size pairs; bytes of cache, queries and results.
[[nodiscard]] OperatorWork attention_work(const AttentionShape& shape);

struct PromptNumbers {
  double share = 0.63;         ///< of the peak
  double width = 15.0;         ///< numbers of a head that take as long as the softmax of a pair
  double narrow = 1000.0;      ///< size of a head at which blocks take twice as long as the work in them
  double half = 60.0;          ///< pairs that each token computes besides those it sees: blocks are square
  double corner = 8000.0;      ///< pairs that each head of a request computes besides
  double edge = 100.0;         ///< tokens by which blocks are wider than the window
  double block_share = 0.008;  ///< of the device that works on one block of 128 tokens
  double memory_share = 0.8;   ///< of the memory bandwidth
  double cached = 2.0;         ///< times that keys and values are moved
  double warm = 10e6;          ///< bytes: of as many, half come from the memory and half from a cache
  double launch = 14e-6;       ///< s
};

/// launch + sqrt((work + longest)^2 + traffic^2) with
///
///     work    = 4 heads (d + width) (pairs + half tokens + corner) / (peak share)    of all requests
///     longest = 4 (d + width) 128 (w + half) / (peak block_share)                    w: tokens that the last one sees
///
///     traffic = bytes / (bandwidth memory_share)
///
/// Pairs and w are those of a window that is wider by `edge`. Continuous; never faster with more requests, tokens,
/// context, heads or window; never slower with higher rates.
/// Source: docs/measured-operators.md, closed forms.
[[nodiscard]] Seconds prompt_time(const AttentionShape& shape, const DeviceRates& rates, const PromptNumbers& numbers);

struct DecodeNumbers {
  double memory_share = 0.87;  ///< of the memory bandwidth
  double warm = 10e6;          ///< bytes: of as many, half come from the memory and half from a cache
  double loss = 0.5;           ///< more reading where groups of query heads are large
  double limit = 32.0;         ///< query heads of a key head at which half of it is lost
  double share = 0.3;          ///< of the peak rate
  double launch = 10e-6;       ///< s
  double walk = 2e-9;          ///< s for a token of the context, by the longest block of one request and key head
  double chunk = 2000.0;       ///< tokens: longer contexts are cut in pieces
  double per_head = 1e-10;     ///< s for each head of each request
  double per_group = 1e-10;    ///< s for each key head of each request
};

/// launch + sqrt(read^2 + compute^2 + walked^2) + requests (heads per_head + key heads per_group) with
///
///     read    = b^2 / (b + warm) / (bandwidth memory_share) (1 + loss g^8 / (g^8 + limit^8))
///     walked  = walk min(context, chunk)
///     compute = flop / (peak share)
///
/// b: bytes; g: query heads of a key head. Continuous; never faster with more requests, context, window or heads, never
/// slower with higher rates.
/// Source: docs/measured-operators.md, closed forms.
[[nodiscard]] Seconds decode_time(const AttentionShape& shape, const DeviceRates& rates, const DecodeNumbers& numbers);

/// Latent attention: the cache keeps 512 numbers and 64 of the position for a token, shared by all heads.
struct LatentShape {
  double requests = 1.0;
  double tokens = 1.0;
  double context = 0.0;
  double heads = 128.0;  ///< of the device
  double cache_bytes = 2.0;
};
struct LatentNumbers {
  double share = 0.4;         ///< of the peak rate
  double half = 200.0;        ///< tokens at which half of it is reached
  double memory_share = 0.6;  ///< of the memory bandwidth
  double launch = 12e-6;      ///< s
  double walk = 2e-9;         ///< s for a token of the context, by the longest block
  double chunk = 2000.0;      ///< tokens: longer contexts are cut in pieces
  double projected = 1e6;     ///< FLOP for a token and head in projections that are timed with the kernel
};

/// FLOP and bytes of prompts: heads of 192 numbers of keys and 128 of values.
[[nodiscard]] OperatorWork latent_prompt_work(const LatentShape& shape);
/// FLOP and bytes of decoding: 576 numbers of the cache serve all heads.
[[nodiscard]] OperatorWork latent_decode_work(const LatentShape& shape);

/// launch + walk min(context, chunk) + sqrt(compute^2 + traffic^2) + projections with
///
///     compute     = flop / (peak share) (1 + half / tokens)
///     traffic     = bytes / (bandwidth memory_share)
///     projections = projected heads tokens requests / (peak share)
/// Source: docs/measured-operators.md, closed forms.
[[nodiscard]] Seconds latent_time(const OperatorWork& work, const LatentShape& shape, const DeviceRates& rates,
                                  const LatentNumbers& numbers);

}  // namespace dfsweep::operators
