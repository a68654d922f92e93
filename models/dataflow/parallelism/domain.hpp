/// High-bandwidth domains: the chips of each dimension inside one domain, and the cost of collectives on inner and
/// outer links.
#pragma once

#include <array>
#include <cstddef>

#include "models/dataflow/parallelism/per_link.hpp"
#include "models/machine/collectives.hpp"
#include "models/machine/topology.hpp"

namespace dfsweep::dataflow {

/// Chips of each dimension that share a high-bandwidth domain.
struct DomainChips {
  std::array<double, most_dimensions> chips{1.0, 1.0, 1.0};  ///< 1 to the size of the dimension
  std::size_t inner = 1;                                     ///< number of leading dimensions with inner links only
};

/// The H chips of a domain are assigned to dimensions from the innermost outwards:
///
///     h_d = min(x_d, H / (h_0 ... h_(d-1)) rounded down), so that h_0 h_1 ... <= H
///
/// Without a domain, the first dimension is the domain: h_0 = x_0, all others 1. `domain`: H; NaN: no domain.
/// Derived in docs/models/dataflow.md, "Layout".
[[nodiscard]] DomainChips domain_chips(const Shape& shape, double domain);

/// The p chips of one dimension, in groups of h joined by inner links.
struct Joined {
  DimensionKind kind;
  double chips;   ///< p
  double inside;  ///< h
  [[nodiscard]] bool is_inner() const { return inside >= chips; }
};

/// Charges a cost to the slowest links of the dimension: inner links where the whole dimension is inside the domain,
/// otherwise outer links.
[[nodiscard]] PerLink on_links(const Joined& at, double cost);

/// One pass over S bytes among p chips of which h share inner links, in multiples of S:
///
///     (h-1)/h on inner links     (p/h - 1)/p on the others     (p-1)/p on inner links where h >= p
///
/// [dfmodel] section 4.3
[[nodiscard]] PerLink domain_pass(double inside, double chips);

/// One pass among the h chips over S bytes, then among p/h groups over the S/h that each chip then holds. With c(p) a
/// pass within one dimension:
///
///     c(h) on inner links     c(p/h)/h on the others
///
/// On rings and switches that is domain_pass, [dfmodel] section 4.3; c(p) as in section 4.1.
[[nodiscard]] PerLink one_pass(const Joined& at);

/// Steps of a collective among the h chips, then among the groups.
[[nodiscard]] PerLink steps(const Joined& at, CollectiveSteps count);

}  // namespace dfsweep::dataflow
