/// PerLinkOf: a pair of values for the inner and the outer links of a system.
#pragma once

#include <cstddef>

namespace dfsweep::dataflow {

/// Inner links belong to dimension 0 or to a high-bandwidth domain; all other links are outer links.
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

/// The value for the links of a dimension; the first `inner` dimensions have inner links.
template <class Amount>
[[nodiscard]] constexpr Amount& part(PerLinkOf<Amount>& amounts, std::size_t dimension, std::size_t inner) {
  return dimension < inner ? amounts.first : amounts.outer;
}

}  // namespace dfsweep::dataflow
