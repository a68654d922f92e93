/// PerLinkOf: amounts on the inner and on the outer links of a system, or what those links are like.
#pragma once

#include <cstddef>

namespace dfsweep::dataflow {

/// Inner links are those of dimension 0, or of a high-bandwidth domain; outer links are all others.
template <class Amount>
struct PerLinkOf {
  Amount first{};
  Amount outer{};
};
using PerLink = PerLinkOf<double>;

template <class Amount, class Rate>
constexpr auto dot(const PerLinkOf<Amount>& amounts, const PerLinkOf<Rate>& rates) {
  return amounts.first * rates.first + amounts.outer * rates.outer;
}

constexpr PerLink operator*(double factor, const PerLink& amounts) {
  return {factor * amounts.first, factor * amounts.outer};
}

/// The part on the links of a dimension, of which the first `inner` have inner links.
template <class Amount>
[[nodiscard]] constexpr Amount& part(PerLinkOf<Amount>& amounts, std::size_t dimension, std::size_t inner) {
  return dimension < inner ? amounts.first : amounts.outer;
}

}  // namespace dfsweep::dataflow
