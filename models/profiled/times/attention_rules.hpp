/// How a batch of unequal requests is priced with surfaces that were measured with equal ones.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "models/measured_tables/batch.hpp"
#include "models/measured_tables/predictors/prediction.hpp"

namespace dfsweep::inference {

/// `value` rounded up to a multiple of `granularity`. Pre: granularity >= 1.
[[nodiscard]] double rounded_up(double value, double granularity);

/// How many requests the groups are.
[[nodiscard]] double requests_of(std::span<const RequestGroup> groups);

/// A surface that is asked for (requests, tokens in the cache) when decoding, D(b, k), and for (tokens in the cache,
/// tokens of the chunk) of prompts, P(k, c).
using SurfaceLookup = std::function<Prediction(std::uint32_t, std::uint32_t)>;

/// Time of attention for groups of requests; contexts are first rounded up to a multiple of `granularity`.
/// Pre: at least one group; granularity >= 1.
using AttentionRule = Prediction (*)(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                     double granularity);

/// All b requests as if each had the mean context:
///
///     t = D(b, ceil(floor(sum n_i k_i / b)))          ceil to the granularity
///
/// Source: [vidur] Section 4. Blind to skew: one request of 4000 tokens and nine of 100 cost as much as ten of 512.
[[nodiscard]] Prediction decode_at_mean_context(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                                double granularity);

/// The mean over the requests of the surface, but not less than the m requests of longest context alone:
///
///     t = max( sum n_i D(b, k_i) / b,  max_m D(m, k_m) )      k_m: the least context of the m longest requests
///
/// where m runs over the sizes of whole groups of equal context. The first term shares the bandwidth of the device
/// fairly; the second holds because leaving requests out, or cutting them to k_m, makes no kernel slower: a single long
/// request cannot be spread over a device as ten short ones can. Equal contexts give D(b, k) itself. Derived in
/// docs/models/profiled.md.
[[nodiscard]] Prediction decode_by_context(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                           double granularity);

/// All prompts as one:
///
///     t = P( sum n_i ceil(k_i), round(sqrt(sum n_i c_i^2)) )     ceil to the granularity, halves to even
///
/// Source: [vidur] Section 4. Exact for a cost of c^2 alone: the product of chunk and context is charged as if every
/// chunk attended to all contexts.
[[nodiscard]] Prediction prefill_as_one_prompt(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                               double granularity);

/// Every prompt by itself, behind its own context, with the constant cost of a launch paid once:
///
///     t = sum n_i P(k_i, c_i) - (n - 1) p,    p = min(P(0, 1), P(k_1, c_1), P(k_2, c_2), ...)
///
/// n: prompts; p: what the shortest possible prompt costs. A kernel serves all prompts of a batch. Derived in
/// docs/models/profiled.md.
[[nodiscard]] Prediction prefill_by_prompt(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                           double granularity);

}  // namespace dfsweep::inference
