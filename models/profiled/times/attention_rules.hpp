/// Attention rules: time of a batch of unequal requests from surfaces that were measured with equal requests.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "models/measured_tables/batch.hpp"
#include "models/measured_tables/predictors/prediction.hpp"

namespace dfsweep::profiled {

/// `value` rounded up to a multiple of `granularity`. Pre: granularity >= 1.
[[nodiscard]] double rounded_up(double value, double granularity);

/// Number of requests in the groups.
[[nodiscard]] double requests_of(std::span<const RequestGroup> groups);

/// A surface over (requests, cached tokens) for decoding, D(b, k), or over (cached tokens, tokens of the chunk) for
/// prompts, P(k, c).
using SurfaceLookup = std::function<Prediction(std::uint32_t, std::uint32_t)>;

/// Time of attention for groups of requests; contexts are first rounded up to a multiple of `granularity`.
/// Pre: at least one group; granularity >= 1.
using AttentionRule = Prediction (*)(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                     double granularity);

/// Treats all b requests as if each had the mean context:
///
///     t = D(b, ceil(floor(sum n_i k_i / b)))          ceil to the granularity
///
/// Source: [vidur] Section 4. It ignores skew: one request of 4000 tokens and nine of 100 cost the same as ten of 512.
[[nodiscard]] Prediction decode_at_mean_context(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                                double granularity);

/// The mean of the surface over the requests, but at least the time of the m requests with the longest contexts:
///
///     t = max( sum n_i D(b, k_i) / b,  max_m D(m, k_m) )      k_m: the least context of the m longest requests
///
/// where m runs over the sizes of whole groups of equal context. The first term assumes a fair share of the device
/// bandwidth. The second is a lower bound, because removing requests or truncating them to k_m never makes a kernel
/// slower: a single long request cannot use the device as well as ten short ones. Equal contexts give D(b, k) itself.
/// Derived in docs/models/profiled.md.
[[nodiscard]] Prediction decode_by_context(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                           double granularity);

/// Treats all prompts as one:
///
///     t = P( sum n_i ceil(k_i), round(sqrt(sum n_i c_i^2)) )     ceil to the granularity, halves to even
///
/// Source: [vidur] Section 4. Exact only for a cost of c^2: the product of chunk and context counts every chunk with
/// the sum of all contexts.
[[nodiscard]] Prediction prefill_as_one_prompt(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                               double granularity);

/// Every prompt separately with its own context, with the constant launch cost counted once:
///
///     t = sum n_i P(k_i, c_i) - (n - 1) p,    p = min(P(0, 1), P(k_1, c_1), P(k_2, c_2), ...)
///
/// n: prompts; p: cost of the shortest possible prompt. One kernel processes all prompts of a batch. Derived in
/// docs/models/profiled.md.
[[nodiscard]] Prediction prefill_by_prompt(const SurfaceLookup& surface, std::span<const RequestGroup> groups,
                                           double granularity);

}  // namespace dfsweep::profiled
